import {
  redirect as redirectAnywhere,
  redirectDocument as redirectDocumentAnywhere,
} from "@remix-run/cloudflare";
import { localTo } from "~/domain/local-to";

type Redirect = typeof redirectAnywhere;

/** Encodes a page of the shop for the header `Location`, which has ASCII alone; what is encoded stays. */
export const locationOf = (to: string) => localTo(to).replace(/[^\x21-\x7e]+/g, encodeURI);

/** Redirects to a page of the shop. */
export const redirect: Redirect = (to, init) => redirectAnywhere(locationOf(to), init);

/** Redirects to a page of the shop, which the browser loads as a new document. */
export const redirectDocument: Redirect = (to, init) => redirectDocumentAnywhere(locationOf(to), init);
