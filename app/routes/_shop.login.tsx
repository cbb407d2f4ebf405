import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AuthLink, AuthPage, SignInCodeForm, SignInForm } from "~/features/accounts/AuthForms";
import accountsCss from "~/features/accounts/accounts.css?url";
import {
  awaitsCode,
  confirmSignIn,
  landingPage,
  signInByForm,
} from "~/features/sign-in/operations/sign-in.server";
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
  const { searchParams } = new URL(request.url);
  const redirectTo = searchParams.get("redirectTo");
  const user = await pageResult(context.caller.user());
  if (user) throw redirect(landingPage(user, redirectTo, context));
  return json({ redirectTo, asksCode: searchParams.has("code") && (await pageResult(awaitsCode(context))) });
}

/** Builds the address of the page, which leads on to another one. */
function loginUrl(redirectTo: unknown, parameters: Record<string, string> = {}): string {
  const search = new URLSearchParams(parameters);
  if (typeof redirectTo === "string" && redirectTo !== "") search.set("redirectTo", redirectTo);
  return search.size > 0 ? `/login?${search}` : "/login";
}

export async function action(args: ActionFunctionArgs) {
  const done = (signedIn: ResultOf<typeof confirmSignIn>, form: Record<string, unknown>) => ({
    to: landingPage(signedIn.user, form.redirectTo, args.context),
    toast: "Login successful!",
  });
  return formAction(args, {
    signIn: intent(signInByForm(args.request), {
      done: (signedIn, form) =>
        signedIn ? done(signedIn, form) : { to: loginUrl(form.redirectTo, { code: "1" }) },
      failed: failureMessage("Login failed! "),
    }),
    code: intent(confirmSignIn, { done, failed: failureMessage("Login failed! ") }),
  });
}

export const clientAction = retryingAction((_, reason) => `Login failed! ${reason}`);

export default function Login() {
  const { redirectTo, asksCode } = useLoaderData<typeof loader>();
  const refused = useActionData<RefusedForm>();
  const signUpLink = (
    <AuthLink question="New here?" to="/signup">
      Create an account
    </AuthLink>
  );
  if (asksCode) {
    const again = (
      <AuthLink question="Somebody else?" to={loginUrl(redirectTo)}>
        Start again
      </AuthLink>
    );
    return (
      <AuthPage title="One More Step" foot={again}>
        <SignInCodeForm refused={refused} redirectTo={redirectTo} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Welcome Back" foot={signUpLink}>
      <SignInForm refused={refused} redirectTo={redirectTo} />
    </AuthPage>
  );
}
