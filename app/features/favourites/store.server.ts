import type { CardRow } from "~/features/catalogue/queries.server";
import type { RequestContext } from "~/http/request-context.server";
import { type FavouriteEntry, favouriteMark, favouritesCookie } from "~/session/cookies.server";
import { findAccountIds, findFavouriteCards, findRows, insertFavourites } from "./queries.server";

/** Returns the ids of the caller's favourites, latest first: the account's, or those of the visitor's cookie. */
export async function favouriteIds(context: RequestContext): Promise<string[]> {
  const user = await context.caller.user();
  if (user) return findAccountIds(context.db, user.id);
  return (await visitorFavourites(context)).map(({ id: productId }) => productId);
}

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

export async function storeVisitorFavourite(context: RequestContext, productId: string): Promise<void> {
  const [stored, rows] = await Promise.all([visitorFavourites(context), findRows(context.db, [], productId)]);
  const added = rows.map(({ row, id: rowId }) => ({ row, mark: favouriteMark(rowId) }));
  await setCookie(context, [...added, ...stored]);
}

export async function dropVisitorFavourite(context: RequestContext, productId: string): Promise<void> {
  const stored = await visitorFavourites(context);
  await setCookie(
    context,
    stored.filter((entry) => entry.id !== productId),
  );
}

async function setCookie({ headers, env, secure }: RequestContext, entries: FavouriteEntry[]): Promise<void> {
  headers.append("Set-Cookie", await favouritesCookie(entries, env.COOKIE_SECRET, secure));
}

/** Moves the visitor's favourites into the account that has signed in, latest first while there is room. */
export async function mergeFavourites(context: RequestContext, userId: string): Promise<void> {
  if (context.cookies.favourites.length === 0) return;
  const visitor = await visitorFavourites(context);
  await insertFavourites(
    context.db,
    userId,
    visitor.map((entry) => entry.id),
    context.now,
  );
  await setCookie(context, []);
}

/** Reads the cards of the caller's favourites. */
export async function favouriteCards(context: RequestContext): Promise<CardRow[]> {
  const ids = await favouriteIds(context);
  return ids.length ? findFavouriteCards(context.db, ids) : [];
}
