import { Form, useLocation } from "@remix-run/react";
import type { MouseEvent } from "react";
import type { CategoryTile } from "~/features/catalogue/category-tile";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { popoverTrigger } from "~/ui/popover";
import type { ThemeChoice } from "~/ui/ThemeSwitch";
import { CategoryButton, CategoryMenu } from "./CategoryMenu";
import { ShopLogo } from "./ShopLogo";
import { SIDE_MENU, SideMenu } from "./SideMenu";
import { type ShopUser, UserMenu } from "./UserMenu";

interface ShopHeaderProps {
  shopName: string;
  user: ShopUser | null;
  /** Empty where they could not be read: the header stands all the same (spec 2). */
  categories: CategoryTile[];
  /** Items in the cart. */
  itemCount: number;
  theme: ThemeChoice;
  /** Opens the cart in place of its page, where there is a script. */
  onCart: (event: MouseEvent<HTMLAnchorElement>) => void;
  /** Called when the pointer or the focus nears the cart's link. */
  onCartNear: () => void;
}

/** Logo, main links, search, the reader's own menu and the cart; on narrow screens behind a menu button. */
export function ShopHeader({ shopName, user, categories, theme, ...cart }: ShopHeaderProps) {
  const listHasItsOwnSearch = useLocation().pathname === "/shop";
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
            {!listHasItsOwnSearch && <HeaderSearch />}
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

/** Remix's NavLink knows more of what is beneath and on its way than these two need: it weighs 1 kB. */
function MainLink({ to, children }: { to: string; children: string }) {
  const isHere = useLocation().pathname === to;
  return (
    <Link to={to} aria-current={isHere ? "page" : undefined}>
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

type CartButtonProps = Pick<ShopHeaderProps, "itemCount" | "onCart" | "onCartNear">;

function CartButton({ itemCount, onCart, onCartNear }: CartButtonProps) {
  const label = itemCount === 1 ? "Cart, 1 item" : `Cart, ${itemCount} items`;
  return (
    <Link
      className="icon-btn cart-button"
      to="/cart"
      aria-label={label}
      onClick={onCart}
      onPointerEnter={onCartNear}
      onFocus={onCartNear}
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
