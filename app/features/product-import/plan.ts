import type { Category } from "~/domain/categories";
import type { ImportRun } from "~/features/product-runs/queries/runs.server";
import type { Source } from "./draft";
import type { PriceColumn, VariantPrice } from "./price-column";
import type { Mapping, ReadingChoices, SheetReading } from "./sheet";

export type PlannedAction = "create" | "update" | "skip" | "reject";

/** Change of a field, or of a field of a unit, as readers see it. */
export interface PlannedChange {
  field: string;
  from: string;
  to: string;
}

export interface PlanRow {
  /** Number of the row in the file, from 1. */
  row: number;
  product: string;
  action: PlannedAction;
  summary?: string;
  changes?: PlannedChange[];
  reason?: string;
  notes?: string;
  /** Title of what the product was recognised by: its key, its name, or New; in one of its rows. */
  by?: string;
}

/** Columns among which staff must choose the price, with the values of some rows. */
export interface PriceQuestion {
  products: { row: number; name: string }[];
  columns: (PriceColumn & { samples: string[] })[];
}

/** Names what a plan's row stands for: in another shop's export a product, which may have several rows. */
export function rowLabel({ isGrouped }: Pick<Plan, "isGrouped">): "row" | "product" {
  return isGrouped ? "product" : "row";
}

/** A category named in the file, and the shop's category that it is read as. */
export interface CategoryGuess {
  sourceCategory: string;
  products: number;
  /** Stored products among them, which keep their category because this one is only guessed. */
  kept: number;
  /** null: none of the nine, so its rows are rejected unless staff choose one. */
  category: Category | null;
  /** The file names no category; `sourceCategory` is the product's name. */
  isUncategorised: boolean;
}

export interface ImportChoices {
  /** Field of each column; null to guess them. */
  columns: Mapping | null;
  /** Category by category name in the file; `""` for all products without one. */
  categories: Record<string, Category>;
  reading: ReadingChoices;
  variantPrice: VariantPrice | null;
  /** Stock of what the other system does not count; null leaves it. */
  untracked: number | null;
}

export interface Plan {
  /** The planned run, for which the file is stored. */
  run: string;
  fileName: string;
  bytes: number;
  sheetName: string | null;
  source: Source;
  /** Name of the layout, where the source doesn't say it. */
  title: string | null;
  /** Remark on every file of the layout. */
  remark?: string;
  /** A product may have several rows. */
  isGrouped: boolean;
  rows: PlanRow[];
  /** Rows of the file below its headers. */
  fileRows: number;
  headers: string[];
  samples: string[];
  mapping: Mapping;
  /** Columns that are not taken over. */
  unread: number[];
  /** The mapping was saved with an earlier file of these headers. */
  remembered: boolean;
  /** Choices that the plan applies; null where everything was guessed. Committing with them does the same. */
  choices: ImportChoices | null;
  categories: CategoryGuess[];
  /** Products for which the file names no category. */
  uncategorised: Pick<CategoryGuess, "products" | "kept">;
  /** Reason why no row can be read until staff map the columns. */
  problem?: string;
  reading: SheetReading;
  /** Epoch seconds. */
  checkedAt: number;
  /** Question that staff must answer before any row is read. */
  prices?: PriceQuestion;
  /** Products whose variants have prices of their own, with the first one's. */
  variants?: { products: number; name: string; prices: string[] };
  /** Products that the other system does not count, with the first one's name. */
  untracked?: { products: number; name: string };
  /** Column that new products need and the file lacks. */
  missing?: string;
}

/** Dry run of the form without JavaScript, with the message of a choice that could not be applied. */
export interface PlanPage {
  plan: Plan;
  failure?: string;
}

/** Answer of POST product/bulk-upload. */
export interface ImportResult {
  message: string;
  /** The run that stored the file. */
  runId: string;
  created: number;
  updated: number;
  errors: number;
  errorDetails: { row: number; product: string; error: string }[];
  /** Remarks on rows that were not rejected; absent when there are none. */
  notes?: RowNote[];
}

/** Remark on a row that names a product with choices as a whole. */
export const STOCK_STAYS = "Its stock is counted for each choice: it stays as it is";
export const OWN_PRICES_STAY = "Its choices with prices of their own keep them";

export interface RowNote {
  row: number;
  product: string;
  note: string;
}

/** Line of a streamed answer; the last one has the result or the failure. */
export type ImportProgress =
  | { stored: number; total: number }
  | { result: ImportResult; run: string }
  | { failure: string };

/** A committed run. Times are epoch seconds. */
export interface RunView extends Omit<ImportRun, "fingerprint" | "state" | "errorDetails" | "notes"> {
  state: ImportRun["state"] | "interrupted";
  /** The first rejected rows; empty in lists. */
  errorDetails: ImportResult["errorDetails"];
  /** The first remarks; empty in lists. */
  notes: RowNote[];
}

/** Page of the products; the import is a dialog of it. */
export const PRODUCTS_PATH = "/admin/products-management";
export const IMPORT_DIALOG = "bulk-upload";

/** Returns the path that downloads the rejected rows of a run; without an id, those of a plan by POST. */
export function rejectedRowsPath(id?: string): string {
  const path = `${PRODUCTS_PATH}/rejected`;
  return id === undefined ? path : `${path}/${id}`;
}

/** Builds the URL of a run's result. @param url of the import screen, with its query */
export const runUrl = (url: string, id: string) => `${url}&${new URLSearchParams({ run: id })}`;

/** Returns the R2 key of the spreadsheet that a run stores. */
export const sourceKey = (run: string) => `imports/${run}/source`;

/** Recognises the key of a spreadsheet among those below `imports/`. */
export const isSourceKey = (key: string) => key.endsWith("/source");

/** Returns the R2 key of a run's rejected rows. */
export const rejectedRowsKey = (run: string) => `imports/${run}`;
