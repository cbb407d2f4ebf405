import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { sessions, users } from "./schema";

/** Web Push subscriptions of browsers: of staff for all chats, and of visitors for their own (docs/decisions/0024-push.md). */
export const pushSubscriptions = sqliteTable(
  "push_subscriptions",
  {
    /** Never used twice, since chat rooms refer to it. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    endpoint: text("endpoint").notNull(),
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** Chat of a visitor; "" for staff. */
    chatId: text("chat_id").notNull().default(""),
    /** Session that subscribed, with which the subscription ends; null for an anonymous visitor. */
    tokenHash: text("token_hash").references(() => sessions.tokenHash, { onDelete: "cascade" }),
    /** Time of the last subscription, epoch seconds. */
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("push_subscriptions_endpoint").on(t.endpoint, t.chatId),
    index("push_subscriptions_chat").on(t.chatId, t.createdAt),
    index("push_subscriptions_renewed").on(t.createdAt).where(sql`chat_id <> ''`),
    index("push_subscriptions_session").on(t.tokenHash),
    check("push_subscriptions_owner", sql`${t.chatId} <> '' OR ${t.tokenHash} IS NOT NULL`),
  ],
);

/** Notification settings of staff; no row before the first save. */
export const pushPreferences = sqliteTable(
  "push_preferences",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Includes the message's text and the visitor's name. */
    hasPreview: integer("has_preview", { mode: "boolean" }).notNull().default(true),
  },
  (t) => [check("push_preferences_values", sql`${t.hasPreview} IN (0, 1)`)],
);
