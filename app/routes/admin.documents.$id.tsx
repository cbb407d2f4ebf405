import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DocumentPage } from "~/features/sales/documents/DocumentPage";
import { documentForms } from "~/features/sales/documents/forms.server";
import { readDocumentPage } from "~/features/sales/documents/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readDocumentPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, documentForms(args.request.url));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act} document: ${why}`);

export default function Document() {
  return <DocumentPage page={useLoaderData<typeof loader>()} />;
}
