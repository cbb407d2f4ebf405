import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { CartDrawer, openCart, preloadCart } from "~/features/cart/CartDrawer";
import { readCart } from "~/features/cart/operations.server";
import { useOptimisticCart } from "~/features/cart/optimistic";
import { cartTotals } from "~/features/cart/view";
import { useFreshPages } from "~/features/catalogue/browser-cache";
import { useSlowPage } from "~/features/catalogue/LoadStates";
import { shopCategories } from "~/features/catalogue/operations/products.server";
import { useWaitingAnswers } from "~/features/chat/open-chat";
import { countAnswers } from "~/features/chat/operations/messages.server";
import { ChatWidget } from "~/features/conversation/widget/ChatWidget";
import { pageFavouriteIds } from "~/features/favourites/store.server";
import { pageData, pageResult, resultOrNull } from "~/http/page.server";
import { retryingLoader } from "~/http/retries";
import { ShopFooter } from "~/layouts/shop/ShopFooter";
import { ShopHeader } from "~/layouts/shop/ShopHeader";
import shopCss from "~/layouts/shop/shop.css?url";
import type { loader as rootLoader } from "~/root";
import type { CurrentUser } from "~/session/caller.server";
import { useKeptForms } from "~/ui/kept-forms";
import { LazyErrorPage } from "~/ui/LazyErrorPage";
import { pageMeta } from "~/ui/site";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: shopCss },
  { rel: "manifest", href: "/site.webmanifest" },
];

export const meta: MetaFunction<typeof loader> = ({ error, matches }) =>
  pageMeta({ title: error ? errorTitle(error) : "Shop", hidden: true }, matches);

/**
 * Reads user, categories, cart, favourites and unread answers of every shop page; categories are empty when reading them fails. A
 * reader without cookies has no answers, so that cached pages are the same for everyone.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const [user, categories, cart, favourites, answers] = await Promise.all([
    pageResult(context.caller.user()),
    resultOrNull(shopCategories(context)),
    pageResult(readCart(context)),
    resultOrNull(pageFavouriteIds(context)),
    resultOrNull(countAnswers(context, openChatId(context.url.pathname))),
  ]);
  const read = { categories: categories ?? [], favourites: favourites ?? [], answers: answers ?? NO_ANSWERS };
  return pageData(request, { user: user && shopUser(user), cart, ...read });
}

const shopUser = ({ id, firstName, isAdmin, isManager, isSeller }: CurrentUser) => ({
  id,
  firstName,
  isAdmin,
  isManager,
  isSeller,
});

const NO_ANSWERS = { hasChats: false, unread: 0 };
const EMPTY_CART = { ...cartTotals([]), smsUrl: "", opening: "", terms: "" };
const EMPTY = { user: null, categories: [], cart: EMPTY_CART, favourites: [], answers: NO_ANSWERS };

/** Returns the chat that a page shows, whose answers do not wait; null for other pages. */
const openChatId = (pathname: string) => /^\/chat\/([\w-]+)/.exec(pathname)?.[1] ?? null;

export const clientLoader = retryingLoader();

/**
 * Revalidates after actions, which may change cart and user, but not after links, a new theme or an unsent form. A link that
 * is followed before the frame has been read again reads it.
 */
export function shouldRevalidate({
  formMethod,
  formAction,
  currentUrl,
  nextUrl,
  ...args
}: ShouldRevalidateFunctionArgs) {
  if (args.actionResult?.isUnsent) return false;
  if (formMethod && formMethod !== "GET") return formAction !== "/theme";
  return clientLoader.isBehind() || (currentUrl.href === nextUrl.href && args.defaultShouldRevalidate);
}

export default function Shop() {
  useFreshPages();
  useKeptForms(() => import("~/features/cart/submit"));
  const slow = useSlowPage(useLocation().pathname);
  const categories = useRouteLoaderData<typeof loader>("routes/_shop")?.categories ?? [];
  return <Frame>{slow ? <slow.Skeleton url={slow.url} categories={categories} /> : <Outlet />}</Frame>;
}

/** Controls, which the chat button never covers. */
const CONTROLS =
  "main :is(.drawer-foot, .receipt-sheet, .btn, .link, button, input, select, summary, textarea, form label)";
/** Headings and prices, then links and texts, which it leaves free where it finds a place: a page of text has links everywhere. */
const HEADINGS = `${CONTROLS},main :is(h1, h2, h3, b, .price-tag, .cart-line-total, .engraving-label, .engraving-preview, .description .rich-text)`;
const LINKS = `${HEADINGS},main a:not(:has(img)),.shop-footer :is(a, h2, .theme-switch)`;
const UNCOVERED = [`${LINKS},main :is(p, small, .description, .pickup-hours)`, LINKS, HEADINGS, CONTROLS];

/** Header, footer, cart drawer and chat around every page and error page of the shop. */
function Frame({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const { user, categories, cart, favourites, answers } =
    useRouteLoaderData<typeof loader>("routes/_shop") ?? EMPTY;
  const waiting = useWaitingAnswers(answers.unread);
  useTitleCount(waiting);
  const { itemCount } = useOptimisticCart(cart);
  const common = { categories, theme: root?.theme ?? "system" } as const;
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the shop
      </a>
      <ShopHeader
        {...common}
        user={user}
        answers={waiting}
        hasChats={answers.hasChats || waiting > 0}
        favourites={favourites.length}
        itemCount={itemCount}
        onCart={openCart}
        onCartApproach={() => preloadCart(cart)}
      />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ShopFooter {...common} year={root?.year ?? null} isSignedIn={user !== null} />
      <ChatWidget clearOf={UNCOVERED} answers={answers.unread} />
      <CartDrawer cart={cart} />
    </>
  );
}

/** Displays the number of unread answers before the page's title. */
function useTitleCount(unread: number): void {
  useEffect(() => {
    // Runs after every render, because a navigation replaces the title.
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
  });
}

/** Error pages 404, 401 and 500 inside the shop frame. */
export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <Frame>
      <LazyErrorPage {...errorDetails(error)} />
    </Frame>
  );
}

function errorStatus(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : 500;
}

/** Reads title and back link from a thrown 404. */
function errorDetails(error: unknown): { title?: string; back?: string } {
  const { message, back } = (isRouteErrorResponse(error) && error.data) || {};
  return {
    ...(typeof message === "string" && { title: message }),
    ...(typeof back === "string" && { back }),
  };
}

function errorTitle(error: unknown): string {
  const status = errorStatus(error);
  if (status === 404) return errorDetails(error).title ?? "Page Not Found";
  return status === 401 || status === 403 ? "Unauthorized Access" : "Internal Server Error";
}
