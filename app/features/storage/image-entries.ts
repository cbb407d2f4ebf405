/** Widths that pictures are made in, px; any other is answered with the next larger (contract: storage/object). */
export const IMAGE_WIDTHS = [96, 160, 240, 320, 480, 640, 800, 1000] as const;

const STORED = "minio:";

/**
 * The key of a stored object.
 *
 * @param entry of imageUrls: `minio:{key}` or an address
 * @returns the key, or null for an address
 */
export function storedKey(entry: string): string | null {
  return entry.startsWith(STORED) ? entry.slice(STORED.length) : null;
}

/**
 * What an entry of imageUrls is shown from (spec 3, Product).
 *
 * @param entry `minio:{key}` or an address
 * @param width px, for a stored one; the original where left out
 */
export function imageUrl(entry: string, width?: number): string {
  const key = storedKey(entry);
  if (key === null) return entry;
  return `/api/storage/object?key=${encodeURIComponent(key)}${width ? `&w=${width}` : ""}`;
}

/**
 * An entry of imageUrls for a stored object, from either of its two forms (spec 3, Product).
 *
 * @param text `minio:{key}`, or the address that shows the object
 * @returns `minio:{key}`, or null for anything else
 */
export function storedEntry(text: string): string | null {
  const key = storedKey(text) ?? shownKey(text);
  return key ? STORED + key : null;
}

/** The key in an address of ours, whatever width it asks for. */
function shownKey(text: string): string | null {
  const query = /^\/api\/storage\/object\/?\?(.*)$/.exec(text)?.[1];
  return query === undefined ? null : new URLSearchParams(query).get("key");
}
