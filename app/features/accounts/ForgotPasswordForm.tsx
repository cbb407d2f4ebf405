import { Form } from "@remix-run/react";
import { EmailField } from "~/ui/Field";
import { FormError } from "~/ui/FormError";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { useCheckedForm } from "~/ui/useCheckedForm";
import type { FormFailure } from "./messages";
import { ForgotPasswordInput } from "./schema";

/** Ask for a reset link (spec 2, Forgot password). */
export function ForgotPasswordForm({ refused }: { refused: FormFailure | undefined }) {
  useFailureToast(refused);
  const form = useCheckedForm({ id: "forgot", schema: ForgotPasswordInput, lastResult: refused?.lastResult });
  return (
    <Form method="post" action="/resetPassword" {...form.props}>
      <FormError message={form.problem ?? refused?.failure} />
      <EmailField {...form.field("email")} />
      <SubmitButton intent="forgot" busy="Sending...">
        Send Reset Link
      </SubmitButton>
    </Form>
  );
}
