import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Holds and quotes (docs/decisions/0025-sales.md). Times are epoch seconds, money is cents.

/** Products set aside. `state` changes only by an action: a hold ends at `until` without a write. */
export const holds = sqliteTable(
  "holds",
  {
    id: text("id").primaryKey(),
    chatId: text("chat_id"),
    customerId: text("customer_id"),
    until: integer("until").notNull(),
    state: text("state", { enum: ["active", "released", "sold"] })
      .notNull()
      .default("active"),
    documentId: text("document_id"),
    requestHash: text("request_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").notNull(),
  },
  (t) => [
    index("holds_chat").on(t.chatId, t.createdAt).where(sql`chat_id IS NOT NULL`),
    index("holds_customer").on(t.customerId, t.createdAt).where(sql`customer_id IS NOT NULL`),
    index("holds_active_chat").on(t.chatId, t.until).where(sql`state = 'active' AND chat_id IS NOT NULL`),
    index("holds_until").on(t.until),
    // By state in the order of the ends; partial, so that they find a customer's or chat's holds for no query.
    index("holds_ending").on(t.until).where(sql`state = 'active'`),
    index("holds_put_back").on(t.until).where(sql`state = 'released'`),
    index("holds_bought").on(t.until).where(sql`state = 'sold'`),
    index("holds_active").on(t.until, t.customerId).where(sql`state = 'active' AND customer_id IS NOT NULL`),
    index("holds_open").on(t.customerId, t.until).where(sql`state = 'active' AND customer_id IS NOT NULL`),
    index("holds_unlinked").on(t.until).where(sql`state = 'active' AND customer_id IS NULL`),
    index("holds_sold").on(t.documentId).where(sql`document_id IS NOT NULL`),
    check("holds_state", sql`${t.state} IN ('active', 'released', 'sold')`),
  ],
);

/** Lines of holds. Lines with `isInHeldCount` are in `products.held`, until a write finds that they have ended. */
export const holdLines = sqliteTable(
  "hold_lines",
  {
    holdId: text("hold_id").notNull(),
    productId: text("product_id").notNull(),
    /** A trigger names the product's only unit where a line of the previous version names none. */
    unitId: text("unit_id").notNull().default(""),
    name: text("name").notNull(),
    quantity: integer("quantity").notNull(),
    /** End of the hold, copied for the indexes. */
    until: integer("until").notNull(),
    isInHeldCount: integer("counted", { mode: "boolean" }).notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.holdId, t.unitId] }),
    index("hold_lines_counted").on(t.productId, t.until, t.quantity).where(sql`counted = 1`),
    index("hold_lines_units").on(t.unitId, t.until, t.quantity).where(sql`counted = 1`),
    index("hold_lines_ended").on(t.until).where(sql`counted = 1`),
    check("hold_lines_quantity", sql`${t.quantity} > 0`),
  ],
);

export interface QuoteLine {
  /** Product that the chat asked for, with its unit; missing in free lines. */
  productId?: string | undefined;
  unitId?: string | undefined;
  description: string;
  material: string;
  size: string;
  quantity: number;
  /** For all pieces. */
  amountCents: number;
}

/** Quotes; one expires at `validUntil` without a write. */
export const quotes = sqliteTable(
  "quotes",
  {
    id: text("id").primaryKey(),
    chatId: text("chat_id").notNull(),
    title: text("title").notNull(),
    lines: text("lines", { mode: "json" }).$type<QuoteLine[]>().notNull(),
    /** Ids of files in the chat. */
    files: text("files", { mode: "json" }).$type<string[]>().notNull(),
    /** YYYY-MM-DD, or empty. */
    readyBy: text("ready_by").notNull(),
    validUntil: integer("valid_until").notNull(),
    note: text("note").notNull(),
    state: text("state", { enum: ["sent", "accepted", "declined", "withdrawn"] })
      .notNull()
      .default("sent"),
    totalCents: integer("total_cents").notNull(),
    /** Sale recorded from the quote. */
    documentId: text("document_id"),
    requestHash: text("request_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").notNull(),
    /** Customer of the chat, kept by triggers (migrations/0055_customer_activity.sql). */
    customerId: text("customer_id"),
    /** Since when the work waits for being fetched, epoch seconds; null while it is to be done. */
    readyAt: integer("ready_at"),
    /** Deposits that are neither paid back nor count towards a sale, kept by a trigger. */
    depositCents: integer("deposit_cents").notNull().default(0),
  },
  (t) => [
    index("quotes_chat").on(t.chatId, t.createdAt),
    index("quotes_valid").on(t.validUntil),
    // Those that were sent are in quotes_open.
    index("quotes_agreed").on(t.validUntil).where(sql`state = 'accepted'`),
    index("quotes_declined").on(t.validUntil).where(sql`state = 'declined'`),
    index("quotes_withdrawn").on(t.validUntil).where(sql`state = 'withdrawn'`),
    // Work that is promised, by its day; last what has none.
    index("quotes_jobs")
      .on(sql`(ready_by = '')`, t.readyBy, t.createdAt)
      .where(sql`state = 'accepted' AND document_id IS NULL`),
    // The same without what is done, which waits for being fetched.
    index("quotes_to_do")
      .on(sql`(ready_by = '')`, t.readyBy, t.createdAt)
      .where(sql`state = 'accepted' AND document_id IS NULL AND ready_at IS NULL`),
    index("quotes_ready")
      .on(t.readyAt)
      .where(sql`state = 'accepted' AND document_id IS NULL AND ready_at IS NOT NULL`),
    index("quotes_deposit").on(t.validUntil, t.depositCents).where(sql`deposit_cents > 0`),
    index("quotes_sent_chat").on(t.chatId, t.createdAt).where(sql`state = 'sent'`),
    index("quotes_open").on(t.validUntil, t.chatId).where(sql`state = 'sent'`),
    index("quotes_accepted").on(t.state, t.chatId).where(sql`state = 'accepted' AND document_id IS NULL`),
    index("quotes_customer").on(t.customerId, t.createdAt).where(sql`customer_id IS NOT NULL`),
    index("quotes_sent")
      .on(t.customerId, t.validUntil)
      .where(sql`state = 'sent' AND customer_id IS NOT NULL`),
    index("quotes_unsold")
      .on(t.customerId, t.createdAt)
      .where(sql`state = 'accepted' AND document_id IS NULL AND customer_id IS NOT NULL`),
    index("quotes_sent_unlinked").on(t.validUntil).where(sql`state = 'sent' AND customer_id IS NULL`),
    index("quotes_unsold_unlinked")
      .on(t.createdAt)
      .where(sql`state = 'accepted' AND document_id IS NULL AND customer_id IS NULL`),
    index("quotes_sold").on(t.documentId).where(sql`document_id IS NOT NULL`),
    check("quotes_state", sql`${t.state} IN ('sent', 'accepted', 'declined', 'withdrawn')`),
  ],
);

/** Numbers of holds and quotes by stored state, maintained by triggers so that no list counts rows. */
export const holdQuoteCounts = sqliteTable(
  "hold_quote_counts",
  {
    kind: text("kind", { enum: ["hold", "quote"] }).notNull(),
    state: text("state").notNull(),
    total: integer("total").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.state] })],
);
