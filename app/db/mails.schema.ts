import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { chats } from "./chat.schema";
import { users } from "./schema";

/** Outcomes of a received mail: posted, or the reason why it was dropped (docs/decisions/0078-mail-both-ways.md). */
export const MAIL_OUTCOMES = [
  "posted",
  "repeated",
  "noToken",
  "unknownToken",
  "automatic",
  "bounce",
  "list",
  "loop",
  "tooLarge",
  "tooMany",
  "unreadable",
  "gone",
  "erased",
  "locked",
] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/**
 * Received mails by week and outcome. It describes this installation; no backup contains it
 * (docs/decisions/0027-backup.md).
 */
export const receivedMails = sqliteTable(
  "received_mails",
  {
    /** Epoch seconds of its beginning, a Thursday in UTC. */
    week: integer("week").notNull(),
    outcome: text("outcome", { enum: MAIL_OUTCOMES }).notNull(),
    mails: integer("mails").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.week, t.outcome] }),
    check(
      "received_mails_outcome",
      sql.raw(`outcome IN (${MAIL_OUTCOMES.map((outcome) => `'${outcome}'`).join(", ")})`),
    ),
  ],
);

/** Mails of a chat with one person: its visitor's address, or a member of staff. The token of its replies is derived from the id. */
export const mailThreads = sqliteTable(
  "mail_threads",
  {
    /** Random; a secret makes the token of it (app/features/chat/operations/mail-threads.server.ts). */
    id: text("id").primaryKey(),
    /** SHA-256 of the token in `Reply-To`. */
    tokenHash: text("token_hash").notNull(),
    chatId: text("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** Member of staff; null for the visitor. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The same, or SHA-256 of the visitor's address. */
    party: text("party").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Time at which its reader turned the mails of this conversation off; null while they are on. */
    stoppedAt: integer("stopped_at"),
  },
  (t) => [
    uniqueIndex("mail_threads_token").on(t.tokenHash),
    uniqueIndex("mail_threads_party").on(t.chatId, t.party),
    index("mail_threads_user").on(t.userId).where(sql`user_id IS NOT NULL`),
    check("mail_threads_user", sql`user_id IS NULL OR user_id = party`),
  ],
);

/** Mails that became messages, in full: a message leaves out quoted text and signatures. */
export const chatMails = sqliteTable(
  "chat_mails",
  {
    /** Id of the message in its chat, derived from thread and Message-ID. */
    id: text("id").primaryKey(),
    chatId: text("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** Member of staff who wrote it; null for the visitor. No foreign key: the mail stays with the message. */
    userId: text("user_id"),
    /** Header `From`, which proves nothing. */
    sender: text("sender").notNull(),
    subject: text("subject").notNull(),
    /** Shortened to 100,000 characters. */
    text: text("text").notNull(),
    /** Epoch seconds by the shop's clock. */
    receivedAt: integer("received_at").notNull(),
  },
  (t) => [index("chat_mails_received").on(t.chatId, t.receivedAt)],
);
