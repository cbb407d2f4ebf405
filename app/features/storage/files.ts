/** Files that people attach, to messages and to expenses: their limits and types, shared by browser and server. */

/** Files of one request. */
export const MAX_FILES = 5;
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const FILE_COUNT_LIMIT = `At most ${MAX_FILES} files at a time.`;
/** Types of the file field; browsers convert HEIC where they can decode it. */
export const ACCEPTED_TYPES =
  "image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,application/pdf";
/** Widths of small pictures, px. */
export const THUMBNAIL_WIDTHS = [320, 640] as const;

export const isPicture = ({ contentType }: { contentType: string }) => contentType.startsWith("image/");

const KILOBYTE = 1024;

/** Formats a size: `640 kB`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / KILOBYTE));
  return kilobytes < KILOBYTE ? `${kilobytes} kB` : `${(bytes / KILOBYTE / KILOBYTE).toFixed(1)} MB`;
}
