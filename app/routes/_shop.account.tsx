import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  ACCOUNT_TABS,
  AccountFrame,
  ChangePasswordForm,
  EDIT_LINK_ID,
  Profile,
  ProfileForm,
  SignInRequired,
} from "~/features/accounts/Account";
import accountsCss from "~/features/accounts/accounts.css?url";
import { changePasswordByForm } from "~/features/accounts/operations/password.server";
import { updateProfile } from "~/features/accounts/operations/users.server";
import { profileView } from "~/features/accounts/user-view.server";
import {
  AccountData,
  DATA_PATH,
  DELETE_LINK_ID,
  LinkEnded,
  PlannedNotice,
} from "~/features/privacy/AccountData";
import { readPlanned } from "~/features/privacy/deletion.server";
import {
  cancelDeletionByLink,
  cancelOwnDeletion,
  planOwnDeletion,
  requestDownload,
} from "~/features/privacy/operations.server";
import { failureMessage, formAction, intent } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { useRestoredFocus } from "~/ui/hooks";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/site";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) => pageMeta({ title: "My Account", hidden: true }, matches);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const user = await pageResult(context.caller.user());
  const link = searchParams.get("keep");
  return json({
    profile: user && profileView(user, context.settings.timezone),
    tab: ACCOUNT_TABS.find((tab) => tab === searchParams.get("tab")) ?? "profile",
    editing: searchParams.has("edit"),
    deleting: searchParams.has("delete"),
    link,
    planned: await pageResult(readPlanned(context, { userId: user?.id, link })),
  });
}

const CANCELLED = { done: () => ({ to: "/account", toast: "Your account stays." }) };

const FORMS = {
  profile: intent(updateProfile, {
    done: () => ({ to: "/account", toast: "Profile updated successfully!" }),
    failed: failureMessage("", "Failed to update profile"),
  }),
  password: intent(changePasswordByForm, {
    done: () => ({ to: "/account?tab=password", toast: "Password changed successfully!" }),
    failed: failureMessage("", "Failed to change password"),
  }),
  download: intent(requestDownload, { done: (path) => ({ to: path }), failed: failureMessage("") }),
  delete: intent(planOwnDeletion, {
    done: () => ({ to: DATA_PATH, toast: "We have mailed you a link to change your mind." }),
    failed: failureMessage(""),
  }),
  keep: intent(cancelOwnDeletion, CANCELLED),
  keepByLink: intent(cancelDeletionByLink, CANCELLED),
};

export async function action(args: ActionFunctionArgs) {
  return formAction(args, FORMS);
}

const FAILURES: Record<string, string> = {
  profile: "Failed to update profile",
  password: "Failed to change password",
};

export const clientAction = retryingAction(
  (intent, reason) => `${FAILURES[intent] ?? "Nothing was changed"}: ${reason}`,
);

export default function Account() {
  const { profile, tab, editing, deleting, link, planned } = useLoaderData<typeof loader>();
  const refused = useActionData<RefusedForm>();
  const key = useFormKey(refused);
  const first = {
    profile: editing ? "profile-firstName" : EDIT_LINK_ID,
    password: "password-currentPassword",
  };
  const field = deleting && !planned ? "delete-currentPassword" : "download-currentPassword";
  const inData = deleting || planned || refused ? field : DELETE_LINK_ID;
  useRestoredFocus(tab === "data" ? inData : first[tab], `${editing} ${deleting} ${key}`);
  const notice = planned && <PlannedNotice planned={planned} link={link} />;
  if (link !== null) return notice ? <div className="wrap account">{notice}</div> : <LinkEnded />;
  if (!profile) return <SignInRequired />;
  const { email } = profile;
  return (
    <AccountFrame profile={profile} tab={tab}>
      {notice}
      {tab === "password" && <ChangePasswordForm key={key} email={email} refused={refused} />}
      {tab === "profile" && editing && <ProfileForm profile={profile} refused={refused} />}
      {tab === "profile" && !editing && <Profile profile={profile} />}
      {tab === "data" && (
        <AccountData key={key} {...{ email, refused }} isDeleting={deleting} isPlanned={planned !== null} />
      )}
    </AccountFrame>
  );
}
