import { Link } from "~/ui/Link";
import { Logo } from "~/ui/Logo";

/** Logo and name of the shop, linked to the home page. */
export function ShopLogo({ name }: { name: string }) {
  return (
    <Link className="logo" to="/">
      <Logo />
      {name}
    </Link>
  );
}
