import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { Bookkeeping } from "~/features/bookkeeping/Bookkeeping";
import { BOOKKEEPING_FORMS, readBookkeeping } from "~/features/bookkeeping/operations/reports.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readBookkeeping));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, BOOKKEEPING_FORMS);
}

export default function BookkeepingPage() {
  return <Bookkeeping page={useLoaderData<typeof loader>()} />;
}
