import { Form } from "@remix-run/react";
import { PasswordField } from "~/ui/Field";
import { FormError } from "~/ui/FormError";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { useCheckedForm } from "~/ui/useCheckedForm";
import type { FormFailure } from "./messages";
import { ResetPasswordInput } from "./schema";

interface ResetPasswordFormProps {
  /** From the link in the mail. */
  token: string;
  refused: FormFailure | undefined;
}

/** Set a new password by a link that is still good (contract: Reset screen). */
export function ResetPasswordForm({ token, refused }: ResetPasswordFormProps) {
  useFailureToast(refused);
  const form = useCheckedForm({ id: "reset", schema: ResetPasswordInput, lastResult: refused?.lastResult });
  return (
    <Form method="post" replace {...form.props}>
      <FormError message={form.problem ?? refused?.failure} />
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
