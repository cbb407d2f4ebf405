import { createCookie } from "@remix-run/cloudflare";

/** Lifetime of a session with "Remember me", seconds (docs/product.md, 4.1). */
export const REMEMBERED_SECONDS = 30 * 24 * 3600;
const YEAR_SECONDS = 365 * 24 * 3600;
const BOOKMARK_SECONDS = 60;
/** Lifetime and size limit of the cookie that opens a visitor's chats. */
const CHAT_SECONDS = 90 * 24 * 3600;
const MAX_CHATS = 20;

/** Chat that this browser may open. */
export interface ChatEntry {
  id: string;
  /** Start of the entry, epoch seconds. */
  since: number;
  /** Account that was signed in then; the entry is valid only while it is signed in again. Null for anonymous visitors. */
  userId: string | null;
}

/** Line of the cart: a product with the options chosen of it. */
export interface CartEntry {
  id: string;
  quantity: number;
  color: string | null;
  engraving: string | null;
}

export type Theme = "light" | "dark" | "system";

/** Parsed cookies of the shop. A truncated, forged or malformed cookie counts as absent. */
export interface ShopCookies {
  session: string | null;
  /** In the order of adding. */
  cart: CartEntry[];
  /** Latest first. */
  chats: ChatEntry[];
  /** Chat that the anonymous visitor has written to since the browser was opened. */
  visitChat: string | null;
  theme: Theme;
  /** D1 bookmark of this browser's last write. */
  bookmark: string | null;
  /** True when the request had any of these cookies, which excludes the edge cache. */
  any: boolean;
}

/** Builds a cookie's full name: on https with the __Host- prefix, so that no sibling host can set it. */
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

/** Reads the shop's cookies. */
export async function readCookies(request: Request, secret: string, secure: boolean): Promise<ShopCookies> {
  const header = request.headers.get("Cookie");
  const read = async (name: string, signedWith?: string): Promise<unknown> => {
    if (!header?.includes(cookieName(name, secure))) return null;
    return shopCookie(name, secure, signedWith ? { secret: signedWith } : {})
      .parse(header)
      .catch(() => null);
  };
  const [session, cart, chats, visitChat, theme, bookmark] = await Promise.all([
    read("session"),
    read("cart", secret),
    read("chats", chatSecret(secret)),
    read("visit", visitSecret(secret)),
    read("theme"),
    read("bookmark"),
  ]);
  return {
    session: typeof session === "string" && /^[\w-]{20,100}$/.test(session) ? session : null,
    cart: cartEntries(cart),
    chats: chatEntries(chats, Math.floor(Date.now() / 1000)),
    visitChat: typeof visitChat === "string" && visitChat !== "" ? visitChat : null,
    theme: theme === "light" || theme === "dark" ? theme : "system",
    bookmark: typeof bookmark === "string" && /^[\w-]{1,200}$/.test(bookmark) ? bookmark : null,
    any: header?.includes(cookieName("", secure)) ?? false,
  };
}

function numberedIds(value: unknown): [id: string, number: number, ...rest: unknown[]][] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (entry): entry is [string, number, ...unknown[]] =>
      Array.isArray(entry) && typeof entry[0] === "string" && Number.isSafeInteger(entry[1]) && entry[1] > 0,
  );
}

/** Reads a cart; one of before there were options has only ids and quantities. */
function cartEntries(value: unknown): CartEntry[] {
  const text = (part: unknown) => (typeof part === "string" && part !== "" ? part : null);
  return numberedIds(value).map(([id, quantity, color, engraving]) => ({
    id,
    quantity,
    color: text(color),
    engraving: text(engraving),
  }));
}

/** Separate secret, since a signature covers a cookie's value and not its name: a cart must not pass as chats. */
function chatSecret(secret: string): string {
  return `chats:${secret}`;
}

function visitSecret(secret: string): string {
  return `visit:${secret}`;
}

function chatEntries(value: unknown, now: number): ChatEntry[] {
  return numberedIds(value)
    .filter(([, since]) => since > now - CHAT_SECONDS)
    .map(([id, since, userId]) => ({ id, since, userId: typeof userId === "string" ? userId : null }));
}

/** Set-Cookie that opens these chats, at most the first 20; an empty list deletes the cookie. */
export function chatsCookie(entries: ChatEntry[], secret: string, secure: boolean): Promise<string> {
  const maxAge = entries.length ? CHAT_SECONDS : 0;
  const values = entries
    .slice(0, MAX_CHATS)
    .map(({ id, since, userId }) => (userId === null ? [id, since] : [id, since, userId]));
  return shopCookie("chats", secure, { secret: chatSecret(secret), maxAge }).serialize(values);
}

/** Set-Cookie that names the chat of the current visit until the browser closes; null deletes it. */
export function visitCookie(chatId: string | null, secret: string, secure: boolean): Promise<string> {
  const age = chatId === null ? { maxAge: 0 } : {};
  return shopCookie("visit", secure, { secret: visitSecret(secret), ...age }).serialize(chatId ?? "");
}

/** Set-Cookie that starts a session, for 30 days or until the browser closes. */
export function sessionCookie(token: string, remembered: boolean, secure: boolean): Promise<string> {
  return shopCookie("session", secure, remembered ? { maxAge: REMEMBERED_SECONDS } : {}).serialize(token);
}

export function endedSessionCookie(secure: boolean): Promise<string> {
  return shopCookie("session", secure, { maxAge: 0 }).serialize("");
}

/** Set-Cookie that stores the cart, signed; an empty cart deletes the cookie. */
export function cartCookie(entries: ShopCookies["cart"], secret: string, secure: boolean): Promise<string> {
  const maxAge = entries.length ? YEAR_SECONDS : 0;
  const values = entries.map(({ id, quantity, color, engraving }) =>
    engraving ? [id, quantity, color ?? "", engraving] : color ? [id, quantity, color] : [id, quantity],
  );
  return shopCookie("cart", secure, { secret, maxAge }).serialize(values);
}

/** Set-Cookie that stores the theme; "system" deletes it. */
export function themeCookie(theme: Theme, secure: boolean): Promise<string> {
  return shopCookie("theme", secure, { maxAge: theme === "system" ? 0 : YEAR_SECONDS }).serialize(theme);
}

/** Set-Cookie that makes this browser's next requests see the last write, whichever replica answers. */
export function bookmarkCookie(bookmark: string, secure: boolean): Promise<string> {
  return shopCookie("bookmark", secure, { maxAge: BOOKMARK_SECONDS }).serialize(bookmark);
}
