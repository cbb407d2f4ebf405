import { Form, Link } from "@remix-run/react";
import { Checkbox } from "~/ui/Checkbox";
import { EmailField } from "~/ui/EmailField";
import { FormError } from "~/ui/FormError";
import { PasswordField } from "~/ui/PasswordField";
import { SubmitButton } from "~/ui/SubmitButton";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useFailureToast } from "~/ui/useFailureToast";
import type { FormFailure } from "./messages";
import { SignInInput } from "./schema";

interface SignInFormProps {
  refused: FormFailure | undefined;
  /** Where the visitor was sent here from, if anywhere. */
  redirectTo: string | null;
}

/** Sign in (spec 2). */
export function SignInForm({ refused, redirectTo }: SignInFormProps) {
  useFailureToast(refused);
  const form = useCheckedForm({ id: "login", schema: SignInInput, lastResult: refused?.lastResult });
  return (
    <Form method="post" replace {...form.props}>
      <FormError message={form.problem ?? refused?.failure} />
      <EmailField {...form.field("email")} />
      <PasswordField label="Password" autoComplete="current-password" {...form.secret("password")} />
      <div className="form-split-row">
        <Checkbox {...form.checkbox("rememberMe")}>Remember me</Checkbox>
        <Link className="link" to="/resetPassword">
          Forgot password?
        </Link>
      </div>
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      <SubmitButton intent="signIn" busy="Signing in...">
        Sign In
      </SubmitButton>
    </Form>
  );
}
