import { productExists } from "~/features/catalogue/product-writes.queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { checkImage, processImage } from "./images.server";
import { UploadInput } from "./schema";

/** Bytes of one call: what an isolate's memory can hold twice over. Larger sets of images go in several calls. */
export const UPLOAD_BYTES = 50 * 1024 * 1024;
const FOLDER = "products/";
const EXTENSION = { "image/jpeg": "jpg", "image/png": "png" } as const;

/**
 * POST storage/upload (back office 7): all of the images or none.
 *
 * @throws AppError notFound (404) without such a product, tooLarge (413), unsupportedType (415), invalid (400)
 */
export const uploadImages = operation({
  access: "staff",
  input: UploadInput,
  status: 201,
  maxBytes: UPLOAD_BYTES,
  accepts: "multipart",
  async run({ env, db, input }) {
    if (!(await productExists(db, input.productId))) throw new AppError("notFound", "Product not found");
    return { objectKeys: await storeImages(env, input.files, input.productId) };
  },
});

/**
 * Processes images and stores them under keys of our making.
 *
 * @param files as sent; each is looked at before any of them is decoded
 * @returns the keys, in the order of the files
 * @throws AppError as checkImage and processImage; nothing is then left in the bucket
 */
export async function storeImages(env: Env, files: File[], productId: string): Promise<string[]> {
  for (const file of files) await checkImage(file);
  const keys: string[] = [];
  try {
    for (const file of files) keys.push(await storeImage(env, file, productId));
    return keys;
  } catch (error) {
    if (keys.length > 0) await env.BUCKET.delete(keys);
    throw error;
  }
}

/** Makes a key for an image. */
export function newImageKey(extension: string): string {
  return `${FOLDER}${crypto.randomUUID()}.${extension}`;
}

/** One at a time, so that one decoded file is in memory and not all of them. */
async function storeImage(env: Env, file: File, productId: string): Promise<string> {
  const { bytes, type } = await processImage(env.IMAGES, await checkImage(file));
  const key = newImageKey(EXTENSION[type]);
  await env.BUCKET.put(key, bytes, { httpMetadata: { contentType: type }, customMetadata: { productId } });
  return key;
}
