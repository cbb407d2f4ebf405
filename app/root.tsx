import bricolage from "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url";
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { toasts } from "~/http/toasts.server";
import { cookieName, type Theme } from "~/session/cookies.server";
import siteCss from "~/styles/site.css?url";
import { useNonce } from "~/ui/nonce";

export const links: LinksFunction = () => [
  ...[figtree, bricolage].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "stylesheet", href: siteCss },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "icon", href: "/icon-192.png", type: "image/png", sizes: "192x192" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.shop.name ?? "Emporia"}: look round, then ask` },
];

/** What every page needs to know. Without cookies it is the same for everyone: such pages are kept at the edge. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { name, url, supportEmail, legalEmail, phone, social } = context.settings;
  const flashed = request.headers.get("Cookie")?.includes(cookieName("toast", context.secure));
  const { toast, headers } = flashed
    ? await toasts(context).getToast(request)
    : { toast: undefined, headers: new Headers() };
  const shop = { name, url, supportEmail, legalEmail, phone, social };
  const year = new Date(context.now * 1000).getUTCFullYear();
  return json({ theme: context.cookies.theme, shop, year, toast: toast ?? null }, { headers });
}

export type RootData = Awaited<ReturnType<Awaited<ReturnType<typeof loader>>["json"]>>;

/** Toast and theme change with what a form does, never with where a link leads. */
export function shouldRevalidate({ formMethod, currentUrl, nextUrl, ...args }: ShouldRevalidateFunctionArgs) {
  if (formMethod && formMethod.toUpperCase() !== "GET") return true;
  return currentUrl.href === nextUrl.href && args.defaultShouldRevalidate;
}

/** The document around every page, also around the error page of root itself. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce();
  const theme = useTheme();
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

/** The theme that was chosen, at once when it is being chosen. */
function useTheme(): Theme {
  const choosing = useFetcher({ key: "theme" }).formData?.get("theme");
  const stored = useRouteLoaderData<typeof loader>("root")?.theme ?? "system";
  return choosing === "light" || choosing === "dark" || choosing === "system" ? choosing : stored;
}

export default function App() {
  return <Outlet />;
}
