import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { AuthLink, AuthPage, SignUpForm } from "~/features/accounts/AuthForms";
import accountsCss from "~/features/accounts/accounts.css?url";
import { landingPage, signUpByForm } from "~/features/sign-in/operations/sign-in.server";
import { failureMessage, formAction, intent } from "~/http/form-action.server";
import { pageResult } from "~/http/page.server";
import { redirect } from "~/http/redirect.server";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/site";
import type { RefusedForm } from "~/ui/useCheckedForm";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: "Create account", hidden: true }, matches);

export async function loader({ context }: LoaderFunctionArgs) {
  const user = await pageResult(context.caller.user());
  if (user) throw redirect(landingPage(user, null, context));
  return json(null);
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, {
    signUp: intent(signUpByForm, {
      done: () => ({ to: "/", toast: "Account created successfully!" }),
      failed: failureMessage("Signup failed! "),
    }),
  });
}

export const clientAction = retryingAction((_, reason) => `Signup failed! ${reason}`);

export default function SignUp() {
  const refused = useActionData<RefusedForm>();
  const signInLink = (
    <AuthLink question="Already have an account?" to="/login">
      Sign in
    </AuthLink>
  );
  return (
    <AuthPage title="Create Account" foot={signInLink}>
      <SignUpForm refused={refused} />
    </AuthPage>
  );
}
