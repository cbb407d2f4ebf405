import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AuthLink, AuthPage, SignInForm } from "~/features/accounts/AuthForms";
import accountsCss from "~/features/accounts/accounts.css?url";
import { landingPage, signInByForm } from "~/features/sign-in/operations/sign-in.server";
import { failureMessage, formAction, intent } from "~/http/form-action.server";
import type { ResultOf } from "~/http/operation.server";
import { pageResult } from "~/http/page.server";
import { redirect } from "~/http/redirect.server";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/site";
import type { RefusedForm } from "~/ui/useCheckedForm";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) => pageMeta({ title: "Sign in", hidden: true }, matches);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const redirectTo = new URL(request.url).searchParams.get("redirectTo");
  const user = await pageResult(context.caller.user());
  if (user) throw redirect(landingPage(user, redirectTo, context));
  return json({ redirectTo });
}

export async function action(args: ActionFunctionArgs) {
  const done = ({ user }: ResultOf<ReturnType<typeof signInByForm>>, form: Record<string, unknown>) => ({
    to: landingPage(user, form.redirectTo, args.context),
    toast: "Login successful!",
  });
  return formAction(args, {
    signIn: intent(signInByForm(args.request), {
      done,
      failed: failureMessage("Login failed! "),
    }),
  });
}

export const clientAction = retryingAction((_, reason) => `Login failed! ${reason}`);

export default function Login() {
  const { redirectTo } = useLoaderData<typeof loader>();
  const refused = useActionData<RefusedForm>();
  const signUpLink = (
    <AuthLink question="New here?" to="/signup">
      Create an account
    </AuthLink>
  );
  return (
    <AuthPage title="Welcome Back" foot={signUpLink}>
      <SignInForm refused={refused} redirectTo={redirectTo} />
    </AuthPage>
  );
}
