import { z } from "zod";
import type { Db } from "~/db/client.server";
import { identityKey, searchForm, sortKey } from "~/db/text";
import { claimedImages } from "~/features/storage/image-claims.server";
import { Id, MessageAnswer } from "~/http/answers";
import { AppError, validationError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { concurrentChange, writeOrExplain } from "~/http/refused-write.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { fullName } from "~/session/caller.server";
import { Product } from "../answers";
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_LENGTH_MESSAGE,
  MAX_TAGS,
  MAX_TAGS_MESSAGE,
  type NewProduct,
  NewProductInput,
  PRODUCT,
  type ProductChanges,
  ProductChangesInput,
  type ProductContent,
  ProductPathInput,
} from "../product";
import { apiProduct } from "../product-views.server";
import {
  countHeld,
  findProduct,
  type NewProductRow,
  type ProductRow,
  SHUFFLE_RANGE,
} from "../queries.server";
import { plainText, richText } from "../rich-text.server";
import { coloursOf } from "../units";
import type { UnitPlan } from "../units.queries.server";
import {
  deleteProductRow,
  insertProduct,
  type ProductColumns,
  updateProductRow,
} from "../writes.queries.server";
import { refuseBelowHolds, rejectStaleProduct, seenColumns } from "./product-conflict.server";
import { planNewUnits, planUnits, refuseHeldProduct, refuseHeldUnits } from "./units.server";

/** A description of 20,000 characters and long lists, as JSON. */
const MAX_BYTES = 256 * 1024;

const noSuchProduct = () => new AppError("notFound", "Product not found");

/**
 * POST product: 201 `{productId, id}`. A client that sends its own `id` may repeat the request.
 *
 * @throws AppError conflict (409) when the id names another product or a deleted one
 */
export const createProduct = operation({
  route: "POST product",
  summary: "Add a product",
  answer: z.object({ productId: Id, id: Id }),
  errors: [409],
  access: "staff",
  input: NewProductInput,
  status: 201,
  maxBytes: MAX_BYTES,
  async run({ db, env, input, now, user }) {
    const imageUrls = await claimedImages({ db, env, now }, input.imageUrls);
    const { id } = (await addProduct(db, newProduct({ ...input, imageUrls }, now), fullName(user))).product;
    return { productId: id, id };
  },
});

/** Row of a new product, with the units that are planned with it. */
export interface NewProductWithUnits {
  product: NewProductRow;
  units: UnitPlan | null;
}

/**
 * Stores a new product once; a repeated request returns the stored product.
 *
 * @throws AppError conflict (409) when its id names another product or a deleted one
 */
export async function addProduct(
  db: Db,
  { product, units }: NewProductWithUnits,
  actor: string,
): Promise<{ product: NewProductRow; isNew: boolean }> {
  const isNew = await writeOrExplain(
    () => insertProduct(db, product, units, actor),
    async () => false,
  );
  if (isNew) return { product, isNew };
  const stored = await findProduct(db, product.id);
  if (!stored) throw new AppError("conflict", "This product was deleted.");
  // After an edit only the name can be compared; a different product must not be dropped silently.
  const isChanged = stored.updatedAt !== stored.createdAt;
  const sent = isChanged
    ? { name: product.name }
    : Object.fromEntries(CONTENT.map((column) => [column, product[column]]));
  return { product: repeatedAnswer(stored, sent, ADDED_ALREADY), isNew: false };
}

const ADDED_ALREADY = "A product has been added by this form already. Open it anew for another one.";

/** The fields that repeated requests share; images may have been added after the first one. */
const { imageUrls: _, ...content } = PRODUCT.fields;
const CONTENT = Object.keys(content) as (keyof typeof content)[];

/** Attempts of an edit during which others write the same product. */
const MAX_ATTEMPTS = 4;

/** PUT product/{id}; missing fields stay unchanged. @throws AppError notFound (404) */
export const updateProduct = operation({
  route: "PUT product/:id",
  summary: "Change a product; missing fields stay",
  answer: Product,
  errors: [409],
  access: "staff",
  input: ProductChangesInput,
  maxBytes: MAX_BYTES,
  async run(context) {
    const { input } = context;
    const stockWas = input.stockWas ?? input.was?.stock ?? undefined;
    const after = await changeProduct(context, { ...input, stockWas });
    return apiProduct(after, { raw: false, isStaff: true });
  },
});

/**
 * Writes an edit of a product.
 *
 * @throws AppError notFound (404); invalid (400) for image keys that the server has not issued; conflict (409) when somebody
 * else has changed a field of the edit, when it sets a stock that has changed since the caller saw it, with the current one
 * in the detail `stockWas`, or one below more pieces on hold than it saw
 */
export async function changeProduct(
  storage: Pick<StaffContext, "db" | "env" | "now" | "user">,
  changes: ProductChanges,
  attempt = 1,
): Promise<ProductRow> {
  const { db } = storage;
  const before = await findProduct(db, changes.id);
  if (!before) throw noSuchProduct();
  rejectStaleProduct(before, changes);
  const stockWas = changes.stock === undefined ? undefined : changes.stockWas;
  const held = changes.heldWas;
  const after = await writeChanges(storage, before, changes);
  if (after) return after;
  const current = await findProduct(db, changes.id);
  if (!current) throw noSuchProduct();
  const isStockStale = stockWas !== undefined && current.stock !== stockWas;
  if (isStockStale && current.stock !== changes.stock) throw staleStock(current.stock);
  if (changes.stock !== undefined && held !== undefined)
    refuseBelowHolds(current.stock, changes.stock, await countHeld(db, changes.id), held);
  if (attempt >= MAX_ATTEMPTS) throw concurrentChange();
  // Somebody else was faster: with another value the next attempt is refused, and two who set the same agree.
  const next = isStockStale ? { ...changes, stockWas: current.stock } : changes;
  return changeProduct(storage, next, attempt + 1);
}

/** Writes an edit unless the product has changed since it was read. @returns null or undefined when it has */
async function writeChanges(
  storage: Pick<StaffContext, "db" | "env" | "now" | "user">,
  before: ProductRow,
  changes: ProductChanges,
): Promise<ProductRow | null | undefined> {
  const { db, now, user } = storage;
  const imageUrls = changes.imageUrls && (await claimedImages(storage, changes.imageUrls, before.imageUrls));
  const units = planUnits(before, changes, imageUrls ?? before.imageUrls);
  const columns = changedColumns(before, { ...changes, ...(imageUrls && { imageUrls }) }, now, units);
  const { stockWas: stock, heldWas: held } = changes;
  const seen = {
    ...seenColumns(before, changes),
    held,
    ...(columns.stock !== undefined && stock !== undefined && { stock }),
  };
  const write = {
    ...{ columns, units, actor: fullName(user), seen, now },
    priceCents: changes.price ?? before.priceCents,
    hasOwnPrices: before.baseCents !== null,
  };
  return writeOrExplain(
    () => updateProductRow(db, before.id, write),
    async () => {
      if (units) await refuseHeldUnits(db, units, before);
      return null;
    },
  );
}

function staleStock(stock: number): AppError {
  const now = stock.toLocaleString("en");
  return new AppError(
    "conflict",
    `The stock has changed to ${now} since this was opened. Nothing is saved.`,
    {
      details: [
        { path: "stock", message: `Now ${now}. Save again to overwrite it.` },
        { path: "stockWas", message: String(stock) },
      ],
      isPublic: true,
    },
  );
}

/**
 * DELETE product/{id}. A nightly job removes images that no product names any more.
 *
 * @throws AppError notFound (404); conflict (409) while pieces are on hold, with who has them
 */
export const deleteProduct = operation({
  route: "DELETE product/:id",
  summary: "Delete a product",
  answer: MessageAnswer,
  errors: [409],
  access: "staff",
  input: ProductPathInput,
  async run({ db, input: { id }, user }) {
    const isDeleted = await writeOrExplain(
      () => deleteProductRow(db, id, fullName(user)),
      async () => {
        await refuseHeldProduct(db, id);
        return undefined;
      },
    );
    if (!isDeleted) throw noSuchProduct();
    return { message: "Product deleted successfully!" };
  },
});

/**
 * Builds the row of a new product.
 *
 * @param product validated; price in cents; the id is optional
 * @param now epoch seconds
 */
export function newProduct(sent: NewProduct, now: number): NewProductWithUnits {
  const id = sent.id ?? crypto.randomUUID();
  const plan = planNewUnits({ ...sent, id });
  const options = plan?.options ?? [];
  const product = { ...sent, ...(options.length > 0 && { colors: coloursOf(options) }) };
  const row = {
    ...(PRODUCT.stored(product) as ProductContent),
    ...storedDescription(product.description),
    id,
    ...nameKeys(product.name),
    searchColors: colorsForm(product.colors),
    imageAlts: [],
    shuffle: Math.floor(Math.random() * SHUFFLE_RANGE),
    options,
    stock: plan ? plan.units.reduce((sum, unit) => sum + unit.stock, 0) : product.stock,
    baseCents: null,
    createdAt: now,
    updatedAt: now,
  };
  return { product: row, units: plan };
}

/** Description with its keys: sanitised HTML, and plain text for search. */
export interface StoredDescription {
  description: string;
  searchText: string;
  searchDescription: string | null;
}

/**
 * Builds the description columns.
 *
 * @throws AppError invalid (400) when closing open tags makes the description too long
 */
export function storedDescription(html: string): StoredDescription {
  const description = richText(html);
  const tags = description.split("<").length - 1;
  if (description.length > MAX_DESCRIPTION_LENGTH) throw descriptionError(MAX_LENGTH_MESSAGE);
  if (tags > MAX_TAGS) throw descriptionError(MAX_TAGS_MESSAGE);
  const searchText = plainText(description);
  return { description, searchText, searchDescription: searchForm(searchText) };
}

function descriptionError(message: string): AppError {
  return validationError([{ path: "description", message }]);
}

/**
 * Builds the columns that an edit writes.
 *
 * @param changes validated; undefined fields stay unchanged
 * @param now epoch seconds
 * @param units that it gets; null leaves them
 */
export function changedColumns(
  before: NewProductRow,
  changes: ProductChanges,
  now: number,
  units: UnitPlan | null = null,
): ProductColumns {
  const { description, name, imageUrls } = changes;
  const { options = before.options } = units ?? {};
  const colors = options.length > 0 ? units && coloursOf(options) : changes.colors;
  const stock = options.length > 0 ? undefined : (units?.units[0]?.stock ?? changes.stock);
  return {
    ...PRODUCT.stored({ ...changes, stock, colors: colors ?? undefined }),
    ...(units && { options }),
    ...(description !== undefined && storedDescription(description)),
    ...(name !== undefined && nameKeys(name)),
    ...(colors && { searchColors: colorsForm(colors) }),
    ...(imageUrls && { imageAlts: reorderAlts(before, imageUrls) }),
    updatedAt: now,
  };
}

const nameKeys = (name: string) => ({
  nameKey: identityKey(name),
  sortKey: sortKey(name),
  searchName: searchForm(name),
});

/** Builds the form of colors, which are stored as JSON, for the search. */
export const colorsForm = (colors: string[]): string | null => searchForm(JSON.stringify(colors));

/** Moves alternative texts along with their images; a new image gets the product's name. */
function reorderAlts(before: NewProductRow, imageUrls: string[]): string[] {
  const known = new Map(before.imageUrls.map((url, i) => [url, before.imageAlts[i]]));
  const alts = imageUrls.map((url) => known.get(url));
  const last = alts.findLastIndex((alt) => alt !== undefined);
  return alts.slice(0, last + 1).map((alt) => alt ?? before.name);
}
