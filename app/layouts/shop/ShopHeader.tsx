import { Form, useLocation } from "@remix-run/react";
import type { MouseEvent } from "react";
import { type CategoryTile, categoryName, categoryUrl } from "~/features/catalogue/categories";
import { Icon, Logo } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { Picture } from "~/ui/Picture";
import { popover, popoverClose, popoverTrigger } from "~/ui/popover";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";

interface ShopHeaderProps {
  shopName: string;
  user: ShopUser | null;
  /** Empty when reading them failed. */
  categories: CategoryTile[];
  itemCount: number;
  theme: ThemeChoice;
  onCart: (event: MouseEvent<HTMLAnchorElement>) => void;
  onCartApproach: () => void;
}

/** Header of the shop: logo, links, search, user menu and cart; partly behind a menu button on narrow screens. */
export function ShopHeader({ shopName, user, categories, theme, ...cart }: ShopHeaderProps) {
  const hasPageSearch = useLocation().pathname === "/shop";
  return (
    <>
      <header className="shop-header">
        <div className="wrap">
          <button {...popoverTrigger(SIDE_MENU)} className="icon-btn only-small" aria-label="Menu">
            <Icon name="menu" />
          </button>
          <ShopLogo name={shopName} />
          <nav className="shop-nav" aria-label="Main">
            <MainLink to="/">Home</MainLink>
            <MainLink to="/shop">Shop</MainLink>
            {categories.length > 0 && <CategoryButton />}
          </nav>
          <div className="shop-header-end">
            {!hasPageSearch && <HeaderSearch />}
            <UserMenu user={user} />
            <Link className="icon-btn only-small" to="/shop#search" aria-label="Search">
              <Icon name="search" />
            </Link>
            <CartButton {...cart} />
          </div>
        </div>
      </header>
      <CategoryMenu categories={categories} />
      <SideMenu shopName={shopName} user={user} categories={categories} theme={theme} />
    </>
  );
}

/** Link that marks the current page; Remix's NavLink would add 1 kB of code. */
function MainLink({ to, children }: { to: string; children: string }) {
  const isCurrent = useLocation().pathname === to;
  return (
    <Link to={to} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </Link>
  );
}

function HeaderSearch() {
  return (
    <Form role="search" action="/shop" className="with-icon">
      <Icon name="search" />
      <input
        className="input"
        type="search"
        name="search"
        placeholder="Search the shop"
        aria-label="Search the shop"
      />
    </Form>
  );
}

type CartButtonProps = Pick<ShopHeaderProps, "itemCount" | "onCart" | "onCartApproach">;

function CartButton({ itemCount, onCart, onCartApproach }: CartButtonProps) {
  const label = itemCount === 1 ? "Cart, 1 item" : `Cart, ${itemCount} items`;
  return (
    <Link
      className="icon-btn cart-button"
      to="/cart"
      aria-label={label}
      onClick={onCart}
      onPointerEnter={onCartApproach}
      onFocus={onCartApproach}
    >
      <Icon name="shopping-bag" />
      {itemCount > 0 && (
        <span className="cart-count" aria-hidden="true">
          {itemCount > 99 ? "99+" : itemCount}
        </span>
      )}
    </Link>
  );
}

const CATEGORY_MENU = "categories";

function CategoryButton() {
  return (
    <button {...popoverTrigger(CATEGORY_MENU)} className="shop-nav-categories">
      Categories <Icon name="chevron-down" />
    </button>
  );
}

function CategoryMenu({ categories }: { categories: CategoryTile[] }) {
  return (
    <div {...popover(CATEGORY_MENU)} className="dropdown dropdown-categories">
      <ul>
        {categories.map(({ category, image }) => (
          <li key={category}>
            <Link to={categoryUrl(category)}>
              <Picture image={image} alt="" sizes="44px" width={44} />
              {categoryName(category)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function ShopLogo({ name }: { name: string }) {
  return (
    <Link className="logo" to="/">
      <Logo />
      {name}
    </Link>
  );
}

interface ShopUser {
  firstName: string;
  isAdmin: boolean;
}

const MENU = "user-menu";

/** Link to sign in, or the user's menu. */
function UserMenu({ user }: { user: ShopUser | null }) {
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
function UserLinks({ user }: { user: ShopUser }) {
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
        <Link to="/chat?all">
          <Icon name="message-circle" /> My conversations
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

/** Id of the menu, which the header's button opens. */
const SIDE_MENU = "side";

interface SideMenuProps {
  shopName: string;
  user: ShopUser | null;
  categories: CategoryTile[];
  theme: ThemeChoice;
}

/** Menu on narrow screens. */
function SideMenu({ shopName, user, categories, theme }: SideMenuProps) {
  return (
    <div {...popover(SIDE_MENU)} className="side-menu">
      <div className="side-menu-head">
        <ShopLogo name={shopName} />
        <button {...popoverClose(SIDE_MENU)} className="icon-btn" aria-label="Close menu">
          <Icon name="x" />
        </button>
      </div>
      <nav aria-label="Mobile">
        <Link to="/">Home</Link>
        <Link to="/shop">Shop</Link>
        {!user && <Link to="/login">Sign In</Link>}
        {user && (
          <>
            <h2>{user.firstName || "User"}</h2>
            <UserLinks user={user} />
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
