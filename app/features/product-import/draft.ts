import type { ProductField } from "~/features/catalogue/product-fields";
import type { Cell } from "./sheet";

/** A product of a file, before its values are parsed. Blank is "", `undefined` or an empty list. */
export interface Draft extends Record<ProductField, unknown> {
  /** Its first row in the file, the headers being row 1. */
  row: number;
  /** All of its rows. */
  lines: number[];
  /** Category as the file names it; staff may choose the shop's category for it. */
  sourceCategory: string;
  /** The file names no category; `sourceCategory` is the product's name. */
  isUncategorised?: boolean;
  name: string;
  description: string;
  price: Cell | undefined;
  stock: Cell | undefined;
  category: string;
  colors: string[];
  imageUrls: string[];
  /** Remarks on how it was read. */
  notes: string[];
  /** Reason for leaving out a valid product. */
  skip?: string;
  /** Error in a row as a whole. */
  problem?: string;
}

/** Note on a product whose category could not be guessed. */
export const NO_CATEGORY = "No category fits";

/** Layout of a file. */
export type Source = "template" | "shopify" | "woocommerce" | "other";

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
export function toCell(entries: string[]): string {
  return entries.map((entry) => entry.replace(/[\\,;|]/g, "\\$&")).join(", ");
}
