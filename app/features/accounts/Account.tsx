import type { ReactNode } from "react";
import { EmailField, Field, PasswordField } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { CheckedForm, CurrentPassword } from "./AuthForms";
import { FACTOR_PATH } from "./factor/schema";
import { ChangePasswordForm as ChangePasswordSchema, profileForm } from "./schema";
import type { ProfileView } from "./user-view.server";

export const ACCOUNT_TABS = ["profile", "password", "factor", "data"] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

const TABS: { tab: AccountTab; to: string; title: string }[] = [
  { tab: "profile", to: "/account", title: "Profile Information" },
  { tab: "password", to: "/account?tab=password", title: "Change Password" },
  { tab: "factor", to: FACTOR_PATH, title: "Second Factor" },
  { tab: "data", to: "/account?tab=data", title: "Your Data" },
];

interface AccountFrameProps {
  profile: ProfileView;
  tab: AccountTab;
  children: ReactNode;
}

/** Frame of My Account: name, role and tabs, which are links so that they work without JavaScript. */
export function AccountFrame({ profile, tab, children }: AccountFrameProps) {
  const { firstName, lastName, role } = profile;
  const tabs = TABS.filter(({ tab: name }) => name !== "factor" || role !== "User");
  return (
    <div className="wrap account">
      <header className="account-head">
        <span className="initials" aria-hidden="true">
          {[...firstName].slice(0, 1)}
          {[...lastName].slice(0, 1)}
        </span>
        <h1>
          {firstName} {lastName}
        </h1>
        {role !== "User" && <p className="badge badge-line">{role}</p>}
      </header>
      <nav className="account-tabs" aria-label="My Account">
        {tabs.map(({ tab: name, to, title }) => (
          <Link
            key={name}
            to={to}
            replace
            preventScrollReset
            aria-current={name === tab ? "page" : undefined}
          >
            {title}
          </Link>
        ))}
        <Link to="/purchases">My purchases</Link>
      </nav>
      {children}
    </div>
  );
}

/** Page /account for visitors who are not signed in. */
export function SignInRequired() {
  return (
    <div className="wrap account">
      <h1>My Account</h1>
      <p className="lead">Please log in to view your account information.</p>
      <div className="form-actions">
        <Link className="btn btn-act" to="/login">
          Sign In
        </Link>
        <Link className="btn btn-line" to="/signup">
          Create Account
        </Link>
      </div>
    </div>
  );
}

export const EDIT_LINK_ID = "edit-profile";

export function Profile({ profile }: { profile: ProfileView }) {
  const rows = [
    ["First name", profile.firstName],
    ["Last name", profile.lastName],
    ["Phone", profile.phoneNumber || "Not given"],
    ["Email", profile.email],
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
      <Link id={EDIT_LINK_ID} className="btn btn-line" to="/account?edit=1" replace preventScrollReset>
        <Icon name="pencil" />
        Edit Profile
      </Link>
    </>
  );
}

interface ProfileFormProps {
  profile: ProfileView;
  refused: RefusedForm | undefined;
}

/** Profile in edit mode; Cancel leads back to the stored values. */
export function ProfileForm({ profile, refused }: ProfileFormProps) {
  const { firstName, lastName, email, phoneNumber } = profile;
  return (
    <CheckedForm
      id="profile"
      schema={profileForm(profile)}
      refused={refused}
      values={{ firstName, lastName, email, phoneNumber }}
      replace
      className="account-form"
    >
      {(form) => (
        <>
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
        </>
      )}
    </CheckedForm>
  );
}

interface ChangePasswordFormProps {
  /** Account's address. */
  email: string;
  refused: RefusedForm | undefined;
}

export function ChangePasswordForm({ email, refused }: ChangePasswordFormProps) {
  return (
    <CheckedForm
      id="password"
      schema={ChangePasswordSchema}
      refused={refused}
      replace
      className="account-form"
    >
      {(form) => (
        <>
          <CurrentPassword email={email} label="Current password" {...form.secret("currentPassword")} />
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
        </>
      )}
    </CheckedForm>
  );
}
