import { productExists } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { checkImage, processImage } from "./images.server";
import { UploadInput } from "./schema";

/** Maximum size of one call, bytes: an isolate's memory holds it twice. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;
const FOLDER = "products/";
const EXTENSION = { "image/jpeg": "jpg", "image/png": "png" } as const;

/**
 * POST storage/upload: stores all of the images or none.
 *
 * @throws AppError notFound (404) for an unknown product, tooLarge (413), unsupportedType (415), invalid (400)
 */
export const uploadImages = operation({
  access: "staff",
  input: UploadInput,
  status: 201,
  maxBytes: MAX_UPLOAD_BYTES,
  accepts: "multipart",
  async run({ env, db, input }) {
    if (!(await productExists(db, input.productId))) throw new AppError("notFound", "Product not found");
    return { objectKeys: await storeImages(env, input.files, input.productId) };
  },
});

/**
 * Processes images and stores them under new keys. Every file is checked before the first one is decoded.
 *
 * @returns keys in the order of the files
 * @throws AppError of checkImage and processImage; the bucket is then unchanged
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

export function newImageKey(extension: string): string {
  return `${FOLDER}${crypto.randomUUID()}.${extension}`;
}

/** Stores one image; sequential calls keep only one decoded file in memory. */
async function storeImage(env: Env, file: File, productId: string): Promise<string> {
  const { bytes, type } = await processImage(env.IMAGES, await checkImage(file));
  const key = newImageKey(EXTENSION[type]);
  await env.BUCKET.put(key, bytes, { httpMetadata: { contentType: type }, customMetadata: { productId } });
  return key;
}
