import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { personalDataForms, readPersonalDataPage } from "~/features/privacy/operations.server";
import { PersonalDataPage } from "~/features/privacy/PersonalDataPage";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readPersonalDataPage));
}

export async function action(args: ActionFunctionArgs) {
  const { pathname, search } = new URL(args.request.url);
  return formAction(args, personalDataForms(pathname + search));
}

export const clientAction = retryingAction((_, reason) => `Nothing was changed: ${reason}`);

export default function PersonalData() {
  return <PersonalDataPage page={useLoaderData<typeof loader>()} />;
}
