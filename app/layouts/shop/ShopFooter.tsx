import type { CategoryTile } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { categoryUrl } from "~/features/catalogue/urls";
import { Icon } from "~/ui/Icon";
import type { BrandIcon } from "~/ui/icons";
import { Link } from "~/ui/navigation";
import { useSite } from "~/ui/site";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { ShopLogo } from "./ShopHeader";

const MAX_CATEGORIES = 5;

const NETWORKS: [BrandIcon, string][] = [
  ["instagram", "Instagram"],
  ["facebook", "Facebook"],
  ["tiktok", "TikTok"],
];

interface ShopFooterProps {
  shopName: string;
  /** Current year; null while unknown. */
  year: number | null;
  isSignedIn: boolean;
  categories: CategoryTile[];
  social: Record<BrandIcon, string>;
  theme: ThemeChoice;
}

export function ShopFooter({ shopName, year, isSignedIn, categories, social, theme }: ShopFooterProps) {
  const { businesses, pickup } = useSite();
  return (
    <footer className="shop-footer">
      <div className="wrap">
        <div className="shop-footer-about">
          <ShopLogo name={shopName} />
          <p>A small shop and a laser. Look round, write to us, collect at the counter.</p>
          {pickup.hours.length > 0 && (
            <p>
              {pickup.hours.map(({ days, times }) => (
                <span key={days}>
                  {days}: {times}
                  <br />
                </span>
              ))}
            </p>
          )}
        </div>
        <QuickLinks isSignedIn={isSignedIn} />
        {categories.length > 0 && <FooterCategories categories={categories} />}
        <SocialLinks social={social} />
        <div className="shop-footer-end">
          <span>
            © {year} {businesses.EMPORIA} and {businesses.LASER}
          </span>
          <Link to="/terms">Terms and Conditions</Link>
          <Link to="/privacy">Privacy Policy</Link>
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </footer>
  );
}

/** Links to the networks that the settings name. */
function SocialLinks({ social }: Pick<ShopFooterProps, "social">) {
  const networks = NETWORKS.filter(([network]) => social[network]);
  if (networks.length === 0) return null;
  return (
    <div>
      <h2>Elsewhere</h2>
      <ul className="social">
        {networks.map(([network, name]) => (
          <li key={network}>
            <a className="icon-btn" href={social[network]} aria-label={name} rel="noopener">
              <Icon name={network} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function QuickLinks({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <nav aria-label="Quick links">
      <h2>Quick Links</h2>
      <ul>
        <li>
          <Link to="/">Home</Link>
        </li>
        <li>
          <Link to="/shop">Shop</Link>
        </li>
        {!isSignedIn && (
          <li>
            <Link to="/login">Sign In</Link>
          </li>
        )}
        <li>
          <Link to="/account">My Account</Link>
        </li>
      </ul>
    </nav>
  );
}

function FooterCategories({ categories }: { categories: CategoryTile[] }) {
  return (
    <nav aria-label="Categories">
      <h2>Categories</h2>
      <ul>
        {categories.slice(0, MAX_CATEGORIES).map(({ category }) => (
          <li key={category}>
            <Link to={categoryUrl(category)}>{categoryName(category)}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
