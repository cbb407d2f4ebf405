import type { ProductField } from "~/features/catalogue/product-fields";
import type { Cell } from "./sheet";

/** A product as a file tells it, before its values are read. Blank is "", `undefined` or an empty list. */
export interface Draft extends Record<ProductField, unknown> {
  /** Row of the file, the headers being row 1; its first one where a product has several. */
  row: number;
  /** All of its rows. */
  lines: number[];
  /** What the file says of its kind, as it stands: staff may say which category that is. */
  kind: string;
  /** The file says nothing of its kind: its name stands in for it. */
  isUntyped?: boolean;
  name: string;
  description: string;
  price: Cell | undefined;
  stock: Cell | undefined;
  category: string;
  colors: string[];
  imageUrls: string[];
  /** What staff should know of how it was read. */
  notes: string[];
  /** Why it isn't taken at all, though nothing is wrong with it. */
  skip?: string;
  /** What is wrong with the row as a whole. */
  problem?: string;
}

/** What is noted where no category could be guessed. */
export const NO_CATEGORY = "No category fits";

/** What a file was exported from. */
export type Source = "template" | "shopify" | "woocommerce" | "other";

/**
 * A cell that lists things.
 *
 * @param text parted by commas, semicolons, bars or line breaks; `\,` is a comma that parts nothing, `\\` a backslash
 */
export function splitList(text: string): string[] {
  const entries = text.match(/(?:\\[\\,;|]|[^,;|\n])+/g) ?? [];
  return entries.map((entry) => entry.replace(/\\([\\,;|])/g, "$1").trim()).filter(Boolean);
}

/** A cell that lists addresses: commas inside of one part nothing. */
export function splitUrls(text: string): string[] {
  return text
    .split(/[\s,;|]+(?=(?:https?:\/\/|minio:|\/api\/storage\/))/i)
    .map((entry) => entry.replace(/[\s,;|]+$/, "").trim())
    .filter(Boolean);
}

/** Lists as one cell, so that they are read as they were. */
export function toCell(entries: string[]): string {
  return entries.map((entry) => entry.replace(/[\\,;|]/g, "\\$&")).join(", ");
}
