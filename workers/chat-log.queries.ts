import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import type { ChatCartLine, ImportedMessage, IncomingMessage, NewChat } from "~/features/chat/rooms";
import { timestampMs } from "~/features/chat/time";

const SCHEMA = `
CREATE TABLE chat (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL, user_name TEXT NOT NULL, user_email TEXT NOT NULL, user_id TEXT, is_anonymous INTEGER NOT NULL,
  lines TEXT NOT NULL, created_at INTEGER NOT NULL,
  unread INTEGER NOT NULL DEFAULT 0, last_message TEXT NOT NULL DEFAULT '', last_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1,
  /* progress of the automatic answers, the mails to the visitor and the mail to staff */
  answered_seq INTEGER NOT NULL DEFAULT 0, offline_told INTEGER NOT NULL DEFAULT 0,
  mailed_seq INTEGER NOT NULL DEFAULT 0, mailed_at INTEGER NOT NULL DEFAULT 0,
  staff_mailed TEXT NOT NULL DEFAULT '[]', staff_told INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL,
  is_from_admin INTEGER NOT NULL, written_by INTEGER NOT NULL, sender_name TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE told (trigger TEXT PRIMARY KEY, at INTEGER NOT NULL);
`;

/** Row of the chat; times in epoch milliseconds, except created_at in seconds. */
export type ChatRecord = {
  id: string;
  user_name: string;
  user_email: string;
  user_id: string | null;
  is_anonymous: number;
  lines: string;
  created_at: number;
  unread: number;
  last_message: string;
  last_at: number;
  revision: number;
  answered_seq: number;
  offline_told: number;
  mailed_seq: number;
  mailed_at: number;
  staff_mailed: string;
  staff_told: number;
  removed: number;
};

type MessageRow = {
  seq: number;
  id: string;
  message: string;
  is_from_admin: number;
  sender_name: string;
  at: number;
};

/** Author of a message: the shop, a person, or the visitor who starts the chat; limits count `person` only. */
const AUTHOR = { shop: 0, person: 1, beginning: 2 } as const;
type NewMessage = Omit<IncomingMessage, "id"> & { id: string; by: keyof typeof AUTHOR };

/** Characters of a message's summary. */
const MAX_SUMMARY = 200;

/** Chat in the SQLite storage of its room. Calls are synchronous, so that writes without an await are atomic. */
export class ChatLog {
  #exists: boolean;
  /** Cached row, which only this object writes. */
  #chat: ChatRecord | null = null;

  constructor(private readonly sql: SqlStorage) {
    this.#exists = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'chat'").toArray().length > 0;
  }

  /** True for a chat that has not been deleted. */
  get exists(): boolean {
    return this.#exists && this.chat().removed === 0;
  }

  get hasTables(): boolean {
    return this.#exists;
  }

  create(chat: NewChat, at: number): void {
    this.sql.exec(SCHEMA);
    this.#exists = true;
    this.sql.exec(
      `INSERT INTO chat (one, id, user_name, user_email, user_id, is_anonymous, lines, created_at, last_at)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)`,
      chat.id,
      chat.userName,
      chat.userEmail,
      chat.userId,
      Number(chat.isAnonymous),
      JSON.stringify(chat.lines),
      Math.floor(at / 1000),
      at,
    );
  }

  /** Clears the cache after the storage was deleted. */
  reset(): void {
    this.#exists = false;
    this.#chat = null;
  }

  chat(): Readonly<ChatRecord> {
    this.#chat ??= this.sql.exec<ChatRecord>("SELECT * FROM chat").one();
    return this.#chat;
  }

  lines(): ChatCartLine[] {
    return JSON.parse(this.chat().lines) as ChatCartLine[];
  }

  view(): ChatView {
    const chat = this.chat();
    return {
      id: chat.id,
      userName: chat.user_name,
      userEmail: chat.user_email,
      isAnonymous: chat.is_anonymous === 1,
      lastMessage: chat.last_message,
      lastMessageTime: timestampMs(chat.last_at),
      createdAt: { seconds: chat.created_at, nanoseconds: 0 },
      unreadCount: chat.unread,
    };
  }

  /** Returns the row for the list of chats in D1. */
  row() {
    const chat = this.chat();
    return {
      id: chat.id,
      userName: chat.user_name,
      userEmail: chat.user_email,
      userId: chat.user_id,
      isAnonymous: chat.is_anonymous === 1,
      lastMessage: chat.last_message,
      lastMessageAt: chat.last_at,
      unreadCount: chat.unread,
      revision: chat.revision,
      createdAt: chat.created_at,
    };
  }

  /** Updates columns of the row. */
  set(changes: Partial<ChatRecord>): void {
    const names = Object.keys(changes);
    const values = Object.values(changes);
    const assignments = names.map((name) => `${name} = ?`).join(", ");
    this.#chat = this.sql.exec<ChatRecord>(`UPDATE chat SET ${assignments} RETURNING *`, ...values).one();
  }

  byId(id: string): ChatMessage | null {
    const rows = this.sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", id).toArray();
    return rows[0] ? this.#message(rows[0]) : null;
  }

  after(seq: number): ChatMessage[] {
    const rows = this.sql.exec<MessageRow>("SELECT * FROM messages WHERE seq > ? ORDER BY seq", seq);
    return rows.toArray().map((row) => this.#message(row));
  }

  /** Finds the messages that staff wrote after a seq, in order. */
  staffMessagesAfter(seq: number): ChatMessage[] {
    const rows = this.sql.exec<MessageRow>(
      "SELECT * FROM messages WHERE seq > ? AND is_from_admin = 1 AND written_by = 1 ORDER BY seq",
      seq,
    );
    return rows.toArray().map((row) => this.#message(row));
  }

  /** Returns the seq of the last message; 0 without any. */
  lastSeq(): number {
    return this.sql.exec<{ seq: number }>("SELECT ifnull(max(seq), 0) AS seq FROM messages").one().seq;
  }

  /** Appends a message; its time is not before the previous one's. */
  append(entry: NewMessage, now: number): ChatMessage {
    const at = Math.max(now, this.chat().last_at);
    const row = this.sql
      .exec<MessageRow>(
        `INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at)
         VALUES (?, ?, ?, ?, ?, ?) RETURNING seq, id, message, is_from_admin, sender_name, at`,
        entry.id,
        entry.message,
        Number(entry.isFromAdmin),
        AUTHOR[entry.by],
        entry.senderName,
        at,
      )
      .one();
    this.#summarise(entry, at);
    return this.#message(row);
  }

  /** Appends imported messages and marks their tasks as done. */
  import(messages: ImportedMessage[], unread: number): void {
    for (const message of messages) this.append({ ...message, by: "person" }, message.at);
    const last = this.lastSeq();
    this.set({ unread, answered_seq: last, mailed_seq: last, offline_told: 1, staff_told: 1 });
  }

  #summarise(entry: NewMessage, at: number): void {
    const letters = [...entry.message];
    const summary =
      letters.length > MAX_SUMMARY ? `${letters.slice(0, MAX_SUMMARY - 1).join("")}…` : entry.message;
    const { unread, revision } = this.chat();
    this.set({
      last_at: at,
      unread: unread + Number(entry.by !== "shop" && !entry.isFromAdmin),
      revision: revision + 1,
      last_message: summary,
    });
  }

  /**
   * Finds the time of a person's message, in epoch milliseconds.
   *
   * @param n 0 for the latest
   * @param side "both" includes the visitor's messages
   * @returns 0 with fewer messages
   */
  timeOfNthLatest(n: number, side: "seller" | "both"): number {
    const rows = this.sql.exec<{ at: number }>(
      "SELECT at FROM messages WHERE written_by = 1 AND is_from_admin >= ? ORDER BY seq DESC LIMIT 1 OFFSET ?",
      Number(side === "seller"),
      n,
    );
    return rows.toArray()[0]?.at ?? 0;
  }

  /** Returns the time of the last response to a trigger, in epoch milliseconds; 0 for never. */
  lastTriggeredAt(trigger: string): number {
    const rows = this.sql.exec<{ at: number }>("SELECT at FROM told WHERE trigger = ?", trigger);
    return rows.toArray()[0]?.at ?? 0;
  }

  setTriggered(trigger: string, at: number): void {
    this.sql.exec("INSERT OR REPLACE INTO told (trigger, at) VALUES (?, ?)", trigger, at);
  }

  #message({ id, message, is_from_admin, sender_name, at, seq }: MessageRow): ChatMessage {
    const chatId = this.chat().id;
    const isFromAdmin = is_from_admin === 1;
    return { id, chatId, message, isFromAdmin, senderName: sender_name, timestamp: timestampMs(at), seq };
  }
}
