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
import { FactorPanel } from "~/features/accounts/factor/FactorPanel";
import { FACTOR_FORMS, type NewCodes, readFactorPage } from "~/features/accounts/factor/page.server";
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
import { readPlanned, readPlannedByLink } from "~/features/privacy/deletion.server";
import {
  cancelDeletionByLink,
  cancelOwnDeletion,
  planOwnDeletion,
  requestDownload,
} from "~/features/privacy/operations.server";
import { failureMessage, formAction, intent } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { useRestoredFocus } from "~/ui/hooks";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/site";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) => pageMeta({ title: "My Account", hidden: true }, matches);

export async function loader({ request, context }: LoaderFunctionArgs) {
  return json(await pageResult(readAccount(context, new URL(request.url).searchParams)));
}

/** Reads the tab that the address names. */
async function readAccount(context: RequestContext, searchParams: URLSearchParams) {
  const user = await context.caller.user();
  const link = searchParams.get("keep");
  const tab = ACCOUNT_TABS.find((name) => name === searchParams.get("tab")) ?? "profile";
  const [factor, planned] = await Promise.all([
    user && tab === "factor" ? readFactorPage(context, user) : null,
    link === null ? readPlanned(context, user?.id) : readPlannedByLink(context, link),
  ]);
  return {
    profile: user && profileView(user, context.settings.timezone),
    ...{ factor, tab, link },
    planned: planned ?? null,
    isValidLink: planned !== undefined,
    ...{ editing: searchParams.has("edit"), deleting: searchParams.has("delete") },
  };
}
type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

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
  ...FACTOR_FORMS,
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
  const loaded = useLoaderData<typeof loader>();
  const { profile, tab, link, planned, isValidLink } = loaded;
  const reply = useActionData<RefusedForm | { lastResult: null; page?: NewCodes }>();
  const refused = reply?.lastResult ? (reply as RefusedForm) : undefined;
  const key = useFormKey(refused);
  useRestoredFocus(firstControl(loaded, refused), `${loaded.editing} ${loaded.deleting} ${key}`);
  const notice = planned && <PlannedNotice planned={planned} link={link} />;
  if (link !== null)
    return notice ? <div className="wrap account">{notice}</div> : <LinkEnded isValid={isValidLink} />;
  if (!profile) return <SignInRequired />;
  const codes = reply && "page" in reply ? (reply.page?.codes ?? null) : null;
  return (
    <AccountFrame profile={profile} tab={tab}>
      {notice}
      <TabContent key={key} loaded={loaded} profile={profile} refused={refused} codes={codes} />
    </AccountFrame>
  );
}

/** Names the control that has the focus when a tab opens or its form was refused. */
function firstControl({ tab, editing, deleting, planned, factor }: Loaded, refused?: RefusedForm): string {
  if (tab === "profile") return editing ? "profile-firstName" : EDIT_LINK_ID;
  if (tab === "password") return "password-currentPassword";
  if (tab === "factor") return factor?.setUp ? "factor-code" : "factor-currentPassword";
  if (deleting && !planned) return "delete-currentPassword";
  return deleting || planned || refused ? "download-currentPassword" : DELETE_LINK_ID;
}

interface TabContentProps {
  loaded: Loaded;
  profile: NonNullable<Loaded["profile"]>;
  refused: RefusedForm | undefined;
  codes: string[] | null;
}

function TabContent({ loaded, profile, refused, codes }: TabContentProps) {
  const { tab, factor, editing, deleting, planned } = loaded;
  const form = { email: profile.email, refused };
  if (tab === "password") return <ChangePasswordForm {...form} />;
  if (tab === "factor") return factor && <FactorPanel page={factor} codes={codes} {...form} />;
  if (tab === "data") return <AccountData {...form} isDeleting={deleting} isPlanned={planned !== null} />;
  return editing ? <ProfileForm profile={profile} refused={refused} /> : <Profile profile={profile} />;
}
