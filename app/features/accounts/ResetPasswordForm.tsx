import { Form } from "@remix-run/react";
import { FormError } from "~/ui/FormError";
import { PasswordField } from "~/ui/PasswordField";
import { SubmitButton } from "~/ui/SubmitButton";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useFailureToast } from "~/ui/useFailureToast";
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
