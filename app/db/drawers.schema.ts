import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Cash drawers, one a business and day; closed ones never change (docs/decisions/0076-drawer.md). */
export const drawers = sqliteTable(
  "drawers",
  {
    id: text("id").primaryKey(),
    businessType: text("business_type").notNull(),
    /** YYYY-MM-DD in SHOP_TIMEZONE. */
    day: text("day").notNull(),
    /** Cash that was in it when it was opened. */
    floatCents: integer("float_cents").notNull(),
    openedBy: text("opened_by").notNull(),
    openedAt: integer("opened_at").notNull(),
    /** Cash that was expected and counted when it was closed; null while it is open. */
    expectedCents: integer("expected_cents"),
    countedCents: integer("counted_cents"),
    /** Payments by mode and cash expenses as they were then; null while it is open, and where an earlier version closed it. */
    closedSums: text("closed_sums", { mode: "json" }).$type<
      { mode: string; amountCents: number; count: number }[]
    >(),
    closedExpensesCents: integer("closed_expenses_cents"),
    /** Of the difference. */
    reason: text("reason").notNull().default(""),
    closedBy: text("closed_by").notNull().default(""),
    closedAt: integer("closed_at"),
  },
  (t) => [
    uniqueIndex("drawers_day").on(t.businessType, t.day),
    uniqueIndex("drawers_open").on(t.businessType).where(sql`closed_at IS NULL`),
  ],
);

/** Sums of the payments that moved money, by day (YYYY-MM-DD), business and mode; a trigger adds to them. */
export const paymentSums = sqliteTable(
  "payment_sums",
  {
    day: text("day").notNull(),
    businessType: text("business_type").notNull(),
    mode: text("mode").notNull(),
    payments: integer("payments").notNull(),
    amountCents: integer("amount_cents").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.businessType, t.mode] })],
);
