import type { products } from "~/db/schema";

export const MAX_STOCK = 1_000_000;

/** Columns that the server fills in, and those that only the page of a product edits. */
type OwnColumn =
  | "row"
  | "id"
  | "nameKey"
  | "sortKey"
  | "searchText"
  | "imageAlts"
  | "shuffle"
  | "createdAt"
  | "updatedAt"
  | "held"
  | "stockChange"
  | "optionLabel"
  | "plates";

/** Columns that staff fill in. */
export type EditableColumns = Omit<typeof products.$inferSelect, OwnColumn>;

interface FieldEntry {
  /** Name in forms, in the API and in spreadsheets. */
  name: string;
  /** Cell of the spreadsheet template. */
  example: string;
}

/**
 * Product fields in the order of the spreadsheet's columns. A new column of `products` must be added here; the compiler
 * then reports every place that reads, writes, compares or displays the fields.
 */
export const PRODUCT_FIELDS = {
  name: { name: "name", example: "Walnut cutting board" },
  description: { name: "description", example: "<p>Hand-finished, 40 × 28 cm</p>" },
  priceCents: { name: "price", example: "64.00" },
  stock: { name: "stock", example: "12" },
  category: { name: "category", example: "HOME_DECOR" },
  colors: { name: "colors", example: "Walnut, Oak" },
  hasEngraving: { name: "hasEngraving", example: "yes" },
  imageUrls: {
    name: "imageUrls",
    example: "https://example.com/board-1.jpg, https://example.com/board-2.jpg",
  },
} as const satisfies Record<keyof EditableColumns, FieldEntry>;

export type ProductField = (typeof PRODUCT_FIELDS)[keyof EditableColumns]["name"];

/** Columns of the spreadsheet template, in its order. */
export const FIELDS: readonly ProductField[] = Object.values(PRODUCT_FIELDS).map(({ name }) => name);

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
