import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import accountsCss from "~/features/accounts/accounts.css?url";
import { Door, DoorLink } from "~/features/accounts/Door";
import { signUpByForm } from "~/features/accounts/operations.server";
import { type Refused, refusalText } from "~/features/accounts/refusals";
import { SignUpForm } from "~/features/accounts/SignUpForm";
import { formAction, intent } from "~/http/form-action.server";
import { pageMeta } from "~/ui/seo";
import { steadyAction } from "~/ui/steady-action";

export { shouldRevalidate } from "~/ui/steady-action";

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

export const clientAction = steadyAction((_, why) => `Signup failed! ${why}`);

export default function SignUp() {
  const refused = useActionData<Refused>();
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
