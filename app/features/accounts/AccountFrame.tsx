import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { ProfileView } from "./Profile";

export type AccountTab = "profile" | "password";

const TABS: { tab: AccountTab; to: string; title: string }[] = [
  { tab: "profile", to: "/account", title: "Profile Information" },
  { tab: "password", to: "/account?tab=password", title: "Change Password" },
];

interface AccountFrameProps {
  profile: ProfileView;
  tab: AccountTab;
  children: ReactNode;
}

/** Frame of My Account: name, role and two tabs, which are links so that they work without JavaScript. */
export function AccountFrame({ profile, tab, children }: AccountFrameProps) {
  const { firstName, lastName, role } = profile;
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
        <p className="badge badge-line">{role}</p>
      </header>
      <nav className="account-tabs" aria-label="My Account">
        {TABS.map(({ tab: name, to, title }) => (
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
