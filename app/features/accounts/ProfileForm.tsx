import { Form, Link } from "@remix-run/react";
import { EmailField } from "~/ui/EmailField";
import { Field } from "~/ui/Field";
import { FormError } from "~/ui/FormError";
import { PasswordField } from "~/ui/PasswordField";
import { SubmitButton } from "~/ui/SubmitButton";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useFailureToast } from "~/ui/useFailureToast";
import type { FormFailure } from "./messages";
import type { ProfileView } from "./Profile";
import { profileForm } from "./schema";

interface ProfileFormProps {
  profile: ProfileView;
  refused: FormFailure | undefined;
}

/** The profile in edit mode; Cancel leads back to what is stored (spec 2, Account). */
export function ProfileForm({ profile, refused }: ProfileFormProps) {
  const { firstName, lastName, email, phoneNumber } = profile;
  useFailureToast(refused);
  const form = useCheckedForm({
    id: "profile",
    schema: profileForm(email),
    lastResult: refused?.lastResult,
    values: { firstName, lastName, email, phoneNumber },
  });
  return (
    <Form method="post" replace className="account-form" {...form.props}>
      <FormError message={form.problem ?? refused?.failure} />
      <div className="field-pair">
        <Field label="First name" autoComplete="given-name" {...form.field("firstName")} />
        <Field label="Last name" autoComplete="family-name" {...form.field("lastName")} />
      </div>
      <Field label="Phone (optional)" type="tel" autoComplete="tel" {...form.field("phoneNumber")} />
      <EmailField {...form.field("email")} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        hint="Needed only if you change your email."
        {...form.secret("currentPassword")}
      />
      <div className="form-actions">
        <SubmitButton intent="profile" busy="Saving..." className="btn btn-act">
          Save Changes
        </SubmitButton>
        <Link className="btn btn-line" to="/account" replace preventScrollReset>
          Cancel
        </Link>
      </div>
    </Form>
  );
}
