import { z } from "zod";
import { localTo } from "~/domain/local-to";
import { Product } from "~/features/catalogue/answers";
import { apiProduct } from "~/features/catalogue/product-views.server";
import { findCardsById } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { id, listWindow } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { Listing, operation } from "~/http/operation.server";
import { isStaff } from "~/session/caller.server";
import { Favourite } from "./answers";
import { deleteFavourite, findFavouriteProducts, insertFavourites, MAX_FAVOURITES } from "./queries.server";
import { dropVisitorFavourite, favouriteIds, storeVisitorFavourite } from "./store.server";

const WindowInput = z.object(listWindow);

/** GET favourite: the caller's favourites as products, latest first. */
export const listFavourites = operation({
  route: "GET favourite",
  summary: "List the caller's favourites, latest first",
  answer: z.array(Product),
  isList: true,
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

const productNotFound = () => new AppError("notFound", "Product not found");
const isFull = () =>
  new AppError("conflict", `There is room for ${MAX_FAVOURITES} favourites. Remove one first.`);

/**
 * PUT favourite/{productId}.
 *
 * @throws AppError notFound (404); conflict (409) for more than 200
 */
export const addFavourite = operation({
  route: "PUT favourite/:productId",
  summary: "Add a favourite; at most 200",
  answer: Favourite,
  errors: [404, 409],
  access: "anyone",
  input: PathInput,
  async run({ input: { productId }, ...context }) {
    const { db, user, now } = context;
    const isStored = user
      ? await insertFavourites(db, user.id, [productId], now)
      : await storeVisitorFavourite(context, productId);
    if (!isStored) throw (await findCardsById(db, [productId])).length > 0 ? isFull() : productNotFound();
    return { productId, isFavourite: true };
  },
});

/** DELETE favourite/{productId}; one that is not there is no error. */
export const removeFavourite = operation({
  route: "DELETE favourite/:productId",
  summary: "Remove a favourite",
  answer: Favourite,
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
  to: localTo(form.redirectTo, "/favourites"),
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
