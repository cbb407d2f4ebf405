import { type CategoryTile, categoryName, categoryUrl } from "~/features/catalogue/categories";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { popover, popoverClose } from "~/ui/popover";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { ShopLogo } from "./ShopLogo";
import { type ShopUser, UserLinks } from "./UserMenu";

/** Id of the menu, which the header's button opens. */
export const SIDE_MENU = "side";

interface SideMenuProps {
  shopName: string;
  user: ShopUser | null;
  categories: CategoryTile[];
  theme: ThemeChoice;
}

/** Menu on narrow screens. */
export function SideMenu({ shopName, user, categories, theme }: SideMenuProps) {
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
