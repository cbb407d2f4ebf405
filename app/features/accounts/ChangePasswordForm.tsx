import { Form } from "@remix-run/react";
import { FormError } from "~/ui/FormError";
import { PasswordField } from "~/ui/PasswordField";
import { SubmitButton } from "~/ui/SubmitButton";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useFailureToast } from "~/ui/useFailureToast";
import type { FormFailure } from "./messages";
import { ChangePasswordForm as schema } from "./schema";

interface ChangePasswordFormProps {
  /** Tells password managers whose password it is. */
  email: string;
  refused: FormFailure | undefined;
}

/** Change the password (spec 5, Password change). */
export function ChangePasswordForm({ email, refused }: ChangePasswordFormProps) {
  useFailureToast(refused);
  const form = useCheckedForm({ id: "password", schema, lastResult: refused?.lastResult });
  return (
    <Form method="post" replace className="account-form" {...form.props}>
      <FormError message={form.problem ?? refused?.failure} />
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...form.secret("currentPassword")}
      />
      <PasswordField label="New password" autoComplete="new-password" {...form.secret("newPassword")} />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        {...form.secret("confirmPassword")}
      />
      <div className="form-actions">
        <SubmitButton intent="password" busy="Saving..." className="btn btn-act">
          Change Password
        </SubmitButton>
      </div>
    </Form>
  );
}
