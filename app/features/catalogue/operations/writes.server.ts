import type { Db } from "~/db/client.server";
import { claimedImages } from "~/features/storage/claim.server";
import { AppError, validationError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type EditableColumns, PRODUCT_FIELDS } from "../product-fields";
import {
  DESCRIPTION_LENGTH,
  MAX_LENGTH_MESSAGE,
  MAX_TAGS,
  MAX_TAGS_MESSAGE,
  type NewProduct,
  NewProductInput,
  nameKey,
  type ProductChanges,
  ProductChangesInput,
  ProductPathInput,
} from "../product-schema";
import { apiProduct } from "../product-views.server";
import {
  deleteProductRow,
  insertProduct,
  type ProductColumns,
  updateProductRow,
} from "../product-writes.queries.server";
import { findProduct, type ProductRow, SHUFFLE_RANGE } from "../queries.server";
import { plainText, richText } from "../rich-text.server";

/** A description of 20,000 characters and long lists, as JSON. */
const MAX_BYTES = 256 * 1024;

const noSuchProduct = () => new AppError("notFound", "Product not found");

/**
 * POST product (back office 7): 201 `{productId, id}`. With an `id` of the client's making it may be sent twice.
 *
 * @throws AppError conflict (409) when the id names another product
 */
export const createProduct = operation({
  access: "staff",
  input: NewProductInput,
  status: 201,
  maxBytes: MAX_BYTES,
  async run({ db, env, input, now }) {
    const imageUrls = await claimedImages({ db, env, now }, input.imageUrls);
    const { id } = (await addProduct(db, newProduct({ ...input, imageUrls }, now))).product;
    return { productId: id, id };
  },
});

/**
 * Stores a new product, once (budgets: Never loses).
 *
 * @returns the product as it is stored, and whether it is new
 * @throws AppError conflict (409) when its id names another product
 */
export async function addProduct(
  db: Db,
  product: Omit<ProductRow, "row">,
): Promise<{ product: Omit<ProductRow, "row">; isNew: boolean }> {
  if (await insertProduct(db, product)) return { product, isNew: true };
  const stored = await findProduct(db, product.id);
  // Changed since, no more of it than its name can be compared: what is said of another product mustn't get lost.
  const isChanged = stored?.updatedAt !== stored?.createdAt;
  const isSame =
    stored && (isChanged ? stored.name === product.name : contentOf(stored) === contentOf(product));
  if (!isSame)
    throw new AppError(
      "conflict",
      "A product has been added by this form already. Open it anew for another one.",
    );
  return { product: stored, isNew: false };
}

/** Fields that two requests for one product share; images may have come after the first. */
function contentOf(product: Omit<ProductRow, "row">): string {
  return JSON.stringify(CONTENT.map((column) => product[column]));
}

const CONTENT = (Object.keys(PRODUCT_FIELDS) as (keyof EditableColumns)[]).filter(
  (column) => column !== "imageUrls",
);

/**
 * PUT product/{id}: what is missing stays as it was.
 *
 * @throws AppError notFound (404)
 */
export const updateProduct = operation({
  access: "staff",
  input: ProductChangesInput,
  maxBytes: MAX_BYTES,
  async run(context) {
    const after = await changeProduct(context, context.input);
    return apiProduct(after, false);
  },
});

/**
 * Writes a change of a product.
 *
 * @throws AppError notFound (404); invalid (400) for images that the server has not issued
 */
export async function changeProduct(
  storage: Pick<RequestContext, "db" | "env" | "now">,
  changes: ProductChanges,
): Promise<ProductRow> {
  const { db, now } = storage;
  const before = await findProduct(db, changes.id);
  if (!before) throw noSuchProduct();
  const imageUrls = changes.imageUrls && (await claimedImages(storage, changes.imageUrls, before.imageUrls));
  const columns = changedColumns(before, { ...changes, ...(imageUrls && { imageUrls }) }, now);
  const after = await updateProductRow(db, before.id, columns);
  if (!after) throw noSuchProduct();
  return after;
}

/**
 * DELETE product/{id}. Its images stay until no product names them (contract: Settled); a nightly job removes them.
 *
 * @throws AppError notFound (404)
 */
export const deleteProduct = operation({
  access: "staff",
  input: ProductPathInput,
  async run({ db, input }) {
    if (!(await deleteProductRow(db, input.id))) throw noSuchProduct();
    return { message: "Product deleted successfully!" };
  },
});

/**
 * A row for a new product.
 *
 * @param product checked; its price in cents; with an id of the client's making, or none
 * @param now epoch seconds
 */
export function newProduct(product: NewProduct, now: number): Omit<ProductRow, "row"> {
  const { price, description, imageUrls, ...rest } = product;
  return {
    ...rest,
    ...storedDescription(description),
    id: product.id ?? crypto.randomUUID(),
    nameKey: nameKey(product.name),
    priceCents: price,
    imageUrls,
    imageAlts: [],
    shuffle: Math.floor(Math.random() * SHUFFLE_RANGE),
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * A description as it is stored: clean, and once more without tags for the search.
 *
 * @throws AppError invalid (400): cleaning may make it longer than one may be, as it closes what was left open
 */
export function storedDescription(html: string): { description: string; searchText: string } {
  const description = richText(html);
  const tags = description.split("<").length - 1;
  if (description.length > DESCRIPTION_LENGTH) throw refused(MAX_LENGTH_MESSAGE);
  if (tags > MAX_TAGS) throw refused(MAX_TAGS_MESSAGE);
  return { description, searchText: plainText(description) };
}

function refused(message: string): AppError {
  return validationError([{ path: "description", message }]);
}

/**
 * The columns that a change sets.
 *
 * @param changes checked; undefined stays
 * @param now epoch seconds
 */
export function changedColumns(before: ProductRow, changes: ProductChanges, now: number): ProductColumns {
  const { id: _, price, description, name, imageUrls, ...rest } = changes;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(price !== undefined && { priceCents: price }),
    ...(description !== undefined && storedDescription(description)),
    ...(name !== undefined && { name, nameKey: nameKey(name) }),
    ...(imageUrls && { imageUrls, imageAlts: altsOf(before, imageUrls) }),
    updatedAt: now,
  };
}

/** What pictures show goes with them to their new places; a new one shows what the product is called. */
function altsOf(before: ProductRow, imageUrls: string[]): string[] {
  const known = new Map(before.imageUrls.map((url, place) => [url, before.imageAlts[place]]));
  const alts = imageUrls.map((url) => known.get(url));
  const last = alts.findLastIndex((alt) => alt !== undefined);
  return alts.slice(0, last + 1).map((alt) => alt ?? before.name);
}
