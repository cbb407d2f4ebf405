import { useLocation } from "@remix-run/react";
import type { MouseEvent } from "react";
import type { CategoryTile } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { itemCountLabel } from "~/features/cart/CartDrawer";
import { SearchField } from "~/features/catalogue/SearchField";
import { categoryUrl } from "~/features/catalogue/urls";
import { Icon, Logo } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { popover, popoverTrigger } from "~/ui/popover";
import { useSite } from "~/ui/site";
import type { ThemeChoice } from "~/ui/ThemeSwitch";
import {
  answerCount,
  ConversationsLink,
  CountBadge,
  type ShopUser,
  SIDE_MENU,
  SideMenu,
  UserMenu,
} from "./ShopMenus";

interface ShopHeaderProps {
  user: ShopUser | null;
  /** Unread answers in the reader's conversations. */
  answers: number;
  /** The reader has conversations. */
  hasChats: boolean;
  /** Empty when reading them failed. */
  categories: CategoryTile[];
  favourites: number;
  itemCount: number;
  theme: ThemeChoice;
  onCart: (event: MouseEvent<HTMLAnchorElement>) => void;
  onCartApproach: () => void;
}

/** Header of the shop: logo, links, search, user menu and cart; partly behind a menu button on narrow screens. */
export function ShopHeader(props: ShopHeaderProps) {
  const { user, answers, hasChats, categories, favourites, theme, ...cart } = props;
  const hasPageSearch = useLocation().pathname === "/shop";
  return (
    <>
      <header className="shop-header">
        <div className="wrap">
          <button
            {...popoverTrigger(SIDE_MENU)}
            className="icon-btn only-small side-menu-button"
            aria-label={answers > 0 ? `Menu, ${answerCount(answers)}` : "Menu"}
          >
            <Icon name="menu" />
            <CountBadge count={answers} />
          </button>
          <ShopLogo />
          <nav className="shop-nav" aria-label="Main">
            <MainLink to="/">Home</MainLink>
            <MainLink to="/shop">Shop</MainLink>
            {categories.length > 0 && <CategoryButton />}
          </nav>
          <div className="shop-header-end">
            {!hasPageSearch && <HeaderSearch />}
            {hasChats && (
              <ConversationsLink className="icon-btn conversations-button only-wide" answers={answers} />
            )}
            <UserMenu user={user} answers={answers} />
            <Link className="icon-btn only-small" to="/shop#search" aria-label="Search">
              <Icon name="search" />
            </Link>
            <FavouritesLink favourites={favourites} />
            <CartButton {...cart} />
          </div>
        </div>
      </header>
      <CategoryMenu categories={categories} />
      <SideMenu {...{ user, answers, hasChats, categories, favourites, theme }} />
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
    <Form role="search" action="/shop" aria-label="Shop">
      <SearchField label="Search the shop" />
    </Form>
  );
}

function FavouritesLink({ favourites }: { favourites: number }) {
  return (
    <Link
      className={favourites > 0 ? "icon-btn heart heart-full" : "icon-btn heart"}
      to="/favourites"
      aria-label={favourites > 0 ? `Favourites, ${favourites} kept` : "Favourites"}
    >
      <Icon name="heart" />
    </Link>
  );
}

type CartButtonProps = Pick<ShopHeaderProps, "itemCount" | "onCart" | "onCartApproach">;

function CartButton({ itemCount, onCart, onCartApproach }: CartButtonProps) {
  return (
    <Link
      className="icon-btn cart-button"
      to="/cart"
      aria-label={`Cart, ${itemCountLabel({ itemCount })}`}
      onClick={onCart}
      onPointerEnter={onCartApproach}
      onFocus={onCartApproach}
    >
      <Icon name="shopping-bag" />
      <CountBadge count={itemCount} />
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

/** Characters above which the shop's name stands in smaller letters, on several lines where it must. */
const LONG_NAME = 12;

export function ShopLogo() {
  const { name, logo } = useSite();
  return (
    <Link className={name.length > LONG_NAME ? "logo logo-long" : "logo"} to="/">
      {logo ? <img src={`/api/storage/object?key=${logo}&w=96`} alt="" height={32} /> : <Logo />}
      {name}
    </Link>
  );
}
