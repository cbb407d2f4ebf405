import type { CategoryTile } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { categoryUrl } from "~/features/catalogue/urls";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Form, Link } from "~/ui/navigation";
import { popover, popoverClose, popoverSheet, popoverTrigger } from "~/ui/popover";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { ShopLogo } from "./ShopHeader";

export interface ShopUser {
  firstName: string;
  isAdmin: boolean;
}

const MENU = "user-menu";

export const answerCount = (answers: number) => `${answers} new ${answers === 1 ? "answer" : "answers"}`;

/** Number at a button, up to 99+: of pieces in the cart, or of unread answers. */
export function CountBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="count-badge" aria-hidden="true">
      {count > 99 ? "99+" : count}
    </span>
  );
}

/** Link to the reader's conversations, with the number of unread answers. */
export function ConversationsLink({ className, answers }: { className?: string; answers: number }) {
  const name = "My conversations";
  return (
    <Link
      className={className}
      to="/chat"
      aria-label={answers > 0 ? `${name}, ${answerCount(answers)}` : name}
    >
      <Icon name="message-circle" />
      {!className && name}
      <CountBadge count={answers} />
    </Link>
  );
}

/** Link to sign in, or the user's menu. */
export function UserMenu({ user, answers }: { user: ShopUser | null; answers: number }) {
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
        <UserLinks user={user} answers={answers} />
      </div>
    </div>
  );
}

/** Links of a signed-in user, for both menus. */
function UserLinks({ user, answers }: { user: ShopUser; answers: number }) {
  return (
    <ul>
      {user.isAdmin && <MenuLink to="/admin" icon="layout-dashboard" name="Admin Dashboard" />}
      <MenuLink to="/account" icon="user-round" name="My Account" />
      <li>
        <ConversationsLink answers={answers} />
      </li>
      <MenuLink to="/purchases" icon="receipt-text" name="My purchases" />
      <li>
        <Form method="post" action="/logout" reloadDocument>
          <button type="submit" data-closes>
            <Icon name="log-out" /> Logout
          </button>
        </Form>
      </li>
    </ul>
  );
}

function MenuLink({ to, icon, name }: { to: string; icon: IconName; name: string }) {
  return (
    <li>
      <Link to={to}>
        <Icon name={icon} /> {name}
      </Link>
    </li>
  );
}

/** Id of the menu, which the header's button opens. */
export const SIDE_MENU = "side";

interface SideMenuProps {
  user: ShopUser | null;
  answers: number;
  hasChats: boolean;
  categories: CategoryTile[];
  favourites: number;
  theme: ThemeChoice;
}

/** Menu on narrow screens. */
export function SideMenu(props: SideMenuProps) {
  const { user, answers, hasChats, categories, favourites, theme } = props;
  return (
    <div {...popoverSheet(SIDE_MENU)} className="side-menu">
      <div className="side-menu-head">
        <ShopLogo />
        <button {...popoverClose(SIDE_MENU)} className="icon-btn" aria-label="Close menu">
          <Icon name="x" />
        </button>
      </div>
      <nav aria-label="Mobile">
        <Link to="/">Home</Link>
        <Link to="/shop">Shop</Link>
        <Link to="/favourites">
          Favourites {favourites > 0 && <span className="soft num">{favourites}</span>}
        </Link>
        {!user && <Link to="/login">Sign In</Link>}
        {!user && hasChats && <ConversationsLink answers={answers} />}
        {user && (
          <>
            <h2>{user.firstName || "User"}</h2>
            <UserLinks user={user} answers={answers} />
          </>
        )}
        {categories.length > 0 && <h2>Categories</h2>}
        {categories.map(({ category, products }) => (
          <Link key={category} to={categoryUrl(category)}>
            {categoryName(category)} <span className="soft num">{products}</span>
          </Link>
        ))}
      </nav>
      <ThemeSwitch theme={theme} />
    </div>
  );
}
