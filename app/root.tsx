import bricolage from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2?url";
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useNavigation,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { localDay } from "~/domain/days";
import { specialLines, weekLines } from "~/domain/hours";
import { CART_PATH } from "~/features/cart/optimistic";
import { pageData, pageResult } from "~/http/page.server";
import { retryingLoader } from "~/http/retries";
import { type ShopSettings, showHours, shownSettings, TAGLINE } from "~/http/shop-settings.server";
import { readToast } from "~/http/toasts.server";
import shopCss from "~/layouts/shop/shop.css?url";
import { cookieName } from "~/session/cookies.server";
import baseCss from "~/styles/base.css?url";
import { LazyErrorPage } from "~/ui/LazyErrorPage";
import { OfflineNotice } from "~/ui/OfflineNotice";
import { type FooterLink, ModulesContext, ReferenceContext, type Site, useNonce } from "~/ui/site";
import { THEME_FETCHER } from "~/ui/ThemeSwitch";
import { StaticToast, type ToastKind, Toasts } from "~/ui/Toasts";

export const links: LinksFunction = () => [
  ...[figtree, bricolage].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "stylesheet", href: baseCss },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/icon-192.png", type: "image/png", sizes: "192x192" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.shop.name ?? "Emporia"}: look round, then ask` },
];

/** Loads the data of every page. It is the same for all visitors without cookies, so that the edge can cache it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const reading = shownSettings(context);
  const flashed = request.headers.get("Cookie")?.includes(cookieName("toast", context.secure));
  const { toast, headers } = flashed ? await readToast(request, context) : {};
  const settings = await pageResult(reading);
  const shop = siteOf(settings, localDay(context.now, settings.timezone));
  showHours(context, settings);
  const year = new Date(context.now * 1000).getUTCFullYear();
  return pageData(request, { theme: context.cookies.theme, shop, year, toast: toast ?? null }, { headers });
}

/** Number of days whose other hours stand beside those of the week. */
const SPECIAL_DAYS = 14;

const NETWORKS = [
  ["instagram", "Instagram"],
  ["facebook", "Facebook"],
  ["tiktok", "TikTok"],
] as const;

/** Returns what every page shows of the settings. @param today YYYY-MM-DD */
function siteOf(
  { name, businesses, logo, url, supportEmail, legalEmail, phone, social, ...place }: ShopSettings,
  today: string,
): Site {
  const { address, hours, mapUrl } = place;
  const lines = [...weekLines(hours), ...specialLines(hours, today, SPECIAL_DAYS)];
  const contact: FooterLink[] = [
    [address, mapUrl],
    ...lines.map(({ days, times }): FooterLink => [`${days}: ${times}`, ""]),
    [phone, `tel:${phone.replace(/[^+\d]/g, "")}`],
    [supportEmail, `mailto:${supportEmail}`],
  ];
  return {
    ...{ name, businesses, logo, url, supportEmail, legalEmail, phone, tagline: TAGLINE },
    pickup: { address, hours: lines, mapUrl },
    contact: contact.filter(([text]) => text !== ""),
    social: NETWORKS.flatMap(([network, title]): Site["social"] =>
      social[network] ? [[network, title, social[network]]] : [],
    ),
  };
}

export const clientLoader = retryingLoader();

/** Revalidates toast and theme after forms, except the cart's, and never on navigation. */
export function shouldRevalidate({ formMethod, currentUrl, nextUrl, ...args }: ShouldRevalidateFunctionArgs) {
  if (formMethod && formMethod !== "GET") return args.formAction !== CART_PATH;
  return currentUrl.href === nextUrl.href && args.defaultShouldRevalidate;
}

/** --paper of base.css, for the browser's toolbar. */
const PAPER = { light: "#f9fbf9", dark: "#0d1310" };

/** HTML document of every page, including root's error page. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const theme = useTheme();
  return (
    <html
      lang="en"
      data-theme={theme ?? undefined}
      data-reference={useContext(ReferenceContext)}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {theme === "dark" || (
          <meta
            name="theme-color"
            content={PAPER.light}
            media={theme ? undefined : "(prefers-color-scheme: light)"}
          />
        )}
        {theme === "light" || (
          <meta
            name="theme-color"
            content={PAPER.dark}
            media={theme ? undefined : "(prefers-color-scheme: dark)"}
          />
        )}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ModulePreloads />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/**
 * Preloads the page's modules after style sheets, fonts and the main picture; Remix's own preloads, which follow, compete
 * with them. The browser keeps what the server rendered.
 */
function ModulePreloads() {
  const html = useContext(ModulesContext)
    .map((file) => `<link rel="modulepreload" href="${file}" fetchpriority="low">`)
    .join("");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: paths of our own files; the browser must not render them again
  return <div hidden dangerouslySetInnerHTML={{ __html: html }} suppressHydrationWarning />;
}

/** Returns the chosen theme, also while the choice is being sent; null follows the system. */
function useTheme(): "light" | "dark" | null {
  const pending = useFetcher({ key: THEME_FETCHER }).formData?.get("theme");
  const stored = useRouteLoaderData<typeof loader>("root")?.theme;
  const theme = pending ?? stored;
  return theme === "light" || theme === "dark" ? theme : null;
}

export default function App() {
  const flashed = useRouteLoaderData<typeof loader>("root")?.toast;
  // The admin shell shows toasts with Undo or links (app/ui/ResultToasts.tsx).
  const toast = flashed?.undo || flashed?.links ? null : flashed;
  return (
    <>
      <Toasts>
        <StaticToast answer={toast} message={toast?.message} kind={toastKind(toast?.type)} />
      </Toasts>
      <Progress />
      <Outlet />
      <OfflineNotice />
    </>
  );
}

/** Maps remix-toast's type to a kind. */
function toastKind(type: string | undefined): ToastKind {
  return type === "success" || type === "error" ? type : "blank";
}

/** Error page after a failure in root. */
export function ErrorBoundary() {
  return (
    <main id="main">
      <link rel="stylesheet" href={shopCss} />
      <LazyErrorPage />
    </main>
  );
}

/** Progress bar during navigation; CSS delays it. */
function Progress() {
  return useNavigation().state === "idle" ? null : <div className="progress" aria-hidden="true" />;
}
