import { Form } from "@remix-run/react";
import { ChevronDown, LayoutDashboard, LogOut, UserRound } from "lucide-react";
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
        <UserRound className="i" aria-hidden="true" />
        <span className="truncate">{user.firstName || "User"}</span>
        <ChevronDown className="i i-small" aria-hidden="true" />
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
            <LayoutDashboard className="i" aria-hidden="true" /> Admin Dashboard
          </Link>
        </li>
      )}
      <li>
        <Link to="/account">
          <UserRound className="i" aria-hidden="true" /> My Account
        </Link>
      </li>
      <li>
        <Form method="post" action="/logout">
          <button type="submit" data-closes>
            <LogOut className="i" aria-hidden="true" /> Logout
          </button>
        </Form>
      </li>
    </ul>
  );
}
