import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { Door, DoorLink } from "~/features/accounts/AuthPage";
import accountsCss from "~/features/accounts/accounts.css?url";
import { type FormFailure, refusalText } from "~/features/accounts/messages";
import { signUpByForm } from "~/features/accounts/operations.server";
import { SignUpForm } from "~/features/accounts/SignUpForm";
import { formAction, intent } from "~/http/form-action.server";
import { retryingAction } from "~/ui/retrying-action";
import { pageMeta } from "~/ui/seo";

export { shouldRevalidate } from "~/ui/retrying-action";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: accountsCss }];

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: "Create account", path: "/signup", hidden: true }, matches);

export async function loader({ context }: LoaderFunctionArgs) {
  if (await context.caller.user()) throw redirect("/");
  return json(null);
}

export async function action(args: ActionFunctionArgs) {
  return formAction(args, {
    signUp: intent(signUpByForm, {
      done: () => ({ to: "/", toast: "Account created successfully!" }),
      failed: refusalText("Signup failed! "),
    }),
  });
}

export const clientAction = retryingAction((_, why) => `Signup failed! ${why}`);

export default function SignUp() {
  const refused = useActionData<FormFailure>();
  const known = (
    <DoorLink question="Already have an account?" to="/login">
      Sign in
    </DoorLink>
  );
  return (
    <Door title="Create Account" foot={known}>
      <SignUpForm refused={refused} />
    </Door>
  );
}
