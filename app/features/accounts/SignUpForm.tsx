import { Form, Link } from "@remix-run/react";
import { Checkbox, EmailField, Field, FormError, PasswordField } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { type FormFailure, useCheckedForm } from "~/ui/useCheckedForm";
import { SignUpForm as schema } from "./schema";

/** Keeps phone keyboards from correcting a username. */
const NO_AUTOCORRECT = { autoCapitalize: "none", spellCheck: false };

/** Form of /signup. */
export function SignUpForm({ rejection }: { rejection: FormFailure | undefined }) {
  useFailureToast(rejection);
  const form = useCheckedForm({ id: "signup", schema, lastResult: rejection?.lastResult });
  return (
    <Form method="post" replace {...form.props}>
      <FormError message={form.problem ?? rejection?.failure} />
      <div className="field-pair">
        <Field label="First name" autoComplete="given-name" {...form.field("firstName")} />
        <Field label="Last name" autoComplete="family-name" {...form.field("lastName")} />
      </div>
      <Field label="Username" autoComplete="username" {...NO_AUTOCORRECT} {...form.field("username")} />
      <EmailField {...form.field("email")} />
      <Field label="Phone" type="tel" autoComplete="tel-national" {...form.field("phone")} />
      <PasswordField label="Password" autoComplete="new-password" {...form.secret("password")} />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        {...form.secret("confirmPassword")}
      />
      <Checkbox {...form.checkbox("agreeToTerms")}>
        <Agreement />
      </Checkbox>
      <SubmitButton intent="signUp" busy="Creating account...">
        Create Account
      </SubmitButton>
    </Form>
  );
}

function Agreement() {
  return (
    <>
      I agree to the{" "}
      <Link className="link" to="/terms">
        Terms and Conditions
      </Link>{" "}
      and the{" "}
      <Link className="link" to="/privacy">
        Privacy Policy
      </Link>
    </>
  );
}
