import { Form } from "@remix-run/react";
import { EmailField, FormError, PasswordField } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { type FormFailure, useCheckedForm } from "~/ui/useCheckedForm";
import { ForgotPasswordInput, ResetPasswordInput } from "./schema";

interface ResetPasswordFormProps {
  /** From the link in the mail. */
  token: string;
  rejection: FormFailure | undefined;
}

/** Form that sets a new password by a valid reset link. */
export function ResetPasswordForm({ token, rejection }: ResetPasswordFormProps) {
  useFailureToast(rejection);
  const form = useCheckedForm({ id: "reset", schema: ResetPasswordInput, lastResult: rejection?.lastResult });
  return (
    <Form method="post" replace {...form.props}>
      <FormError message={form.problem ?? rejection?.failure} />
      <input type="hidden" name="token" value={token} />
      <PasswordField label="New password" autoComplete="new-password" {...form.secret("password")} />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        {...form.secret("confirmPassword")}
      />
      <SubmitButton intent="reset" busy="Saving...">
        Set New Password
      </SubmitButton>
    </Form>
  );
}

/** Form that requests a reset link. */
export function ForgotPasswordForm({ rejection }: { rejection: FormFailure | undefined }) {
  useFailureToast(rejection);
  const form = useCheckedForm({
    id: "forgot",
    schema: ForgotPasswordInput,
    lastResult: rejection?.lastResult,
  });
  return (
    <Form method="post" action="/resetPassword" {...form.props}>
      <FormError message={form.problem ?? rejection?.failure} />
      <EmailField {...form.field("email")} />
      <SubmitButton intent="forgot" busy="Sending...">
        Send Reset Link
      </SubmitButton>
    </Form>
  );
}
