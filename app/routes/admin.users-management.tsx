import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { userForms } from "~/features/accounts/users/forms.server";
import { usersPage } from "~/features/accounts/users/page.server";
import { UsersScreen } from "~/features/accounts/users/UsersScreen";
import { formAction } from "~/http/form-action.server";
import { requireStaff } from "~/session/require-staff.server";
import { retryingAction } from "~/ui/retrying-action";

export { shouldRevalidate } from "~/ui/retrying-action";

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireStaff(context);
  return json(await usersPage(context, request.url));
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, userForms(args.request.url));
}

export const clientAction = retryingAction((act, why) => `Failed to ${act.replace("User", "")} user: ${why}`);

export default function Users() {
  return <UsersScreen page={useLoaderData<typeof loader>()} />;
}
