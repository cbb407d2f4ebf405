import {
  type ActionFunctionArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { type ClientLoaderFunctionArgs, useLoaderData } from "@remix-run/react";
import { FindScreen, unanswered } from "~/features/find/FindScreen";
import { FIND_FORMS } from "~/features/find/forms.server";
import { readFindPage } from "~/features/find/operations.server";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { pageTitle } from "~/layouts/admin/sections";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export const meta: MetaFunction<typeof loader> = ({ data }) => pageTitle(data?.heading.title);

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readFindPage));
}

/** Loads what is found, for the dialog too, which an error page must not replace. @throws redirects and 4xx responses */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch (error) {
    if (request.signal.aborted || (error instanceof Response && error.status < 500)) throw error;
    return unanswered(new URL(request.url).searchParams.get("q") ?? "");
  }
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, FIND_FORMS);
}

export const clientAction = retryingAction((_, why) => `Nothing was changed: ${why}`);

export default function Search() {
  return <FindScreen page={useLoaderData<typeof clientLoader>()} />;
}
