/**
 * Splits a cell that holds a list.
 *
 * @param text separated by commas, semicolons, bars or line breaks; `\,` is a literal comma, `\\` a backslash
 */
export function splitList(text: string): string[] {
  const entries = text.match(/(?:\\[\\,;|]|[^,;|\n])+/g) ?? [];
  return entries.map((entry) => entry.replace(/\\([\\,;|])/g, "$1").trim()).filter(Boolean);
}

/** Splits a cell that holds URLs, which may contain commas. */
export function splitUrls(text: string): string[] {
  return text
    .split(/[\s,;|]+(?=(?:https?:\/\/|minio:|\/api\/storage\/))/i)
    .map((entry) => entry.replace(/[\s,;|]+$/, "").trim())
    .filter(Boolean);
}

/** Joins a list into one cell that splitList reads back. */
export function joinList(entries: string[]): string {
  return entries.map((entry) => entry.replace(/[\\,;|]/g, "\\$&")).join(", ");
}
