import { Form } from "@remix-run/react";
import { FormError, PasswordField } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { type FormFailure, useCheckedForm } from "~/ui/useCheckedForm";
import { ChangePasswordForm as schema } from "./schema";

interface ChangePasswordFormProps {
  /** Hidden username for password managers. */
  email: string;
  rejection: FormFailure | undefined;
}

/** Form that changes the own password. */
export function ChangePasswordForm({ email, rejection }: ChangePasswordFormProps) {
  useFailureToast(rejection);
  const form = useCheckedForm({ id: "password", schema, lastResult: rejection?.lastResult });
  return (
    <Form method="post" replace className="account-form" {...form.props}>
      <FormError message={form.problem ?? rejection?.failure} />
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
