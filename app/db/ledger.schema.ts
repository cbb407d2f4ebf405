import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Columns of invoices and expenses. `day` is the date in SHOP_TIMEZONE, set on write. */
const entry = () => ({
  /** Named rowid, never reused: the search index refers to it, and a restored entry keeps it. */
  row: integer("row").primaryKey({ autoIncrement: true }),
  id: text("id").notNull().unique(),
  description: text("description").notNull(),
  /** NFC, lower case: for sorting and searching. */
  descriptionKey: text("description_key").notNull(),
  businessType: text("business_type").notNull(),
  amountCents: integer("amount_cents").notNull(),
  createdAt: integer("created_at").notNull(),
  /** YYYY-MM-DD. */
  day: text("day").notNull(),
  /** Increases with every edit, to detect edit conflicts. */
  version: integer("version").notNull().default(1),
  updatedAt: integer("updated_at").notNull(),
});

/** Invoices. Each index serves one sort of the list; the row number breaks ties. */
export const invoices = sqliteTable(
  "invoices",
  {
    ...entry(),
    category: text("category").notNull(),
    quantity: integer("quantity").notNull(),
    paymentMode: text("payment_mode").notNull(),
  },
  (t) => [
    index("invoices_created").on(t.createdAt),
    index("invoices_description").on(t.descriptionKey, t.createdAt),
    index("invoices_category").on(t.category, t.createdAt),
    index("invoices_business").on(t.businessType, t.createdAt),
    index("invoices_payment").on(t.paymentMode, t.createdAt),
    index("invoices_quantity").on(t.quantity, t.createdAt),
    index("invoices_amount").on(t.amountCents, t.createdAt),
  ],
);

/** Expenses. */
export const expenses = sqliteTable(
  "expenses",
  { ...entry(), expenseType: text("expense_type").notNull() },
  (t) => [
    index("expenses_created").on(t.createdAt),
    index("expenses_description").on(t.descriptionKey, t.createdAt),
    index("expenses_type").on(t.expenseType, t.createdAt),
    index("expenses_business").on(t.businessType, t.createdAt),
    index("expenses_amount").on(t.amountCents, t.createdAt),
  ],
);

/** Sum and number of entries, maintained by triggers; a sum without entries may remain with zeros. */
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

/** Sales per day, by the list's filters. */
export const saleDays = sqliteTable(
  "sale_days",
  { day: text("day").notNull(), ...saleKinds(), ...sums(), quantity: integer("quantity").notNull() },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.category, t.paymentMode] })],
);

/** Sales per month (YYYY-MM): a year's chart reads twelve rows. */
export const saleMonths = sqliteTable("sale_months", {
  month: text("month").primaryKey(),
  ...sums(),
  quantity: integer("quantity").notNull(),
});

/** Sales of all time: at most 54 rows. */
export const saleTotals = sqliteTable(
  "sale_totals",
  { ...saleKinds(), ...sums(), quantity: integer("quantity").notNull() },
  (t) => [primaryKey({ columns: [t.businessType, t.category, t.paymentMode] })],
);

/** Expenses per day, by the list's filters. */
export const expenseDays = sqliteTable(
  "expense_days",
  { day: text("day").notNull(), ...expenseKinds(), ...sums() },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.expenseType] })],
);

/** Expenses per month (YYYY-MM). */
export const expenseMonths = sqliteTable("expense_months", { month: text("month").primaryKey(), ...sums() });

/** Expenses of all time: at most 20 rows. */
export const expenseTotals = sqliteTable("expense_totals", { ...expenseKinds(), ...sums() }, (t) => [
  primaryKey({ columns: [t.businessType, t.expenseType] }),
]);

/** Deleted entries, for Undo; the nightly cron purges them (docs/decisions/0012-ledger.md). */
export const deletedEntries = sqliteTable(
  "deleted_entries",
  {
    /** invoice or expense. */
    kind: text("kind").notNull(),
    id: text("id").notNull(),
    /** The whole row. */
    content: text("content", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    deletedAt: integer("deleted_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index("deleted_entries_age").on(t.deletedAt)],
);
