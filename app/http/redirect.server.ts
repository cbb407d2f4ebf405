import {
  redirect as redirectAnywhere,
  redirectDocument as redirectDocumentAnywhere,
} from "@remix-run/cloudflare";
import { localTo } from "~/domain/local-to";

type Redirect = typeof redirectAnywhere;

/** Redirects to a page of the shop. */
export const redirect: Redirect = (to, init) => redirectAnywhere(localTo(to), init);

/** Redirects to a page of the shop, which the browser loads as a new document. */
export const redirectDocument: Redirect = (to, init) => redirectDocumentAnywhere(localTo(to), init);
