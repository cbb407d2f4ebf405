import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Columns that invoices and expenses share. Times are epoch seconds. */
const entry = () => ({
  /** Explicit rowid, never reused: the search index refers to it, and an entry restored by Undo keeps it. */
  row: integer("row").primaryKey({ autoIncrement: true }),
  id: text("id").notNull().unique(),
  description: text("description").notNull(),
  /** `foldText` of the description (app/db/text.ts), for sorting and searching. */
  descriptionKey: text("description_key").notNull(),
  businessType: text("business_type").notNull(),
  amountCents: integer("amount_cents").notNull(),
  createdAt: integer("created_at").notNull(),
  /** YYYY-MM-DD in SHOP_TIMEZONE at the time of writing. */
  day: text("day").notNull(),
  /** Incremented by each edit, to detect edit conflicts. */
  version: integer("version").notNull().default(1),
  updatedAt: integer("updated_at").notNull(),
});

/** Sales. Each index serves a sort of the list; triggers check enumerations (migrations/0012_ledger_enums.sql). */
export const invoices = sqliteTable(
  "invoices",
  {
    ...entry(),
    category: text("category").notNull(),
    quantity: integer("quantity").notNull(),
    paymentMode: text("payment_mode").notNull(),
    /** Document of the sale, which makes the row read-only; null for a sale entered by hand. */
    documentId: text("document_id"),
    /** Tax within the amount. */
    taxCents: integer("tax_cents").notNull().default(0),
    /** 1 for a row of a document that states a tax, also where the row holds none: cash rounding, what costs nothing. */
    taxStated: integer("tax_stated").notNull().default(0),
  },
  (t) => [
    index("invoices_created").on(t.createdAt),
    index("invoices_description").on(t.descriptionKey, t.createdAt),
    index("invoices_category").on(t.category, t.createdAt),
    index("invoices_business").on(t.businessType, t.createdAt),
    index("invoices_payment").on(t.paymentMode, t.createdAt),
    index("invoices_quantity").on(t.quantity, t.createdAt),
    index("invoices_amount").on(t.amountCents, t.createdAt),
    // For the version before, which still runs during a deployment.
    index("invoices_untaxed").on(t.createdAt).where(sql`tax_cents = 0`),
    index("invoices_without_tax").on(t.createdAt).where(sql`tax_cents = 0 AND tax_stated = 0`),
  ],
);

export const expenses = sqliteTable(
  "expenses",
  {
    ...entry(),
    expenseType: text("expense_type").notNull(),
    /** Tax within the amount, as the seller read it from the bill. */
    taxCents: integer("tax_cents").notNull().default(0),
    supplier: text("supplier").notNull().default(""),
    /** `foldText` of the supplier, for searching. */
    supplierKey: text("supplier_key").notNull().default(""),
    /** Empty where nobody stated it. */
    paymentMode: text("payment_mode").notNull().default(""),
  },
  (t) => [
    index("expenses_created").on(t.createdAt),
    index("expenses_description").on(t.descriptionKey, t.createdAt),
    index("expenses_type").on(t.expenseType, t.createdAt),
    index("expenses_business").on(t.businessType, t.createdAt),
    index("expenses_amount").on(t.amountCents, t.createdAt),
    index("expenses_taxed").on(t.createdAt).where(sql`tax_cents <> 0`),
    index("expenses_untaxed").on(t.createdAt).where(sql`tax_cents = 0`),
    index("expenses_cash").on(t.businessType, t.day).where(sql`payment_mode = 'CASH'`),
    index("expenses_supplied").on(t.createdAt).where(sql`supplier <> ''`),
  ],
);

/** Bills of expenses; R2 has their content. A removed one stays for Undo until the nightly purge. */
export const expenseFiles = sqliteTable(
  "expense_files",
  {
    row: integer("row").primaryKey({ autoIncrement: true }),
    /** Key of the object in R2. */
    key: text("key").notNull().unique(),
    expenseId: text("expense_id").notNull(),
    /** Of name and content: the same file is attached once. */
    hash: text("hash").notNull(),
    name: text("name").notNull(),
    contentType: text("content_type").notNull(),
    size: integer("size").notNull(),
    /** Size of a picture in px; null for other files. */
    width: integer("width"),
    height: integer("height"),
    createdAt: integer("created_at").notNull(),
    removedAt: integer("removed_at"),
  },
  (t) => [
    uniqueIndex("expense_files_hash").on(t.expenseId, t.hash),
    index("expense_files_expense").on(t.expenseId).where(sql`removed_at IS NULL`),
    index("expense_files_removed").on(t.removedAt).where(sql`removed_at IS NOT NULL`),
  ],
);

/** Number and sum of the entries, maintained by triggers; a row may remain with zeros. */
const sums = () => ({
  entries: integer("entries").notNull(),
  amountCents: integer("amount_cents").notNull(),
});
const saleKinds = () => ({
  businessType: text("business_type").notNull(),
  category: text("category").notNull(),
  paymentMode: text("payment_mode").notNull(),
});
const expenseKinds = () => ({
  businessType: text("business_type").notNull(),
  expenseType: text("expense_type").notNull(),
});

/** Sales of each local day by business, category and payment mode, the filters of the list. */
export const saleDays = sqliteTable(
  "sale_days",
  { day: text("day").notNull(), ...saleKinds(), ...sums(), quantity: integer("quantity").notNull() },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.category, t.paymentMode] })],
);

/** Sales of each local day of both businesses together, so that the dashboard reads one row a day. */
export const saleDates = sqliteTable("sale_dates", { day: text("day").primaryKey(), ...sums() });

/** Sales of each local month, YYYY-MM. */
export const saleMonths = sqliteTable("sale_months", {
  month: text("month").primaryKey(),
  ...sums(),
  quantity: integer("quantity").notNull(),
});

/** Sales of all time by business, category and payment mode: 54 rows at most. */
export const saleTotals = sqliteTable(
  "sale_totals",
  { ...saleKinds(), ...sums(), quantity: integer("quantity").notNull() },
  (t) => [primaryKey({ columns: [t.businessType, t.category, t.paymentMode] })],
);

/** Expenses of each local day by business and type, the filters of the list. */
export const expenseDays = sqliteTable(
  "expense_days",
  { day: text("day").notNull(), ...expenseKinds(), ...sums() },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.expenseType] })],
);

/** Expenses of each local month, YYYY-MM. */
export const expenseMonths = sqliteTable("expense_months", { month: text("month").primaryKey(), ...sums() });

/** Expenses of all time by business and type: 20 rows at most. */
export const expenseTotals = sqliteTable("expense_totals", { ...expenseKinds(), ...sums() }, (t) => [
  primaryKey({ columns: [t.businessType, t.expenseType] }),
]);

/** Deleted entries, for Undo until the nightly purge (docs/decisions/0012-ledger.md). */
export const deletedEntries = sqliteTable(
  "deleted_entries",
  {
    /** `invoice` or `expense`. */
    kind: text("kind").notNull(),
    id: text("id").notNull(),
    /** All columns of the row. */
    content: text("content", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    deletedAt: integer("deleted_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index("deleted_entries_age").on(t.deletedAt)],
);

/** Amount and tax by business: of each local day, month and year, and of all time. Maintained by triggers. */
export const ledgerPeriods = sqliteTable(
  "ledger_periods",
  {
    /** `sale` or `expense`. */
    kind: text("kind").notNull(),
    /** `day`, `month`, `year` or `all`. */
    unit: text("unit").notNull(),
    /** YYYY-MM-DD, YYYY-MM, YYYY or `all`. */
    period: text("period").notNull(),
    businessType: text("business_type").notNull(),
    entries: integer("entries").notNull(),
    amountCents: integer("amount_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    /** Number of entries that state a tax, themselves or by their document. */
    taxed: integer("taxed").notNull().default(0),
    /** Amounts of the entries that state a tax. */
    taxedCents: integer("taxed_cents").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.kind, t.unit, t.period, t.businessType] })],
);
