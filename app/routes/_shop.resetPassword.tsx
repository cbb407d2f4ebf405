import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import {
  AcceptInvitationForm,
  AuthLink,
  AuthPage,
  ForgotPasswordForm,
  ResetPasswordForm,
} from "~/features/accounts/AuthForms";
import accountsCss from "~/features/accounts/accounts.css?url";
import {
  acceptByLink,
  type InvitationPage,
  readInvitation,
} from "~/features/accounts/operations/invitations.server";
import { forgotPassword, resetLinkError, resetPassword } from "~/features/sign-in/operations/reset.server";
import { failureMessage, formAction, intent } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { FormError } from "~/ui/Field";
import { useRestoredFocus } from "~/ui/hooks";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/site";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: "Reset your password", hidden: true }, matches);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const [token, invitation] = [searchParams.get("token"), searchParams.get("invitation")];
  const invited = invitation === null ? null : await pageResult(readInvitation(context, invitation));
  const linkError = token ? await pageResult(resetLinkError(context, token)) : null;
  return json({ token: invitation ?? token, invited, linkError });
}

const RESET_MAIL_FAILED = "Failed to send reset email";

export async function action(args: ActionFunctionArgs) {
  return formAction(args, {
    forgot: intent(forgotPassword, {
      done: ({ message }) => ({ to: "/resetPassword", toast: message }),
      failed: failureMessage("", RESET_MAIL_FAILED),
    }),
    accept: intent(acceptByLink, {
      done: ({ message }) => ({ to: "/login", toast: message }),
      failed: failureMessage(""),
    }),
    reset: intent(resetPassword, { done: ({ message }) => ({ to: "/login", toast: message }) }),
  });
}

export const clientAction = retryingAction((intent, reason) =>
  intent === "forgot" ? `${RESET_MAIL_FAILED}: ${reason}` : `Failed to reset password: ${reason}`,
);

export default function ResetPassword() {
  const { token, invited, linkError } = useLoaderData<typeof loader>();
  const refused = useActionData<RefusedForm>();
  const key = useFormKey(refused);
  useRestoredFocus("forgot-email", key);
  const signInLink = (
    <AuthLink question="Remembered it?" to="/login">
      Sign in
    </AuthLink>
  );
  if (invited) return <Invitation token={token ?? ""} invited={invited} refused={refused} />;
  if (token && !linkError) {
    return (
      <AuthPage title="New Password" foot={signInLink}>
        <ResetPasswordForm token={token} refused={refused} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Forgot Password" foot={signInLink}>
      {linkError ? <FormError message={linkError} /> : null}
      <p className="lead">Tell us your email address, and we’ll send you a link to set a new password.</p>
      <ForgotPasswordForm key={key} refused={linkError ? undefined : refused} />
    </AuthPage>
  );
}

interface InvitationProps {
  token: string;
  invited: InvitationPage;
  refused: RefusedForm | undefined;
}

/** Page that a mailed invitation opens. */
function Invitation({ token, invited, refused }: InvitationProps) {
  const signIn = (
    <AuthLink question="Have a password?" to="/login">
      Sign in
    </AuthLink>
  );
  return (
    <AuthPage title="You Are Invited" foot={signIn}>
      {"problem" in invited ? (
        <FormError message={invited.problem} />
      ) : (
        <AcceptInvitationForm token={token} invited={invited} refused={refused} />
      )}
    </AuthPage>
  );
}
