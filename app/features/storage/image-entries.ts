/** Widths of resized pictures, px; any other width gets the next larger one. */
export const IMAGE_WIDTHS = [96, 160, 240, 320, 480, 640, 800, 1000] as const;

const STORED = "minio:";

/**
 * Returns the key of a stored object; null for a URL.
 *
 * @param entry of imageUrls: `minio:{key}` or a URL
 */
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
