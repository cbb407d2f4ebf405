import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { CartDrawer, prepareCart } from "~/features/cart/CartDrawer";
import { openCart } from "~/features/cart/opening";
import { cartOf } from "~/features/cart/operations.server";
import { useOptimisticCart } from "~/features/cart/optimistic";
import { cartView } from "~/features/cart/view";
import { useFreshPages } from "~/features/catalogue/browser-cache";
import type { CategoryTile } from "~/features/catalogue/category-tile";
import { shopCategories } from "~/features/catalogue/operations.server";
import { PageSkeleton, useSlowNavigation } from "~/features/catalogue/PageSkeleton";
import { ChatWidget } from "~/features/chat/widget/ChatWidget";
import { forPage, orNull } from "~/http/page.server";
import { retryingLoader } from "~/http/retrying-loader";
import { ShopFooter } from "~/layouts/shop/ShopFooter";
import { ShopHeader } from "~/layouts/shop/ShopHeader";
import shopCss from "~/layouts/shop/shop.css?url";
import type { loader as rootLoader } from "~/root";
import { LazyErrorPage } from "~/ui/LazyErrorPage";
import { pageMeta } from "~/ui/seo";
import { useSite } from "~/ui/site";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: shopCss }];

export const meta: MetaFunction<typeof loader> = ({ error, matches, location }) =>
  pageMeta({ title: error ? titleOf(error) : "Shop", path: location.pathname, hidden: true }, matches);

/** What the header and the cart show on every page of the shop. Categories that can't be read are none (spec 2). */
export async function loader({ context }: LoaderFunctionArgs) {
  const [user, shelves, cart] = await Promise.all([
    forPage(context.caller.user()),
    orNull(shopCategories(context)),
    forPage(cartOf(context)),
  ]);
  const known = user && {
    id: user.id,
    firstName: user.firstName,
    isAdmin: user.isAdmin,
    isManager: user.isManager,
  };
  const categories: CategoryTile[] = shelves ?? [];
  return json({ user: known, categories, cart });
}

const NOTHING = { user: null, categories: [], cart: cartView([], "") };

export const clientLoader = retryingLoader();

/** Acts change the cart and who is signed in; a link changes neither, nor does the theme or what never arrived. */
export function shouldRevalidate({
  formMethod,
  formAction,
  currentUrl,
  nextUrl,
  ...args
}: ShouldRevalidateFunctionArgs) {
  if (args.actionResult?.unsent) return false;
  if (formMethod && formMethod.toUpperCase() !== "GET") return formAction !== "/theme";
  return currentUrl.href === nextUrl.href && args.defaultShouldRevalidate;
}

export default function Shop() {
  useFreshPages();
  const slow = useSlowNavigation(useLocation().pathname);
  return <Frame>{slow ? <PageSkeleton path={slow} /> : <Outlet />}</Frame>;
}

/** Header, footer, cart drawer and the way to the chat, around every page and every error page of the shop. */
function Frame({ children }: { children: ReactNode }) {
  const { name, social } = useSite();
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const { user, categories, cart } = useRouteLoaderData<typeof loader>("routes/_shop") ?? NOTHING;
  const { itemCount } = useOptimisticCart(cart);
  const common = { shopName: name, categories, theme: root?.theme ?? "system" } as const;
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the shop
      </a>
      <ShopHeader {...common} user={user} itemCount={itemCount} onCart={openCart} onCartNear={prepareCart} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ShopFooter {...common} year={root?.year ?? null} signedIn={user !== null} social={social} />
      <ChatWidget clearOf="main :is(.btn, button, input, select, textarea)" />
      <CartDrawer cart={cart} />
    </>
  );
}

/** 404, 401 and 500 with the shop around them (spec 2, Error pages). */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  return (
    <Frame>
      <LazyErrorPage status={statusOf(error)} retry={pathname + search} {...toldBy(error)} />
    </Frame>
  );
}

function statusOf(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : 500;
}

/** What a loader that threw a 404 said: what is missing, where the reader came from. */
function toldBy(error: unknown): { title?: string; back?: string } {
  const { message, back } = (isRouteErrorResponse(error) && error.data) || {};
  return {
    ...(typeof message === "string" && { title: message }),
    ...(typeof back === "string" && { back }),
  };
}

function titleOf(error: unknown): string {
  const status = statusOf(error);
  if (status === 404) return toldBy(error).title ?? "Page Not Found";
  return status === 401 || status === 403 ? "Unauthorized Access" : "Internal Server Error";
}
