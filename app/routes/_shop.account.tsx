import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  AccountFrame,
  type AccountTab,
  ChangePasswordForm,
  EDIT_LINK_ID,
  Profile,
  ProfileForm,
  SignInRequired,
} from "~/features/accounts/Account";
import accountsCss from "~/features/accounts/accounts.css?url";
import { failureMessage } from "~/features/accounts/forms.server";
import { changePasswordByForm, updateProfile } from "~/features/accounts/operations.server";
import { profileView } from "~/features/accounts/user-view.server";
import { formAction, intent } from "~/http/form-action.server";
import { useRestoredFocus } from "~/ui/hooks";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/site";
import { type FormFailure, useFormKey } from "~/ui/useCheckedForm";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: "My Account", path: "/account", hidden: true }, matches);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const user = await context.caller.user();
  const tab: AccountTab = searchParams.get("tab") === "password" ? "password" : "profile";
  return json({
    profile: user && profileView(user, context.settings.timezone),
    tab,
    editing: searchParams.has("edit"),
  });
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, {
    profile: intent(updateProfile, {
      done: () => ({ to: "/account", toast: "Profile updated successfully!" }),
      failed: failureMessage("", "Failed to update profile"),
    }),
    password: intent(changePasswordByForm, {
      done: () => ({ to: "/account?tab=password", toast: "Password changed successfully!" }),
      failed: failureMessage("", "Failed to change password"),
    }),
  });
}

export const clientAction = retryingAction((intent, reason) =>
  intent === "profile" ? `Failed to update profile: ${reason}` : `Failed to change password: ${reason}`,
);

export default function Account() {
  const { profile, tab, editing } = useLoaderData<typeof loader>();
  const rejection = useActionData<FormFailure>();
  const key = useFormKey(rejection);
  const first = editing ? "profile-firstName" : EDIT_LINK_ID;
  useRestoredFocus(tab === "password" ? "password-currentPassword" : first, `${editing} ${key}`);
  if (!profile) return <SignInRequired />;
  return (
    <AccountFrame profile={profile} tab={tab}>
      {tab === "password" ? (
        <ChangePasswordForm key={key} email={profile.email} rejection={rejection} />
      ) : null}
      {tab === "profile" && editing ? <ProfileForm profile={profile} rejection={rejection} /> : null}
      {tab === "profile" && !editing ? <Profile profile={profile} /> : null}
    </AccountFrame>
  );
}
