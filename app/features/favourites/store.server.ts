import { openDb, type Statement } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import type { CardRow } from "~/features/catalogue/queries.server";
import type { RequestContext } from "~/http/request-context.server";
import {
  type FavouriteEntry,
  favouriteKeyCookie,
  favouriteMark,
  favouritesCookie,
} from "~/session/cookies.server";
import { randomToken, sha256 } from "~/session/tokens.server";
import {
  favouritesInsertion,
  findAccountIds,
  findFavouriteCards,
  findIds,
  findRows,
  insertVisitorFavourites,
  purgeVisitorFavourites,
  visitorFavouritesDeletion,
} from "./queries.server";

/** Seconds for which a visitor's favourites stay: the lifetime of their cookie. */
const KEPT_SECONDS = 366 * DAY_SECONDS;

const reads = new WeakMap<RequestContext, Promise<string[]>>();

/** Returns the ids of the caller's favourites, which the loaders of one page read once. */
export function pageFavouriteIds(context: RequestContext): Promise<string[]> {
  const read = reads.get(context) ?? favouriteIds(context);
  reads.set(context, read);
  return read;
}

/** Returns the ids of the caller's favourites, latest first: the account's, or the visitor's. */
export async function favouriteIds(context: RequestContext): Promise<string[]> {
  const { caller, db } = context;
  const account = await caller.account();
  const [user, ids] = await Promise.all([caller.user(), account ? findAccountIds(db, account) : []]);
  return user ? ids : visitorFavouriteIds(context);
}

/** Returns the ids of the visitor's favourites: those in D1, and those of the cookie of before. */
export async function visitorFavouriteIds(context: RequestContext): Promise<string[]> {
  const keys = await hashes(context.cookies.favouriteKeys);
  const [stored, former] = await Promise.all([
    keys.length > 0 ? findIds(context.db, keys) : [],
    visitorFavourites(context),
  ]);
  return [...new Set([...stored, ...former.map(({ id: productId }) => productId)])];
}

const hashes = (keys: string[]) => Promise.all(keys.map((key) => sha256(key)));

interface VisitorFavourite extends FavouriteEntry {
  id: string;
}

/**
 * Reads the favourites of the cookie. A product that was deleted is left out, and so is another one that has its row
 * number now.
 */
async function visitorFavourites({ db, cookies }: RequestContext): Promise<VisitorFavourite[]> {
  if (cookies.favourites.length === 0) return [];
  const rows = await findRows(
    db,
    cookies.favourites.map(({ row }) => row),
  );
  const ids = new Map(rows.map((row) => [row.row, row.id]));
  return cookies.favourites.flatMap((entry) => {
    const productId = ids.get(entry.row);
    return productId && favouriteMark(productId) === entry.mark ? [{ ...entry, id: productId }] : [];
  });
}

/**
 * Adds a favourite of a visitor, with those of the cookie of before.
 *
 * @returns false when parallel requests have taken the room
 */
export async function storeVisitorFavourite(context: RequestContext, productId: string): Promise<boolean> {
  const { cookies, headers, secure, db, now } = context;
  const keys = cookies.favouriteKeys.length > 0 ? cookies.favouriteKeys : [randomToken()];
  const former = (await visitorFavourites(context)).map(({ id: formerId }) => formerId);
  if (!(await insertVisitorFavourites(db, await hashes(keys), [productId, ...former], now))) return false;
  if (cookies.favouriteKeys.length === 0)
    for (const key of keys) headers.append("Set-Cookie", await favouriteKeyCookie(key, true, secure));
  if (cookies.favourites.length > 0) await setCookie(context, []);
  return true;
}

export async function dropVisitorFavourite(context: RequestContext, productId: string): Promise<void> {
  const { cookies, db } = context;
  if (cookies.favouriteKeys.length > 0)
    await db.run(visitorFavouritesDeletion(await hashes(cookies.favouriteKeys), productId));
  const former = await visitorFavourites(context);
  const kept = former.filter((entry) => entry.id !== productId);
  if (kept.length < former.length) await setCookie(context, kept);
}

async function setCookie({ headers, env, secure }: RequestContext, entries: FavouriteEntry[]): Promise<void> {
  headers.append("Set-Cookie", await favouritesCookie(entries, env.COOKIE_SECRET, secure));
}

/**
 * Builds the statements that move the visitor's favourites into the account that signs in, latest first while there is room.
 *
 * @param ids as `visitorFavouriteIds` found them
 */
export async function favouritesMerge(
  { cookies: { favouriteKeys: keys }, now }: Pick<RequestContext, "cookies" | "now">,
  userId: string,
  ids: string[],
): Promise<Statement[]> {
  return [
    ...(ids.length > 0 ? [favouritesInsertion(userId, ids, now)] : []),
    ...(keys.length > 0 ? [visitorFavouritesDeletion(await hashes(keys))] : []),
  ];
}

/** Deletes the cookies of the visitor's favourites, which an account has taken over. */
export async function forgetVisitorFavourites(context: RequestContext): Promise<void> {
  const { cookies, headers, secure } = context;
  for (const key of cookies.favouriteKeys)
    headers.append("Set-Cookie", await favouriteKeyCookie(key, false, secure));
  if (cookies.favourites.length > 0) await setCookie(context, []);
}

/** Removes favourites of visitors whose cookie has expired. Runs nightly. */
export async function purgeFavourites(env: Env): Promise<void> {
  await purgeVisitorFavourites(openDb(env.DB, null).db, epochSeconds() - KEPT_SECONDS);
}

/** Reads the cards of all of the caller's favourites. */
export async function favouriteCards(context: RequestContext): Promise<CardRow[]> {
  const ids = await favouriteIds(context);
  return ids.length ? findFavouriteCards(context.db, ids) : [];
}

/** Favourites on the page at first, and added by each "Show more" (`show`). */
const STEP = 24;

/**
 * Reads the page of the caller's favourites: the latest, the number of these that are not offered now, and the numbers of all
 * and of those that are shown next.
 */
export async function favouritesPage(context: RequestContext) {
  const asked = Math.trunc(Number(context.url.searchParams.get("show"))) || STEP;
  const shown = Math.max(STEP, asked);
  const ids = await pageFavouriteIds(context);
  const first = ids.slice(0, shown);
  const cards = first.length > 0 ? await findFavouriteCards(context.db, first) : [];
  const hidden = first.length - cards.length;
  return { cards, hidden, total: ids.length, more: ids.length > shown ? shown + STEP : null };
}
