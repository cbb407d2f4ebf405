import { Form, Link } from "@remix-run/react";
import { Checkbox, EmailField, FormError, PasswordField } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { type FormFailure, useCheckedForm } from "~/ui/useCheckedForm";
import { SignInInput } from "./schema";

interface SignInFormProps {
  rejection: FormFailure | undefined;
  /** Path that sent the visitor to sign in. */
  redirectTo: string | null;
}

/** Form of /login. */
export function SignInForm({ rejection, redirectTo }: SignInFormProps) {
  useFailureToast(rejection);
  const form = useCheckedForm({ id: "login", schema: SignInInput, lastResult: rejection?.lastResult });
  return (
    <Form method="post" replace {...form.props}>
      <FormError message={form.problem ?? rejection?.failure} />
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
