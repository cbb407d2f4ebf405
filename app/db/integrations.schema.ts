import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** API keys of staff; triggers delete those of accounts that are deleted or no longer staff. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    userId: text("user_id").notNull(),
    name: text("name").notNull(),
    scope: text("scope", { enum: ["read", "write"] }).notNull(),
    /** SHA-256 of the key, hex. */
    tokenHash: text("token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Written once an hour at most. */
    lastUsedAt: integer("last_used_at"),
  },
  (t) => [
    uniqueIndex("api_keys_token").on(t.tokenHash),
    index("api_keys_user").on(t.userId, t.createdAt),
    index("api_keys_created").on(t.createdAt, t.id),
    check("api_keys_scope", sql`scope IN ('read', 'write')`),
  ],
);

/** Receivers of the shop's events (docs/decisions/0033-webhooks.md). */
export const webhooks = sqliteTable("webhooks", {
  id: text("id").primaryKey(),
  url: text("url").notNull(),
  /** JSON array of events. */
  events: text("events", { mode: "json" }).$type<string[]>().notNull(),
  /** Pieces up to which `stock.low` is reported. */
  lowStock: integer("low_stock").notNull(),
  /** Base64 of the bytes that sign. */
  secret: text("secret").notNull(),
  /** Secret before the rotation, which still signs until `previousUntil`. */
  previousSecret: text("previous_secret"),
  previousUntil: integer("previous_until"),
  createdAt: integer("created_at").notNull(),
  /** Time of the latest success. */
  succeededAt: integer("succeeded_at"),
  disabledAt: integer("disabled_at"),
  /** Reason why it is disabled. */
  note: text("note").notNull().default(""),
});

/** Outbox and log of webhooks. Triggers write the events of D1, the rooms those of chats. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** Sent as `webhook-id`. */
    id: text("id").primaryKey(),
    webhookId: text("webhook_id").notNull(),
    event: text("event").notNull(),
    /** Id of the document, product or chat. */
    subject: text("subject").notNull(),
    /** JSON; null before the first attempt, and empty for a sale, whose document is final and read each time. */
    data: text("data"),
    state: text("state", { enum: ["waiting", "delivered", "failed"] })
      .notNull()
      .default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    dueAt: integer("due_at").notNull(),
    /** Result of the latest attempt in words. */
    result: text("result").notNull().default(""),
    attemptedAt: integer("attempted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("webhook_deliveries_due").on(t.dueAt).where(sql`state = 'waiting'`),
    index("webhook_deliveries_log").on(t.webhookId, t.createdAt),
    index("webhook_deliveries_old").on(t.createdAt),
    index("webhook_deliveries_subject").on(t.subject, t.webhookId),
    check("webhook_deliveries_state", sql`state IN ('waiting', 'delivered', 'failed')`),
  ],
);

/** Note of a webhook that an admin has disabled; others were disabled because nothing arrived. */
export const DISABLED_BY_ADMIN = "Disabled by an admin.";

/** Host of a webhook's URL, which names it in the audit log; path and query may contain a secret. */
export const WEBHOOK_HOST = sql.raw(
  "substr(url, 9, instr(replace(substr(url, 9), '?', '/') || '/', '/') - 1)",
);
