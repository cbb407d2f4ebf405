import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { FirstQuestions } from "../domain/first-questions";
import { lacksSearchForm, searchFormColumn } from "./columns";
import { sessions, users } from "./schema";

const flag = (name: string) => integer(name, { mode: "boolean" }).notNull().default(false);

/** Number by which a chat of a visitor without a name is told apart: the last four letters or digits of its id. */
export const chatNumber = sql.raw("upper(substr(replace(replace(id, '-', ''), '_', ''), -4))");
export const isUnnamed = sql.raw("lower(user_name) IN ('', 'new customer')");

/**
 * Chat list of the console: each row is a projection of a room, which owns the chat and updates the row on every change
 * (docs/architecture.md, Chat).
 */
export const chats = sqliteTable(
  "chats",
  {
    id: text("id").primaryKey(),
    userName: text("user_name").notNull(),
    userEmail: text("user_email").notNull().default(""),
    /** Signed-in customer who started the chat. No foreign key: a room must be able to write its row at any time. */
    userId: text("user_id"),
    isAnonymous: flag("is_anonymous"),
    /** Shortened. */
    lastMessage: text("last_message").notNull().default(""),
    /** Epoch milliseconds, for the order of chats within one second. */
    lastMessageAt: integer("last_message_at").notNull(),
    unreadCount: integer("unread_count").notNull().default(0),
    /** Increases with every change of the room, so that a late write never overwrites a newer one. */
    revision: integer("revision").notNull(),
    createdAt: integer("created_at").notNull(),
    /** A visitor's message reopens a closed chat. */
    state: text("state", { enum: ["open", "closed"] })
      .notNull()
      .default("open"),
    /** Member of staff who looks after the chat. No foreign key, as for userId. */
    assigneeId: text("assignee_id"),
    /** Epoch milliseconds of the first visitor's message without an answer by a person. */
    waitingSince: integer("waiting_since"),
    lastSender: text("last_sender", { enum: ["visitor", "staff", "auto"] })
      .notNull()
      .default("auto"),
    /** Staff's messages that the visitor has not seen. */
    visitorUnread: integer("visitor_unread").notNull().default(0),
    /** Id of the first chat of the browser that started this one; null for chats from before it was stored. */
    visitorId: text("visitor_id"),
    /** Member of staff who wrote last. No foreign key, as for userId. */
    lastStaffId: text("last_staff_id"),
    /** Product that the chat was last about. No foreign key, as for userId. */
    productId: text("product_id"),
    /** First product that the visitor asked for or about, after which their list names the chat. No foreign key. */
    subjectId: text("subject_id"),
    /** Color that was chosen of it last. */
    subjectColor: text("subject_color"),
    /** Number of different products that the visitor asked for or about, 0 in rows of before. */
    subjectCount: integer("subject_count").notNull().default(0),
    /** YYYY-MM in the shop's time zone, of the chat's beginning; final. */
    month: text("month").notNull().default(""),
  },
  (t) => [
    index("chats_latest").on(t.lastMessageAt, t.id),
    index("chats_month").on(t.month, t.id),
    index("chats_user").on(t.userId, t.lastMessageAt),
    index("chats_answers")
      .on(t.userId, t.lastMessageAt, t.id, t.visitorUnread)
      .where(sql`visitor_unread > 0`),
    index("chats_state").on(t.state, t.lastMessageAt, t.id),
    index("chats_assignee").on(t.assigneeId, t.lastMessageAt, t.id).where(sql`assignee_id IS NOT NULL`),
    index("chats_visitor").on(t.visitorId, t.userId).where(sql`visitor_id IS NOT NULL`),
    index("chats_browser").on(t.visitorId, t.lastMessageAt, t.id).where(sql`visitor_id IS NOT NULL`),
    index("chats_waiting_since").on(t.waitingSince, t.id).where(sql`waiting_since IS NOT NULL`),
    index("chats_waiting").on(t.lastMessageAt, t.id).where(sql`waiting_since IS NOT NULL`),
    index("chats_product").on(t.productId).where(sql`product_id IS NOT NULL`),
    index("chats_subject").on(t.subjectId).where(sql`subject_id IS NOT NULL`),
    index("chats_number").on(chatNumber).where(isUnnamed),
    index("chats_unread").on(t.lastMessageAt, t.id, t.unreadCount).where(sql`unread_count > 0`),
    check("chats_state_values", sql`${t.state} IN ('open', 'closed')`),
    check("chats_last_sender_values", sql`${t.lastSender} IN ('visitor', 'staff', 'auto')`),
  ],
);

/**
 * Numbers of chats by filter: `open`, `closed`, `unanswered` and `assignee:{user id}`. Triggers keep them in step with
 * `chats` (migrations/0020_chat_counts.sql).
 */
export const chatCounts = sqliteTable("chat_counts", {
  name: text("name").primaryKey(),
  total: integer("total").notNull(),
});

/**
 * Sums of chats by period (`2026-11`, `2026-q4`, `2026`): `begun`, `sold`, `sold:{business}` of the chats begun in it, and
 * `cents:{business}` of the documents from chats. Triggers keep them in step (migrations/0034_chat_sums.sql).
 */
export const chatSums = sqliteTable(
  "chat_sums",
  {
    period: text("period").notNull(),
    name: text("name").notNull(),
    total: integer("total").notNull(),
  },
  (t) => [primaryKey({ columns: [t.period, t.name] })],
);

/** Milliseconds to the first answer of each chat by period, in order, for the medians. Kept by triggers. */
export const chatAnswers = sqliteTable(
  "chat_answers",
  {
    period: text("period").notNull(),
    ms: integer("ms").notNull(),
    chatId: text("chat_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.period, t.ms, t.chatId] })],
);

/** Number of first answers by period, and the median among them. Kept by triggers. */
export const chatMedians = sqliteTable("chat_medians", {
  period: text("period").primaryKey(),
  answers: integer("answers").notNull(),
  ms: integer("ms").notNull(),
  chatId: text("chat_id").notNull(),
});

/**
 * Searched text of each chat. Triggers keep it and its full-text tables, `chat_search` and `chat_starts`, in step with
 * `chats`; the rooms write `text` (migrations/0014_chat_search.sql, 0034_chat_sums.sql).
 */
export const chatTexts = sqliteTable(
  "chat_texts",
  {
    row: integer("row").primaryKey(),
    chatId: text("chat_id").notNull().unique(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    /** Latest messages of persons. */
    text: text("text").notNull(),
    searchName: searchFormColumn("search_name"),
    searchText: searchFormColumn("search_text"),
  },
  (t) => [
    index("chat_texts_unfolded")
      .on(t.row)
      .where(sql.raw(lacksSearchForm("chat_texts"))),
  ],
);

/**
 * Notes of staff in chats, which no visitor reads: rooms, which visitors reach, know nothing of them
 * (docs/decisions/0087-staff-notes.md). Triggers keep the full-text table `note_search` in step.
 */
export const chatNotes = sqliteTable(
  "chat_notes",
  {
    row: integer("row").primaryKey(),
    /** Chosen by the client, or random. */
    id: text("id").notNull().unique(),
    chatId: text("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    note: text("note").notNull(),
    /** Member of staff who wrote it, and their name at that time. No foreign key: the note stays with the chat. */
    staffId: text("staff_id").notNull(),
    staffName: text("staff_name").notNull(),
    /** Epoch milliseconds, for its place among the messages. */
    writtenAt: integer("written_at").notNull(),
    /** The note as the search compares it (`foldForSearch` in app/db/text.ts). */
    searchText: text("search_text").notNull(),
    /** Epoch milliseconds of its author's last change; null for none. */
    editedAt: integer("edited_at"),
  },
  (t) => [index("chat_notes_chat").on(t.chatId, t.row)],
);

/** First answer of a person in each chat, from which the usual reply time is measured. Epoch milliseconds. */
export const chatFirstAnswers = sqliteTable(
  "chat_first_answers",
  {
    chatId: text("chat_id").primaryKey(),
    askedAt: integer("asked_at").notNull(),
    answeredAt: integer("answered_at").notNull(),
  },
  (t) => [index("chat_first_answers_latest").on(t.answeredAt)],
);

/** Chats waiting to be imported by their rooms: the demo's and those of a back-up. An empty room takes its chat from here. */
export const chatImports = sqliteTable("chat_imports", {
  chatId: text("chat_id").primaryKey(),
  /** JSON: the room's initial content. */
  content: text("content", { mode: "json" }).$type<unknown>().notNull(),
});

/** Predefined responses of the chat console. */
export const predefinedResponses = sqliteTable(
  "predefined_responses",
  {
    id: text("id").primaryKey(),
    trigger: text("trigger").notNull(),
    response: text("response").notNull(),
    category: text("category").notNull().default("General"),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("predefined_responses_created").on(t.createdAt, t.id)],
);

/** Chat settings in a single row; none before the first save. */
export const chatSettings = sqliteTable(
  "chat_settings",
  {
    one: integer("one").primaryKey(),
    welcomeMessage: text("welcome_message").notNull(),
    offlineMessage: text("offline_message").notNull(),
    isOnline: integer("is_online", { mode: "boolean" }).notNull(),
    autoResponseEnabled: integer("auto_response_enabled", { mode: "boolean" }).notNull(),
    /** Name and picture of the person who answers, "" for the shop's name and an initial; the picture is a key of the bucket. */
    answererName: text("answerer_name").notNull().default(""),
    answererPicture: text("answerer_picture").notNull().default(""),
    /** Label above staff's words for visitors: name and team, the name, or the team. */
    staffShownAs: text("staff_shown_as", { enum: ["both", "name", "team"] })
      .notNull()
      .default("both"),
    /** Median seconds to the recent first answers, and the time of the last of them in epoch seconds. */
    replySeconds: integer("reply_seconds"),
    replyMeasuredAt: integer("reply_measured_at"),
    /** Time until which isOnline, switched by hand, goes before the opening hours; null when nothing was switched. */
    switchedUntil: integer("switched_until"),
    /** JSON of the first questions by category; those that the shop brings along for one without. */
    firstQuestions: text("first_questions", { mode: "json" }).$type<FirstQuestions>().notNull().default({}),
    /** Increases with every change: the latest announcement of isOnline wins in any order of arrival. */
    version: integer("version").notNull(),
  },
  (t) => [check("chat_settings_staff_shown_as", sql`${t.staffShownAs} IN ('both', 'name', 'team')`)],
);

/** Keys that the shop made for its notifications; an engineer's VAPID keys come before them (docs/decisions/0024-push.md). */
export const pushKeys = sqliteTable(
  "push_keys",
  {
    one: integer("one").primaryKey().default(1),
    publicKey: text("public_key").notNull(),
    /** Encrypted by a key derived from COOKIE_SECRET. */
    privateKey: text("private_key").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  () => [check("push_keys_one", sql`one = 1`)],
);

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
    /** VAPID key that the browser subscribed with; "" in rows of earlier versions. */
    publicKey: text("public_key").notNull().default(""),
  },
  (t) => [
    uniqueIndex("push_subscriptions_endpoint").on(t.endpoint, t.chatId),
    index("push_subscriptions_chat").on(t.chatId, t.createdAt),
    index("push_subscriptions_renewed").on(t.createdAt).where(sql`chat_id <> ''`),
    index("push_subscriptions_session").on(t.tokenHash),
    index("push_subscriptions_key").on(t.publicKey),
    check("push_subscriptions_owner", sql`${t.chatId} <> '' OR ${t.tokenHash} IS NOT NULL`),
  ],
);

const switchOf = (name: string, isOn: boolean) => integer(name, { mode: "boolean" }).notNull().default(isOn);

/** Notification settings of staff; no row before the first save. */
export const pushPreferences = sqliteTable(
  "push_preferences",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Includes the message's text and the visitor's name. */
    hasPreview: integer("has_preview", { mode: "boolean" }).notNull().default(true),
    /** Ways by which each kind of news reaches the person. */
    messagePush: switchOf("message_push", true),
    messageMail: switchOf("message_mail", true),
    assignedPush: switchOf("assigned_push", true),
    assignedMail: switchOf("assigned_mail", true),
    lowStockPush: switchOf("low_stock_push", false),
    lowStockMail: switchOf("low_stock_mail", false),
    nightPush: switchOf("night_push", false),
    nightMail: switchOf("night_mail", true),
  },
  (t) => [check("push_preferences_values", sql`${t.hasPreview} IN (0, 1)`)],
);
