import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { todayForms } from "~/features/today/forms.server";
import { readTodayScreen } from "~/features/today/page.server";
import { TodayScreen } from "~/features/today/TodayScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readTodayScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, todayForms(args.context, args.request.url));
}

export const clientAction = retryingAction((_, why) => `Nothing was changed: ${why}`);

export default function Today() {
  return <TodayScreen page={useLoaderData<typeof loader>()} />;
}
