import { z } from "zod";
import { apiProduct } from "~/features/catalogue/product-views.server";
import { type CardRow, productExists } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { id, listWindow } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { Listing, operation } from "~/http/operation.server";
import { localPath } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { type FavouriteEntry, favouriteMark, favouritesCookie } from "~/session/cookies.server";
import {
  deleteFavourite,
  findAccountIds,
  findFavouriteCards,
  findFavouriteProducts,
  findRows,
  insertFavourites,
  MAX_FAVOURITES,
} from "./queries.server";

const WindowInput = z.object(listWindow);

/** GET favourite: the caller's favourites as products, latest first. */
export const listFavourites = operation({
  access: "anyone",
  input: WindowInput,
  async run({ input: { limit, offset }, ...context }) {
    const ids = await favouriteIds(context);
    const page = ids.slice(offset, limit === undefined ? undefined : offset + limit);
    const rows = await findFavouriteProducts(context.db, page);
    return new Listing(
      rows.map((row) => apiProduct(row, { raw: false, isStaff: isStaff(context.user) })),
      ids.length,
    );
  },
});

const PathInput = z.object({ productId: id });

/**
 * PUT favourite/{productId}.
 *
 * @throws AppError notFound (404); conflict (409) for more than 200
 */
export const addFavourite = operation({
  access: "anyone",
  input: PathInput,
  async run({ input: { productId }, ...context }) {
    const { db, user, now } = context;
    const [exists, ids] = await Promise.all([productExists(db, productId), favouriteIds(context)]);
    if (!exists) throw new AppError("notFound", "Product not found");
    if (!ids.includes(productId)) {
      if (ids.length >= MAX_FAVOURITES)
        throw new AppError("conflict", `There is room for ${MAX_FAVOURITES} favourites. Remove one first.`);
      if (user) await insertFavourites(db, user.id, [productId], now);
      else await storeVisitorFavourite(context, productId);
    }
    return { productId, isFavourite: true };
  },
});

/** DELETE favourite/{productId}; one that is not there is no error. */
export const removeFavourite = operation({
  access: "anyone",
  input: PathInput,
  async run({ input: { productId }, ...context }) {
    const { db, user } = context;
    if (user) await deleteFavourite(db, user.id, productId);
    else await dropVisitorFavourite(context, productId);
    return { productId, isFavourite: false };
  },
});

type Fields = Record<string, unknown>;

const outcome = (form: Fields, toast: string) => ({
  to: localPath(form.redirectTo, "/favourites"),
  stay: form.stay === "1",
  toast,
});
const failed = (error: Error) => error.message;

/** Form actions of /favourites. */
export const FAVOURITE_FORMS: FormIntents = {
  add: intent(addFavourite, { done: (_, form) => outcome(form, "Added to your favourites"), failed }),
  remove: intent(removeFavourite, {
    done: (_, form) => outcome(form, "Removed from your favourites"),
    failed,
  }),
};

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

async function storeVisitorFavourite(context: RequestContext, productId: string): Promise<void> {
  const [stored, rows] = await Promise.all([visitorFavourites(context), findRows(context.db, [], productId)]);
  const added = rows.map(({ row, id: rowId }) => ({ row, mark: favouriteMark(rowId) }));
  await setCookie(context, [...added, ...stored]);
}

async function dropVisitorFavourite(context: RequestContext, productId: string): Promise<void> {
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
