import type { RequestContext } from "~/http/request-context.server";
import { shownSettings, TAGLINE } from "~/http/shop-settings.server";

/** Longest name below an icon on a home screen (https://developer.mozilla.org/docs/Web/Manifest/short_name). */
const MAX_SHORT_NAME = 12;

const PAPER = "#f9fbf9";
const ICONS = [
  { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];

/** Web app manifests by path, with the shop's name of the settings. */
const MANIFESTS: Record<string, (name: string) => object> = {
  "/site.webmanifest": (name) => ({
    name,
    short_name: [...name].slice(0, MAX_SHORT_NAME).join("").trim(),
    description: TAGLINE,
    start_url: "/",
    display: "standalone",
    background_color: PAPER,
    theme_color: "#fbd034",
    icons: ICONS,
  }),
  "/admin.webmanifest": (name) => ({
    id: "/admin",
    name: `${name} back office`,
    short_name: "Back office",
    description: "Orders by chat, products and the ledger of the shop.",
    start_url: "/admin",
    scope: "/admin",
    display: "standalone",
    background_color: PAPER,
    theme_color: "#0d5f3f",
    icons: ICONS,
    shortcuts: [{ name: "Support Chat", url: "/admin/chat" }],
  }),
};

/** Answers a web app manifest. @returns null for any other path */
export async function webManifest(context: RequestContext): Promise<Response | null> {
  const manifest = MANIFESTS[context.url.pathname];
  if (!manifest) return null;
  const { name } = await shownSettings(context);
  const headers = { "Content-Type": "application/manifest+json", "Cache-Control": "no-cache" };
  return new Response(JSON.stringify(manifest(name)), { headers });
}
