import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/**
 * Deletions of personal data that are planned or done (docs/decisions/0030-personal-data.md). Only ids, which name nobody
 * once the deletion is done. Times are epoch seconds.
 */
export const erasures = sqliteTable(
  "erasures",
  {
    id: text("id").primaryKey(),
    /** Account, customer or chat of the person. */
    userId: text("user_id"),
    customerId: text("customer_id"),
    chatId: text("chat_id"),
    requestedBy: text("requested_by", { enum: ["owner", "staff"] }).notNull(),
    requestedAt: integer("requested_at").notNull(),
    dueAt: integer("due_at").notNull(),
    /** Time at which the confirmation was mailed; null while it waits. */
    mailedAt: integer("mailed_at"),
    /** Ids of the deleted chats. */
    chats: text("chats", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Ids of the customers. */
    customers: text("customers", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** SHA-256 of the person's e-mail addresses, by which a local shop finds its mails; emptied after a month. */
    addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull().default([]),
    doneAt: integer("done_at"),
  },
  (t) => [
    uniqueIndex("erasures_planned")
      .on(sql`coalesce(user_id, customer_id, chat_id)`)
      .where(sql`done_at IS NULL`),
    index("erasures_due").on(t.dueAt).where(sql`done_at IS NULL`),
    index("erasures_done").on(t.doneAt).where(sql`done_at IS NOT NULL`),
    check("erasures_subject", sql`coalesce(user_id, customer_id, chat_id) IS NOT NULL`),
    check("erasures_requested_by", sql`requested_by IN ('owner', 'staff')`),
  ],
);
