import { Form } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { popover, popoverTrigger } from "~/ui/popover";

/** Signed-in user in the header. */
export interface ShopUser {
  firstName: string;
  isAdmin: boolean;
}

const MENU = "user-menu";

/** Link to sign in, or the user's menu. */
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

/** Links of a signed-in user, for both menus. */
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
