import { Form, Link } from "@remix-run/react";
import { EmailField, Field, FormError, PasswordField } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFailureToast } from "~/ui/Toasts";
import { type FormFailure, useCheckedForm } from "~/ui/useCheckedForm";
import { profileForm } from "./schema";

/** Id of the link to edit mode. */
export const EDIT_LINK = "edit-profile";

/** Profile data of /account. */
export interface ProfileView {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  role: string;
  /** Month and year, in the shop's time zone. */
  memberSince: string;
}

/** Profile in view mode. */
export function Profile({ profile }: { profile: ProfileView }) {
  const rows = [
    ["First name", profile.firstName],
    ["Last name", profile.lastName],
    ["Email", profile.email],
    ["Phone", profile.phoneNumber || "Not given"],
    ["Role", profile.role],
    ["With us since", profile.memberSince],
  ];
  return (
    <>
      <dl className="profile">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Link id={EDIT_LINK} className="btn btn-line" to="/account?edit=1" replace preventScrollReset>
        <Icon name="pencil" />
        Edit Profile
      </Link>
    </>
  );
}

interface ProfileFormProps {
  profile: ProfileView;
  rejection: FormFailure | undefined;
}

/** Profile in edit mode; Cancel leads back to the stored values. */
export function ProfileForm({ profile, rejection }: ProfileFormProps) {
  const { firstName, lastName, email, phoneNumber } = profile;
  useFailureToast(rejection);
  const form = useCheckedForm({
    id: "profile",
    schema: profileForm(email),
    lastResult: rejection?.lastResult,
    values: { firstName, lastName, email, phoneNumber },
  });
  return (
    <Form method="post" replace className="account-form" {...form.props}>
      <FormError message={form.problem ?? rejection?.failure} />
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
