import { createCookie } from "@remix-run/cloudflare";

/** Seconds that "Remember me" keeps somebody signed in (contract: Sessions). */
export const REMEMBERED_SECONDS = 30 * 24 * 3600;
const YEAR_SECONDS = 365 * 24 * 3600;
const BOOKMARK_SECONDS = 60;

export type Theme = "light" | "dark" | "system";

/** What the shop's cookies say, read once a request. A cookie that is cut, forged or malformed counts as absent. */
export interface ShopCookies {
  /** Opaque session token. */
  session: string | null;
  /** Product id → quantity, in the order they were added. */
  cart: [id: string, quantity: number][];
  theme: Theme;
  /** D1 bookmark after this reader's last write. */
  bookmark: string | null;
  /** Whether the request carried any cookie of ours: only without one may an answer come from the edge cache. */
  any: boolean;
}

/**
 * Name of one of our cookies: on https with the __Host- prefix, so that no sibling host can set it.
 *
 * @param name bare name
 * @param secure whether the request came over https
 */
export function cookieName(name: string, secure: boolean): string {
  return `${secure ? "__Host-" : ""}emporia_${name}`;
}

function shopCookie(name: string, secure: boolean, options: { secret?: string; maxAge?: number } = {}) {
  return createCookie(cookieName(name, secure), {
    httpOnly: true,
    path: "/",
    sameSite: "lax",
    secure,
    secrets: options.secret ? [options.secret] : [],
    maxAge: options.maxAge,
  });
}

/**
 * Reads all of our cookies.
 *
 * @param request carries the Cookie header
 * @param secret COOKIE_SECRET
 * @param secure whether the request came over https
 */
export async function readCookies(request: Request, secret: string, secure: boolean): Promise<ShopCookies> {
  const header = request.headers.get("Cookie");
  const read = async (name: string, signed = false): Promise<unknown> => {
    if (!header?.includes(cookieName(name, secure))) return null;
    return shopCookie(name, secure, signed ? { secret } : {})
      .parse(header)
      .catch(() => null);
  };
  const [session, cart, theme, bookmark] = await Promise.all([
    read("session"),
    read("cart", true),
    read("theme"),
    read("bookmark"),
  ]);
  return {
    session: typeof session === "string" && /^[\w-]{20,100}$/.test(session) ? session : null,
    cart: cartEntries(cart),
    theme: theme === "light" || theme === "dark" ? theme : "system",
    bookmark: typeof bookmark === "string" && /^[\w-]{1,200}$/.test(bookmark) ? bookmark : null,
    any: header?.includes(cookieName("", secure)) ?? false,
  };
}

function cartEntries(value: unknown): ShopCookies["cart"] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (entry): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === "string" && Number.isSafeInteger(entry[1]) && entry[1] > 0,
  );
}

/** Set-Cookie that signs somebody in: for 30 days, or until the browser closes. */
export function sessionCookie(token: string, remembered: boolean, secure: boolean): Promise<string> {
  return shopCookie("session", secure, remembered ? { maxAge: REMEMBERED_SECONDS } : {}).serialize(token);
}

/** Set-Cookie that signs somebody out. */
export function endedSessionCookie(secure: boolean): Promise<string> {
  return shopCookie("session", secure, { maxAge: 0 }).serialize("");
}

/** Set-Cookie that keeps the cart, signed; an empty cart's cookie ends at once. */
export function cartCookie(entries: ShopCookies["cart"], secret: string, secure: boolean): Promise<string> {
  const maxAge = entries.length ? YEAR_SECONDS : 0;
  return shopCookie("cart", secure, { secret, maxAge }).serialize(entries);
}

/** Set-Cookie that keeps the theme; "system" forgets it. */
export function themeCookie(theme: Theme, secure: boolean): Promise<string> {
  return shopCookie("theme", secure, { maxAge: theme === "system" ? 0 : YEAR_SECONDS }).serialize(theme);
}

/** Set-Cookie that lets the reader's next requests see what was just written, wherever they are answered. */
export function bookmarkCookie(bookmark: string, secure: boolean): Promise<string> {
  return shopCookie("bookmark", secure, { maxAge: BOOKMARK_SECONDS }).serialize(bookmark);
}
