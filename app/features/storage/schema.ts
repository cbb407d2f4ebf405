import { z } from "zod";
import { id, wholeNumber } from "~/http/fields";
import { formEntries } from "~/http/form-fields";
import { FILE_COUNT_LIMIT, MAX_FILES } from "./files";

/** Key of an attached file and the requested width of a picture, px; an unknown key is answered 404. */
export const FileInput = z.object({
  key: z.string().catch(""),
  w: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

/** GET storage/object: key of a stored object and requested width, px. */
export const ObjectInput = z.object({
  key: z.string({ error: "A key is required" }).min(1, "A key is required").max(1024, "The key is too long"),
  w: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

const MAX_IMAGES = 20;
export const MAX_PIXELS = 50_000_000;
/** Maximum width of a stored image, px, and its JPEG quality. */
export const IMAGE_WIDTH = 1024;
export const JPEG_QUALITY = 0.85;

/** Files of a form field, without the nameless file that an empty field sends. */
const formFiles = z
  .array(z.unknown())
  .transform((list) => list.filter((file): file is File => file instanceof File && !isBlank(file)));

export const imageFiles = formFiles.refine(
  (files) => files.length <= MAX_IMAGES,
  `At most ${MAX_IMAGES} images at a time`,
);

/** Files that are attached to a message or an expense. */
export const attachedFiles = formFiles.refine((files) => files.length <= MAX_FILES, FILE_COUNT_LIMIT);

/** Recognises the nameless file that an empty field sends. */
export function isBlank(file: File): boolean {
  return file.size === 0 && file.name === "";
}

/** Returns the files of a form, and reports those under another name, which would be lost without a word. */
export function filesOf(form: FormData, { addIssue }: z.core.$RefinementCtx): FormDataEntryValue[] {
  const isLost = ([name, value]: [string, FormDataEntryValue]) =>
    name !== "files" && value instanceof File && !isBlank(value);
  if ([...form].some(isLost))
    addIssue({ code: "custom", path: ["files"], message: "Files belong in the field files" });
  return form.getAll("files");
}

/** POST storage/upload: multipart `files`…, `productId`. */
export const UploadInput = formEntries({ one: ["productId"], all: ["files"] })
  .transform((entries): Record<string, unknown> => entries)
  .pipe(
    z.object({
      files: imageFiles.refine((files) => files.length > 0, "At least one image is required"),
      productId: z.string({ error: "A product is required" }).pipe(id),
    }),
  );
/** Widths of resized pictures, px; any other width gets the next larger one. */
export const IMAGE_WIDTHS = [96, 160, 240, 320, 480, 640, 800, 1000] as const;

const STORED = "minio:";

/** Returns the key of a stored object; null for a URL. @param entry of imageUrls: `minio:{key}` or a URL */
export function storedKey(entry: string): string | null {
  return entry.startsWith(STORED) ? entry.slice(STORED.length) : null;
}

/**
 * Converts an entry of imageUrls to a URL.
 *
 * @param entry `minio:{key}` or a URL
 * @param width px, for a stored object; the original size by default
 */
export function imageUrl(entry: string, width?: number): string {
  const key = storedKey(entry);
  if (key === null) return entry;
  return `/api/storage/object?key=${encodeURIComponent(key)}${width ? `&w=${width}` : ""}`;
}

/**
 * Parses an entry for a stored object.
 *
 * @param text `minio:{key}` or the URL of the object
 * @returns `minio:{key}`; null for anything else
 */
export function storedEntry(text: string): string | null {
  const key = storedKey(text) ?? keyInUrl(text);
  return key ? STORED + key : null;
}

function keyInUrl(text: string): string | null {
  const query = /^\/api\/storage\/object\/?\?(.*)$/.exec(text)?.[1];
  return query === undefined ? null : new URLSearchParams(query).get("key");
}
