import { Link } from "~/ui/Link";
import { Logo } from "~/ui/Logo";

/** The shop's mark and name, leading home. */
export function ShopLogo({ name }: { name: string }) {
  return (
    <Link className="logo" to="/">
      <Logo />
      {name}
    </Link>
  );
}
