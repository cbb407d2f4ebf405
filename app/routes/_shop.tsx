import type { LinksFunction } from "@remix-run/cloudflare";
import { Outlet } from "@remix-run/react";
import shopCss from "~/styles/shop.css?url";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: shopCss }];

export default function Shop() {
  return (
    <main id="main">
      <Outlet />
    </main>
  );
}
