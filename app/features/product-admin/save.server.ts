import {
  addProduct,
  changedColumns,
  changeProduct,
  newProduct,
} from "~/features/catalogue/operations/writes.server";
import { newProductId } from "~/features/catalogue/product-schema";
import { updateProductRow } from "~/features/catalogue/product-writes.queries.server";
import type { ProductRow } from "~/features/catalogue/queries.server";
import { claimedImages } from "~/features/storage/claim.server";
import { storeImages, UPLOAD_BYTES } from "~/features/storage/upload.server";
import { asAppError, type OperationContext, operation } from "~/http/operation.server";
import { MAX_FIELDS, ProductForm, type ProductFormInput } from "./schema";

/** A product that was saved; with `problem`, without its new images. */
export interface Saved {
  id: string;
  problem: string | null;
}

type Staff = OperationContext<"staff", ProductFormInput>;

/** Adds a product by the form: it is created, then its images are uploaded, then it is told of them (back office 4). */
export const createProductByForm = operation({
  access: "staff",
  input: ProductForm,
  maxBytes: UPLOAD_BYTES,
  accepts: "multipart",
  maxFields: MAX_FIELDS,
  async run(context): Promise<Saved> {
    const { db, input, now } = context;
    const { files, id: given, untouched: _, ...fields } = input;
    const id = newProductId.safeParse(given).data;
    const imageUrls = await claimedImages(context, fields.imageUrls);
    const { product, isNew } = await addProduct(db, newProduct({ ...fields, imageUrls, id }, now));
    // Sent once more because its answer was lost: what has its images needs none.
    const isWhole = product.imageUrls.length >= imageUrls.length + files.length;
    if (!isNew && isWhole) return { id: product.id, problem: null };
    return addImages(context, { ...product, row: 0 }, imageUrls);
  },
});

/**
 * Changes a product by the form.
 *
 * @throws AppError notFound (404); invalid (400) for images that the server has not issued
 */
export const updateProductByForm = operation({
  access: "staff",
  input: ProductForm,
  maxBytes: UPLOAD_BYTES,
  accepts: "multipart",
  maxFields: MAX_FIELDS,
  async run(context): Promise<Saved> {
    const { files: _, id = "", untouched, ...fields } = context.input;
    const changes = Object.entries(fields).filter(([name]) => !untouched.includes(name));
    const after = await changeProduct(context, { id, ...Object.fromEntries(changes) });
    return addImages(context, after, after.imageUrls);
  },
});

/**
 * Uploads the files. What the form holds besides is saved by now: images that can't be made cost nobody what was typed, nor the others.
 *
 * @param before the entries that stand before them
 */
async function addImages(
  { env, db, input, now }: Staff,
  product: ProductRow,
  before: string[],
): Promise<Saved> {
  const { id } = product;
  const problems: string[] = [];
  const entries: string[] = [];
  for (const file of input.files) {
    try {
      const keys = await storeImages(env, [file], id);
      entries.push(...keys.map((key) => `minio:${key}`));
    } catch (error) {
      problems.push(asAppError(error).message);
    }
  }
  const imageUrls = [...before, ...entries];
  if (entries.length > 0) await updateProductRow(db, id, changedColumns(product, { id, imageUrls }, now));
  if (problems.length === 0) return { id, problem: null };
  const words = `Failed to upload images: ${problems.join(", ")}`;
  return { id, problem: `${words}. Everything else is saved: add what is missing here.` };
}
