import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodesScreen } from "~/features/codes/CodesScreen";
import { CODE_FORMS, readCodesPage } from "~/features/codes/page.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";

export const meta: MetaFunction = () => pageTitle("Code");

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readCodesPage));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, CODE_FORMS);
}

export default function Code() {
  return (
    <CodesScreen
      page={useLoaderData<typeof loader>()}
      refused={useActionData<{ failure: string | null }>()}
    />
  );
}
