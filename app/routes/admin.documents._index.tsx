import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DocumentsScreen } from "~/features/sales/documents/DocumentsScreen";
import { PRINT_FORMS } from "~/features/sales/documents/forms.server";
import { readDocumentsScreen } from "~/features/sales/documents/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readDocumentsScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, PRINT_FORMS);
}

export default function Documents() {
  return <DocumentsScreen data={useLoaderData<typeof loader>()} />;
}
