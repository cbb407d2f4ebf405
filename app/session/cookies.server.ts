import { createCookie } from "@remix-run/cloudflare";
import { DAY_SECONDS, epochSeconds, HOUR_SECONDS } from "~/domain/durations";

/** Lifetime of a session with "Remember me", seconds (docs/product.md, 4.1). */
export const REMEMBERED_SECONDS = 30 * DAY_SECONDS;
const YEAR_SECONDS = 365 * DAY_SECONDS;
const BOOKMARK_SECONDS = 60;
/** Seconds in which a cleared cart can be put back. */
const CLEARED_SECONDS = HOUR_SECONDS;
/** Lifetime and size limit of the cookie that opens a visitor's chats. */
const CHAT_SECONDS = 90 * DAY_SECONDS;
const MAX_CHATS = 20;

/** Chat that this browser may open. */
export interface ChatEntry {
  id: string;
  /** Start of the entry, epoch seconds. */
  since: number;
  /** Account that was signed in then; the entry is valid only while it is signed in again. Null for anonymous visitors. */
  userId: string | null;
}

/** Favourite in a cookie of before they were stored in D1. */
export interface FavouriteEntry {
  row: number;
  /** Tells a product from another one that has the row of a deleted one. */
  mark: string;
}

/** Line of the cart: a product with the options chosen of it. */
export interface CartEntry {
  id: string;
  quantity: number;
  color: string | null;
  engraving: string | null;
  /** Mark of the chosen unit, by which it is known under another name; missing for a product of one unit. */
  unit?: string | undefined;
}

/** Returns the end of a unit's id, which tells it from the others of its product; undefined without a unit. */
export const unitMark = (id: string | null) => id?.slice(-8);

/** Lists with a cookie of its own for each entry that was added last: of parallel answers, a browser keeps one list. */
type AddedTo = "chats" | "visit";

export type Theme = "light" | "dark" | "system";

/** Parsed cookies of the shop. A truncated, forged or malformed cookie counts as absent. */
export interface ShopCookies {
  session: string | null;
  /** In the order of adding. */
  cart: CartEntry[];
  /** Lines of the cart that was just cleared. */
  clearedCart: CartEntry[];
  /** Ids of the latest requests that added to the cart, oldest first. */
  cartRequests: string[];
  /** Latest first. */
  chats: ChatEntry[];
  /** Chats that the anonymous visitor has written to since the browser was opened, latest first. */
  visitChats: string[];
  /** Ids of the chats that have a cookie of their own beside each list. */
  added: Record<AddedTo, string[]>;
  /** Latest first, until the next one is added. */
  favourites: FavouriteEntry[];
  /** Keys of the visitor's favourites in D1: one, or several of a browser whose first ones were added at once. */
  favouriteKeys: string[];
  /** Questions of the page's chat that its visitor skipped, separated by dots. */
  skippedQuestions: string;
  theme: Theme;
  /** Ids of the people for whom the back office opens with Today on this device. */
  todayFirst: string[];
  /** Sealed step between two pages (app/session/steps.server.ts). */
  step: string | null;
  /** Sealed list of the sold-out units that this browser waits for (app/features/restock/device.server.ts). */
  waits: string | null;
  /** D1 bookmark of this browser's last write. */
  bookmark: string | null;
  /** True when the request had any of these cookies, which excludes the cache of pages. */
  any: boolean;
}

/** Builds a cookie's full name: on https with the __Host- prefix, so that no sibling host can set it. */
export function cookieName(name: string, secure: boolean): string {
  return `${secure ? "__Host-" : ""}emporia_${name}`;
}

/** Lists the secrets of COOKIE_SECRET: the first signs, all of them verify, so that it can be replaced. */
export function signingSecrets(secret: string, kind = ""): string[] {
  const secrets = secret.split(",").map((each) => each.trim());
  return secrets.filter((each) => each !== "").map((each) => kind + each);
}

function shopCookie(name: string, secure: boolean, options: { secrets?: string[]; maxAge?: number } = {}) {
  return createCookie(cookieName(name, secure), {
    httpOnly: true,
    path: "/",
    sameSite: "lax",
    secure,
    secrets: options.secrets ?? [],
    maxAge: options.maxAge,
  });
}

/** Content of the signed cookies that were verified last, by secrets and value. Others are verified each time. */
const verified = new Map<string, unknown>();
const MAX_VERIFIED = 1000;

/**
 * Reads a cookie; the same value of a signed one is verified once while it is remembered, which spares two calls of Web
 * Crypto.
 */
async function readPair(pair: string, name: string, secure: boolean, secrets?: string[]): Promise<unknown> {
  if (!secrets) return shopCookie(name, secure).parse(pair);
  const key = JSON.stringify([secrets, pair.slice(pair.indexOf("="))]);
  const known = verified.get(key);
  if (known !== undefined) return known;
  const content: unknown = await shopCookie(name, secure, { secrets }).parse(pair);
  // Null: not signed with any of these secrets.
  if (content === null) return null;
  const [oldest] = verified.keys();
  if (verified.size >= MAX_VERIFIED && oldest !== undefined) verified.delete(oldest);
  verified.set(key, content);
  return content;
}

/** Splits a header into pairs of name and value, by name. The first one of a name counts. */
function cookiePairs(header: string): Map<string, string> {
  const pairs = header.split(";").map((pair) => pair.trim());
  return new Map(pairs.reverse().map((pair) => [pair.slice(0, Math.max(0, pair.indexOf("="))).trim(), pair]));
}

/** Creates a function that reads a cookie of a header by its name: null for a missing or invalid one. */
function cookieReader(header: string, secret: string, secure: boolean) {
  const pairs = cookiePairs(header);
  return async (name: string, secretsOf?: (secret: string) => string[]): Promise<unknown> => {
    const pair = pairs.get(cookieName(name, secure));
    if (pair === undefined) return null;
    return readPair(pair, name, secure, secretsOf?.(secret)).catch(() => null);
  };
}

const matching = (value: unknown, pattern: RegExp): string | null =>
  typeof value === "string" && pattern.test(value) ? value : null;

/** Reads the shop's cookies. */
export async function readCookies(request: Request, secret: string, secure: boolean): Promise<ShopCookies> {
  const header = request.headers.get("Cookie");
  const read = cookieReader(header ?? "", secret, secure);
  const added = addedIds(header ?? "", secure);
  const readList = async (name: AddedTo, secretsOf: (secret: string) => string[]): Promise<unknown[]> => {
    const names = [...added[name].map((id) => `${name}_${id}`), name];
    return (await Promise.all(names.map((each) => read(each, secretsOf)))).flat();
  };
  const plain = ["session", "theme", "today", "step", "waits", "bookmark"].map((name) => read(name));
  const [session, theme, todayFirst, step, waits, bookmark] = await Promise.all(plain);
  const [cart, clearedCart, chats, visitChats, favourites] = await Promise.all([
    read("cart", signingSecrets),
    read("cleared", clearedSecrets),
    readList("chats", chatSecrets),
    readList("visit", visitSecrets),
    read("favourites", favouriteSecrets),
  ]);
  return {
    session: matching(session, /^[\w-]{20,100}$/),
    cart: cartEntries(cart),
    clearedCart: cartEntries(clearedCart),
    cartRequests: cartRequests(cart),
    chats: chatEntries(chats, epochSeconds()),
    visitChats: visitedIds(visitChats),
    added,
    favourites: favouriteEntries(favourites),
    favouriteKeys: favouriteKeys(header ?? ""),
    skippedQuestions: /(?:^|;\s*)emporia_skipped=([\w.]{1,40})/.exec(header ?? "")?.[1] ?? "",
    theme: theme === "light" || theme === "dark" ? theme : "system",
    todayFirst: Array.isArray(todayFirst) ? todayFirst.filter((id) => typeof id === "string") : [],
    step: matching(step, /^[\w-]{40,800}$/),
    waits: matching(waits, /^[\w-]{40,3000}$/),
    bookmark: matching(bookmark, /^[\w-]{1,200}$/),
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

/** Separate secrets, since a signature covers a cookie's value and not its name: a cart must not pass as chats. */
const chatSecrets = (secret: string) => signingSecrets(secret, "chats:");
const visitSecrets = (secret: string) => signingSecrets(secret, "visit:");
const favouriteSecrets = (secret: string) => signingSecrets(secret, "favourites:");
const clearedSecrets = (secret: string) => signingSecrets(secret, "cleared:");

const MAX_FAVOURITES = 200;

const FAVOURITE_KEY = /(?:^|;\s*)(?:__Host-)?emporia_list_([\w-]{32})=/g;

/** Reads the keys, which stand in the cookies' names: answers to parallel requests add cookies and replace none. */
const favouriteKeys = (header: string): string[] =>
  [...header.matchAll(FAVOURITE_KEY)].flatMap(([, key]) => key ?? []).slice(0, MAX_FAVOURITES);

/** Set-Cookie that stores a key of favourites for a year, or deletes it. */
export const favouriteKeyCookie = (key: string, isKept: boolean, secure: boolean): Promise<string> =>
  shopCookie(`list_${key}`, secure, { maxAge: isKept ? YEAR_SECONDS : 0 }).serialize("");

/** Set-Cookie that keeps the questions which a chat's visitor skipped, for the page of that chat alone. */
export const skippedQuestionsCookie = (chatId: string, questions: string, secure: boolean): string =>
  `emporia_skipped=${questions}; Path=/chat/${encodeURIComponent(chatId)}; Max-Age=${CHAT_SECONDS}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** Reads entries such as `1z.k3f`: row and mark, in base 36. */
function favouriteEntries(value: unknown): FavouriteEntry[] {
  if (typeof value !== "string") return [];
  const entries = value
    .split(" ", MAX_FAVOURITES)
    .map((entry) => /^([0-9a-z]{1,9})\.([0-9a-z]{1,7})$/.exec(entry));
  return entries.flatMap((found) =>
    found ? [{ row: Number.parseInt(found[1] ?? "", 36), mark: found[2] ?? "" }] : [],
  );
}

/** Reads a cart; one of before there were options has only ids and quantities. */
function cartEntries(value: unknown): CartEntry[] {
  const text = (part: unknown) => (typeof part === "string" && part !== "" ? part : null);
  return numberedIds(value).map(([id, quantity, color, engraving, mark]) => {
    const unit = text(mark);
    return { id, quantity, color: text(color), engraving: text(engraving), ...(unit && { unit }) };
  });
}

/** Entry of the requests in a cart; the quantity of 0 keeps it apart from the lines. */
const REQUESTS = ["", 0] as const;
/** Requests of one browser that may be repeated: those of a few seconds. */
const MAX_CART_REQUESTS = 6;

function cartRequests(value: unknown): string[] {
  const entries = Array.isArray(value) ? value : [];
  const found = entries.find(
    (entry) => Array.isArray(entry) && REQUESTS.every((part, i) => entry[i] === part),
  );
  return (found ?? []).slice(REQUESTS.length).filter((id: unknown) => typeof id === "string");
}

/** Computes a short hash of a product's id (FNV-1a, 16 bits), base 36. */
export function favouriteMark(id: string): string {
  let hash = 0x811c9dc5;
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(36);
}

/** Set-Cookie that stores a visitor's favourites for a year; none delete it. */
export function favouritesCookie(
  entries: FavouriteEntry[],
  secret: string,
  secure: boolean,
): Promise<string> {
  const value = entries.slice(0, MAX_FAVOURITES).map(({ row, mark }) => `${row.toString(36)}.${mark}`);
  const maxAge = value.length ? YEAR_SECONDS : 0;
  return shopCookie("favourites", secure, { secrets: favouriteSecrets(secret), maxAge }).serialize(
    value.join(" "),
  );
}

/** Reads which chats have a cookie of their own, from the cookies' names. */
function addedIds(header: string, secure: boolean): ShopCookies["added"] {
  const idsOf = (list: AddedTo) => {
    const names = new RegExp(`(?:^|;\\s*)${cookieName(list, secure)}_([\\w-]+)=`, "g");
    return [...header.matchAll(names)].flatMap(([, id]) => id ?? []);
  };
  return { chats: idsOf("chats"), visit: idsOf("visit") };
}

/** Reads entries of chats, each once; those with a cookie of their own come first. */
function chatEntries(values: unknown, now: number): ChatEntry[] {
  const entries = numberedIds(values)
    .filter(([, since]) => since > now - CHAT_SECONDS)
    .map(([id, since, userId]) => ({ id, since, userId: typeof userId === "string" ? userId : null }));
  const isFirst = ({ id, userId }: ChatEntry, at: number) =>
    entries.findIndex((entry) => entry.id === id && entry.userId === userId) === at;
  return entries.filter(isFirst).slice(0, MAX_CHATS);
}

function visitedIds(values: unknown[]): string[] {
  const ids = values.filter((id): id is string => typeof id === "string" && id !== "");
  return [...new Set(ids)].slice(0, MAX_CHATS);
}

export interface ListChange {
  secret: string;
  secure: boolean;
  /** Chats with a cookie of their own, which the list takes over. */
  added: string[];
  /** Chat that the list has not had before. */
  newId?: string | undefined;
}

/** Set-Cookies that open these chats, at most the first 20, latest first; an empty list deletes them. */
export function chatsCookies(entries: ChatEntry[], change: ListChange): Promise<string[]> {
  const values = entries.map(({ id, since, userId }) =>
    userId === null ? [id, since] : [id, since, userId],
  );
  return listCookies("chats", values, {
    ...change,
    secrets: chatSecrets(change.secret),
    maxAge: CHAT_SECONDS,
  });
}

/** Set-Cookies that name the chats of the current visit until the browser closes; an empty list deletes them. */
export const visitCookies = (chatIds: string[], change: ListChange): Promise<string[]> =>
  listCookies("visit", chatIds, { ...change, secrets: visitSecrets(change.secret) });

type ListOptions = ListChange & { secrets: string[]; maxAge?: number };

/** Stores a list, and its first entry once more in a cookie of its own if it is new: a parallel answer replaces the list. */
function listCookies(list: AddedTo, values: unknown[], options: ListOptions): Promise<string[]> {
  const { secure, added, newId, secrets, maxAge } = options;
  const own = newId !== undefined && /^[\w-]+$/.test(newId) ? newId : null;
  const set = (name: string, entries: unknown[]) =>
    shopCookie(name, secure, {
      secrets,
      ...(entries.length === 0 ? { maxAge: 0 } : maxAge !== undefined && { maxAge }),
    }).serialize(entries);
  return Promise.all([
    set(list, values.slice(0, MAX_CHATS)),
    ...(own === null ? [] : [set(`${list}_${own}`, values.slice(0, 1))]),
    ...added.filter((id) => id !== own).map((id) => set(`${list}_${id}`, [])),
  ]);
}

/** Set-Cookie that starts a session, for 30 days or until the browser closes. */
export function sessionCookie(token: string, remembered: boolean, secure: boolean): Promise<string> {
  return shopCookie("session", secure, remembered ? { maxAge: REMEMBERED_SECONDS } : {}).serialize(token);
}

export function endedSessionCookie(secure: boolean): Promise<string> {
  return shopCookie("session", secure, { maxAge: 0 }).serialize("");
}

/**
 * Set-Cookie that stores the cart, signed; an empty cart deletes the cookie.
 *
 * @param requests ids of requests that added to it; the latest are stored
 */
export function cartCookie(
  entries: ShopCookies["cart"],
  secret: string,
  secure: boolean,
  requests: string[] = [],
): Promise<string> {
  const maxAge = entries.length ? YEAR_SECONDS : 0;
  const lines = entries.map(cartValue);
  const values =
    requests.length > 0 ? [...lines, [...REQUESTS, ...requests.slice(-MAX_CART_REQUESTS)]] : lines;
  return shopCookie("cart", secure, { secrets: signingSecrets(secret), maxAge }).serialize(values);
}

/** Writes an entry, without what it lacks at its end. */
function cartValue({ id, quantity, color, engraving, unit }: CartEntry) {
  const chosen = [color ?? "", engraving ?? "", unit ?? ""];
  return [id, quantity, ...chosen.slice(0, chosen.findLastIndex(Boolean) + 1)];
}

/** Set-Cookie that stores the lines of a cleared cart as long as it can be put back; none delete it. */
export function clearedCartCookie(entries: CartEntry[], secret: string, secure: boolean): Promise<string> {
  const maxAge = entries.length ? CLEARED_SECONDS : 0;
  return shopCookie("cleared", secure, { secrets: clearedSecrets(secret), maxAge }).serialize(
    entries.map(cartValue),
  );
}

/** Set-Cookie that stores the theme; "system" deletes it. */
export function themeCookie(theme: Theme, secure: boolean): Promise<string> {
  return shopCookie("theme", secure, { maxAge: theme === "system" ? 0 : YEAR_SECONDS }).serialize(theme);
}

/** Set-Cookie that keeps a sealed text for a while; null ends it. */
export function sealedCookie(name: string, text: string | null, seconds: number, secure: boolean) {
  return shopCookie(name, secure, { maxAge: text === null ? 0 : seconds }).serialize(text ?? "");
}

/** People of one device whose first page it remembers, the latest. */
const MAX_PEOPLE = 5;

/** Set-Cookie that stores for whom the back office opens with Today; nobody deletes it. */
export function todayFirstCookie(userIds: string[], secure: boolean): Promise<string> {
  const maxAge = userIds.length > 0 ? YEAR_SECONDS : 0;
  return shopCookie("today", secure, { maxAge }).serialize(userIds.slice(-MAX_PEOPLE));
}

/** Set-Cookie that makes this browser's next requests see the last write, whichever replica answers. */
export function bookmarkCookie(bookmark: string, secure: boolean): Promise<string> {
  return shopCookie("bookmark", secure, { maxAge: BOOKMARK_SECONDS }).serialize(bookmark);
}
