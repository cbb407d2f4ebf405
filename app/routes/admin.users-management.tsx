import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { readUsersScreen, userForms } from "~/features/accounts/users/page.server";
import { USER_FAILURES } from "~/features/accounts/users/schema";
import { UsersScreen } from "~/features/accounts/users/UsersScreen";
import { formAction } from "~/http/form-action.server";
import { adminPage } from "~/http/page.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader(args: LoaderFunctionArgs) {
  return json(await adminPage(args, readUsersScreen));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, userForms(args.request.url));
}

export const clientAction = retryingAction(
  (intent, reason) => `${USER_FAILURES[intent as keyof typeof USER_FAILURES]}: ${reason}`,
);

export default function Users() {
  return <UsersScreen data={useLoaderData<typeof loader>()} />;
}
