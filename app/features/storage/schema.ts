import { z } from "zod";
import { id, wholeNumber } from "~/http/fields";

/** GET storage/object: key of a stored object, and the width it is wanted at (px). */
export const ObjectInput = z.object({
  key: z.string({ error: "A key is required" }).min(1, "A key is required").max(1024, "The key is too long"),
  w: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

/** Images of one call (budgets: Safe). */
const MOST_FILES = 20;
/** Bytes of one image. */
export const FILE_BYTES = 10 * 1024 * 1024;
/** Width of, height times width of an image that is taken. */
export const MAX_PIXELS = 50_000_000;
/** What an image is made to fit, and how well it is kept (back office 9, Image processing). */
export const IMAGE_WIDTH = 1024;
export const JPEG_QUALITY = 0.85;

/** The files of a form's field; a field that was left empty sends one without a name. */
export const imageFiles = z
  .array(z.unknown())
  .transform((list) => list.filter((file): file is File => file instanceof File && !isBlank(file)))
  .refine((files) => files.length <= MOST_FILES, `At most ${MOST_FILES} images at a time`);

/** What a form sends of a field for files in which none was chosen. */
export function isBlank(file: File): boolean {
  return file.size === 0 && file.name === "";
}

/** POST storage/upload: multipart `files`…, `productId`. */
export const UploadInput = z
  .object({ form: z.instanceof(FormData) })
  .transform(({ form }): { files: unknown[]; productId: unknown } => ({
    files: form.getAll("files"),
    productId: form.get("productId") ?? undefined,
  }))
  .pipe(
    z.object({
      files: imageFiles.refine((files) => files.length > 0, "At least one image is required"),
      productId: z.string({ error: "A product is required" }).pipe(id),
    }),
  );
