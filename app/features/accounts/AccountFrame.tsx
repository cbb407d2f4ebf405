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

/** Name, role and the two tabs of My Account; the tabs are links, so that they work without JavaScript. */
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
        {TABS.map((entry) => (
          <Link
            key={entry.tab}
            to={entry.to}
            replace
            preventScrollReset
            aria-current={entry.tab === tab ? "page" : undefined}
          >
            {entry.title}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
