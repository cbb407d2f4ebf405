import type { CategoryTile } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { categoryUrl } from "~/features/catalogue/urls";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { type FooterLink, type Site, useSite } from "~/ui/site";
import { type ThemeChoice, ThemeSwitch } from "~/ui/ThemeSwitch";
import { ShopLogo } from "./ShopHeader";

const MAX_CATEGORIES = 5;

const SIGN_IN: FooterLink[] = [["Sign In", "/login"]];

interface ShopFooterProps {
  /** Current year; null while unknown. */
  year: number | null;
  isSignedIn: boolean;
  categories: CategoryTile[];
  theme: ThemeChoice;
}

export function ShopFooter({ year, isSignedIn, categories, theme }: ShopFooterProps) {
  const { businesses, contact, social, tagline } = useSite();
  const quick: FooterLink[] = [
    ["Home", "/"],
    ["Shop", "/shop"],
    ["How buying works", "/how"],
    ["Returns", "/how#returns"],
    ...(isSignedIn ? [] : SIGN_IN),
    ["My Account", "/account"],
  ];
  const largest = categories.slice(0, MAX_CATEGORIES);
  return (
    <footer className="shop-footer">
      <div className="wrap">
        <div className="shop-footer-about">
          <ShopLogo />
          <p>{tagline}</p>
          <FooterLinks title="Contact" links={contact} />
        </div>
        <FooterLinks title="Quick Links" links={quick} />
        <FooterLinks
          title="Categories"
          links={largest.map(({ category }) => [categoryName(category), categoryUrl(category)])}
        />
        {social[0] && <SocialLinks social={social} />}
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
function SocialLinks({ social }: Pick<Site, "social">) {
  return (
    <div>
      <h2>Elsewhere</h2>
      <ul className="social">
        {social.map(([network, name, url]) => (
          <li key={network}>
            <a className="icon-btn" href={url} aria-label={name} rel="noopener">
              <Icon name={network} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** List of links; nothing for none. */
function FooterLinks({ title, links }: { title: string; links: FooterLink[] }) {
  if (!links[0]) return null;
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map(([text, to]) => (
          <li key={text}>
            {to.startsWith("/") ? <Link to={to}>{text}</Link> : to ? <a href={to}>{text}</a> : text}
          </li>
        ))}
      </ul>
    </nav>
  );
}
