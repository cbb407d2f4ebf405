import { Form } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { popover, popoverTrigger } from "~/ui/popover";

/** The signed-in user, as the header shows them. */
export interface ShopUser {
  firstName: string;
  isAdmin: boolean;
}

const MENU = "user-menu";

/** Sign In, or the user's own menu (spec 2, Public layout). */
export function UserMenu({ user }: { user: ShopUser | null }) {
  if (!user) {
    return (
      <Link className="account-link account-link-wide" to="/login">
        Sign In
      </Link>
    );
  }
  return (
    <div className="account-link-wide">
      <button {...popoverTrigger(MENU)} className="account-link account-link-menu">
        <Icon name="user-round" />
        <span className="truncate">{user.firstName || "User"}</span>
        <Icon name="chevron-down" className="i i-small" />
      </button>
      <div {...popover(MENU)} className="dropdown dropdown-user">
        <UserLinks user={user} />
      </div>
    </div>
  );
}

/** What somebody who is signed in can do; in the header's menu and in the side menu. */
export function UserLinks({ user }: { user: ShopUser }) {
  return (
    <ul>
      {user.isAdmin && (
        <li>
          <Link to="/admin">
            <Icon name="layout-dashboard" /> Admin Dashboard
          </Link>
        </li>
      )}
      <li>
        <Link to="/account">
          <Icon name="user-round" /> My Account
        </Link>
      </li>
      <li>
        <Form method="post" action="/logout">
          <button type="submit" data-closes>
            <Icon name="log-out" /> Logout
          </button>
        </Form>
      </li>
    </ul>
  );
}
