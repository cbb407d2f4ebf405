import type { Category } from "~/features/catalogue/categories";
import type { Mapping } from "./columns";
import type { Source } from "./draft";

/** What storing would do with a row, or did. */
export type PlannedAction = "create" | "update" | "skip" | "refuse";

/** A row of the dry run. */
export interface PlanRow {
  /** Of the file, the headers being row 1. */
  row: number;
  product: string;
  does: PlannedAction;
  /** Of a product that would be new, in short. */
  what?: string;
  /** Of a product that would change. */
  changes?: { field: string; from: string; to: string }[];
  /** Why it is skipped or refused. */
  why?: string;
  /** What staff should know of how it was read. */
  notes?: string;
}

/** What a dry run tells of one by one: of another shop's export, products, which may have several rows. */
export function rowLabel(source: Source): "row" | "product" {
  return source === "shopify" || source === "woocommerce" ? "product" : "row";
}

/** A kind of product that the file names, and the category that it is taken for. */
export interface KindGuess {
  kind: string;
  products: number;
  /** null: none of the nine, so its rows are refused unless staff say which it is. */
  category: Category | null;
  /** It is a product's name: the file says nothing of its kind. */
  isUntyped: boolean;
}

/** Staff's word on a file. */
export interface BulkChoices {
  /** Where the columns go; null leaves it to be guessed. */
  columns: Mapping | null;
  /** Which category a kind is; under `""` that of products of which the file says nothing. */
  categories: Record<string, Category>;
}

/** What a dry run answers. */
export interface Plan {
  fileName: string;
  bytes: number;
  sheetName: string | null;
  source: Source;
  rows: PlanRow[];
  /** Rows of the file below its headers. */
  fileRows: number;
  headers: string[];
  /** First value under each header. */
  samples: string[];
  mapping: Mapping;
  /** Whether it was read as staff said last time. */
  remembered: boolean;
  /** What it was read by: sent along, storing does the same. null where all was guessed. */
  choices: BulkChoices | null;
  kinds: KindGuess[];
  /** Why nothing can be read before staff say where the columns go. */
  problem?: string;
  /** What is missing in the columns for what the file is to do. */
  wanting?: string;
}

/** What a bulk upload answers (contract: Routes). */
export interface BulkResult {
  message: string;
  created: number;
  updated: number;
  errors: number;
  errorDetails: { row: number; product: string; error: string }[];
  /** What staff should know of rows that weren't refused; only where there is something. */
  notes?: RowNote[];
}

/** Of a row that was stored or left out. */
export interface RowNote {
  row: number;
  product: string;
  note: string;
}

/** Lines of the answer while a bulk upload goes on; the last one has the result or what went wrong. */
export type ImportRowResult =
  | { stored: number; total: number }
  | { result: BulkResult; run: string }
  | { failure: string };

/** A bulk upload that was, for the screen. Times are epoch seconds. */
export interface RunView {
  id: string;
  userName: string;
  fileName: string;
  source: string;
  /** running, done, failed or cut off. */
  state: string;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  startedAt: number;
  finishedAt: number | null;
  /** The first refused rows; only where one run is looked at. */
  errorDetails: BulkResult["errorDetails"];
  /** The first rows of which there is something to know; likewise. */
  notes: RowNote[];
}
