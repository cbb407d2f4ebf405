import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What both kinds of entry in the books have (back office 3). `day` is the local one in SHOP_TIMEZONE, set when written. */
const entry = () => ({
  /** The rowid by name, never used twice: the search index refers to it, and an entry put back keeps its own. */
  row: integer("row").primaryKey({ autoIncrement: true }),
  id: text("id").notNull().unique(),
  description: text("description").notNull(),
  /** NFC, lower case: what the list sorts and searches by. */
  descriptionKey: text("description_key").notNull(),
  businessType: text("business_type").notNull(),
  amountCents: integer("amount_cents").notNull(),
  createdAt: integer("created_at").notNull(),
  /** YYYY-MM-DD. */
  day: text("day").notNull(),
  /** Grows with every edit: of two people who edit one entry the second is told. */
  version: integer("version").notNull().default(1),
  updatedAt: integer("updated_at").notNull(),
});

/** What was sold (back office 3, Invoice). Each index is a sort of the list; the row number settles ties. */
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

/** What was spent (back office 3, Expense). */
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

/** How many entries make up a sum, kept by triggers; a sum without entries may stay behind, all zeros. */
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

/** Sales of each local day, by everything that the list filters by. */
export const saleDays = sqliteTable(
  "sale_days",
  { day: text("day").notNull(), ...saleKinds(), ...sums(), quantity: integer("quantity").notNull() },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.category, t.paymentMode] })],
);

/** Sales of each local month (YYYY-MM): the year's graph reads twelve rows. */
export const saleMonths = sqliteTable("sale_months", {
  month: text("month").primaryKey(),
  ...sums(),
  quantity: integer("quantity").notNull(),
});

/** Sales of all time: 54 rows at most. */
export const saleTotals = sqliteTable(
  "sale_totals",
  { ...saleKinds(), ...sums(), quantity: integer("quantity").notNull() },
  (t) => [primaryKey({ columns: [t.businessType, t.category, t.paymentMode] })],
);

/** Expenses of each local day, by everything that the list filters by. */
export const expenseDays = sqliteTable(
  "expense_days",
  { day: text("day").notNull(), ...expenseKinds(), ...sums() },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.expenseType] })],
);

/** Expenses of each local month (YYYY-MM). */
export const expenseMonths = sqliteTable("expense_months", { month: text("month").primaryKey(), ...sums() });

/** Expenses of all time: 20 rows at most. */
export const expenseTotals = sqliteTable("expense_totals", { ...expenseKinds(), ...sums() }, (t) => [
  primaryKey({ columns: [t.businessType, t.expenseType] }),
]);

/** Entries that were deleted, for Undo; the nightly cron empties it (docs/decisions/0012-ledger.md). */
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
