import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

// Runs that change many products, and what is kept of them (docs/decisions/0070-undo-of-runs.md). Times are epoch seconds.

/** Runs that change many products: of the import, of an act on ticked products, and those that take another run back. */
export const importRuns = sqliteTable(
  "import_runs",
  {
    id: text("id").primaryKey(),
    /** Kept when the account is deleted. */
    userName: text("user_name").notNull(),
    fileName: text("file_name").notNull(),
    /** SHA-256 of the person, the file's name and its content, while the run is planned. */
    fingerprint: text("fingerprint"),
    source: text("source", { enum: ["template", "shopify", "woocommerce", "other"] }).notNull(),
    state: text("state", { enum: ["planned", "running", "done", "failed"] }).notNull(),
    rows: integer("rows").notNull().default(0),
    created: integer("created").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    unchanged: integer("unchanged").notNull().default(0),
    rejected: integer("refused").notNull().default(0),
    /** JSON: the first rejected rows, `{row, product, error}`; R2 has all of them. */
    errorDetails: text("error_details", { mode: "json" }).$type<unknown[]>().notNull().default([]),
    /** JSON: the first rows that were skipped or guessed, `{row, product, note}`. */
    notes: text("notes", { mode: "json" }).$type<unknown[]>().notNull().default([]),
    startedAt: integer("started_at").notNull(),
    finishedAt: integer("finished_at"),
    kind: text("kind", { enum: ["import", "act", "undo"] })
      .notNull()
      .default("import"),
    /** Run that this one takes back; a run is taken back once. */
    undoes: text("undoes"),
    /** Last row of the other run's changes that an undo has taken back. */
    position: integer("position").notNull().default(0),
    /** Products that the run deleted. */
    removed: integer("removed").notNull().default(0),
    /** Products that the run hid in place of deleting them. */
    hidden: integer("hidden").notNull().default(0),
    /** Products that an undo took back in part, since other fields have been changed meanwhile; `unchanged` counts those that stayed whole. */
    partial: integer("partial").notNull().default(0),
  },
  (t) => [
    index("import_runs_started").on(t.startedAt, t.id),
    uniqueIndex("import_runs_fingerprint").on(t.fingerprint),
    uniqueIndex("import_runs_undoes").on(t.undoes),
    check("import_runs_kind", sql`${t.kind} IN ('import', 'act', 'undo')`),
    check("import_runs_source", sql`${t.source} IN ('template', 'shopify', 'woocommerce', 'other')`),
    check("import_runs_state", sql`${t.state} IN ('planned', 'running', 'done', 'failed')`),
  ],
);

/**
 * Changes that a run made, for 30 days, by which it is taken back (app/features/product-runs). Triggers keep the images of
 * `before` from the nightly clean-up.
 */
export const productChanges = sqliteTable(
  "product_changes",
  {
    row: integer("row").primaryKey(),
    runId: text("run_id").notNull(),
    /** Stays when the product is deleted. */
    productId: text("product_id").notNull(),
    /** `stayed`: an undo left it whole; `unchanged`: keys of other systems alone. */
    outcome: text("outcome", {
      enum: ["created", "updated", "partial", "removed", "hidden", "stayed", "unchanged"],
    }).notNull(),
    /** JSON by column of `products`: the columns that the run wrote; null for a product that it created. */
    before: text("before"),
    /** JSON like `before`; null for a product that the run deleted. */
    after: text("after"),
    /** JSON by column of the fields that an undo left, and by reason of what kept a product: `sold`, `held`, `asked`. */
    stayed: text("stayed"),
    /** Last row of `stock_movements` before the change. */
    movement: integer("movement").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("product_changes_product").on(t.runId, t.productId),
    index("product_changes_outcome").on(t.runId, t.outcome, t.row),
    index("product_changes_run").on(t.runId, t.row),
    index("product_changes_created").on(t.createdAt),
    check(
      "product_changes_outcome",
      sql`${t.outcome} IN ('created', 'updated', 'partial', 'removed', 'hidden', 'stayed', 'unchanged')`,
    ),
  ],
);

/** Fields that staff chose for the columns of files with the same headers. */
export const importMappings = sqliteTable("import_mappings", {
  /** SHA-256 of the headers, hex. */
  headers: text("headers").primaryKey(),
  mapping: text("mapping", { mode: "json" }).$type<Record<string, string>>().notNull(),
  updatedAt: integer("updated_at").notNull(),
});
