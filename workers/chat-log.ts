import type { ChatMessage, ChatView, MessageCard, QuotedMessage } from "~/features/chat/protocol";
import { quoteOf } from "~/features/chat/quotes";
import type { ChatCartLine, ImportedChat, IncomingMessage, NewChat } from "~/features/chat/rooms";
import { timestampMs } from "~/features/chat/time";
import {
  type ChatRecord,
  type MessageRow,
  RESTORE_LOCK,
  SCHEMA,
  type TableRow,
  upgradesOf,
} from "./chat-log.schema";
import { chatView, subjectColumns, summaryOf } from "./chat-views";

/**
 * Author of a message: the shop, a person, the visitor who starts the chat, or an act of a person that the shop puts in words.
 * Limits count `person` only, and only those messages show that somebody is there to answer.
 */
const AUTHOR = { shop: 0, person: 1, initial: 2, act: 3 } as const;
/** Bounds of is_from_admin in the messages of persons. */
const WRITTEN_BY = { visitor: [0, 0], staff: [1, 1], any: [0, 1] } as const;
type NewMessage = Omit<IncomingMessage, "id" | "cards" | "isCardUnknown"> & {
  id: string;
  by: keyof typeof AUTHOR;
  cards?: MessageCard[];
};

/** Bounds of the searched text, which D1 indexes anew with each message. */
const MAX_SEARCHED_MESSAGES = 50;
const MAX_SEARCH_TEXT = 4000;
/** Bytes of the messages that are read at once, as JSON: an answer of a room may have 32 MiB, and a page is drawn of it. */
const MAX_PART_BYTES = 4_000_000;

/** Chat in the SQLite storage of its room. Calls are synchronous, so that writes without an await are atomic. */
export class ChatLog {
  #hasTables = false;
  #isRestoring = false;
  /** Cached row, which only this object writes. */
  #chat: ChatRecord | null = null;

  constructor(private readonly sql: SqlStorage) {
    const tables = this.reload();
    if (this.#hasTables) for (const upgrade of upgradesOf(tables)) sql.exec(upgrade);
  }

  /** Reads again which tables there are. */
  reload(): TableRow[] {
    const tables = this.sql
      .exec<TableRow>("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
      .toArray();
    this.#hasTables = tables.some(({ name }) => name === "chat");
    this.#isRestoring = tables.some(({ name }) => name === RESTORE_LOCK);
    this.#chat = null;
    return tables;
  }

  /** True for a chat that was created and not deleted. */
  get exists(): boolean {
    return this.#hasTables && this.#findChat()?.removed === 0;
  }

  /** True until the restore that stores this chat has ended. */
  get isRestoring(): boolean {
    return this.#isRestoring;
  }

  lockForRestore(): void {
    this.sql.exec(`CREATE TABLE IF NOT EXISTS ${RESTORE_LOCK} (one INTEGER)`);
  }

  unlock(): void {
    this.sql.exec(`DROP TABLE IF EXISTS ${RESTORE_LOCK}`);
    this.#isRestoring = false;
  }

  get hasTables(): boolean {
    return this.#hasTables;
  }

  createTables(): void {
    for (const statements of [SCHEMA, ...upgradesOf([])]) this.sql.exec(statements);
    this.#hasTables = true;
  }

  create(chat: NewChat, at: number): void {
    this.createTables();
    this.sql.exec(
      `INSERT INTO chat (one, id, user_name, user_email, user_id, visitor_id, is_anonymous, lines, product_id,
         created_at, last_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      chat.id,
      chat.userName,
      chat.userEmail,
      chat.userId,
      chat.visitorId ?? null,
      Number(chat.isAnonymous),
      JSON.stringify(chat.lines.map((line) => ({ ...line, requestedAt: Math.floor(at / 1000) }))),
      chat.productId ?? chat.lines[0]?.productId ?? null,
      Math.floor(at / 1000),
      at,
    );
    const asked = [chat.productId, ...chat.lines.map(({ productId }) => productId)];
    this.set(subjectColumns(this.chat(), asked));
  }

  /** Clears the cache after the storage was deleted. */
  reset(): void {
    this.#hasTables = false;
    this.#chat = null;
  }

  chat(): Readonly<ChatRecord> {
    const chat = this.#findChat();
    if (!chat) throw new Error("The room has no chat.");
    return chat;
  }

  /** Finds the row; null in a room whose restore is incomplete. */
  #findChat(): ChatRecord | null {
    this.#chat ??= this.sql.exec<ChatRecord>("SELECT * FROM chat").toArray()[0] ?? null;
    return this.#chat;
  }

  lines(): ChatCartLine[] {
    return JSON.parse(this.chat().lines) as ChatCartLine[];
  }

  view(): ChatView {
    return chatView(this.chat());
  }

  /** Returns the text that the console's search finds: the latest messages of persons. */
  searchText(): string {
    const rows = this.sql.exec<{ message: string }>(
      "SELECT message FROM messages WHERE written_by > 0 ORDER BY seq DESC LIMIT ?",
      MAX_SEARCHED_MESSAGES,
    );
    return Array.from(rows, ({ message }) => message)
      .join("\n")
      .slice(0, MAX_SEARCH_TEXT);
  }

  /** Updates columns of the row. */
  set(changes: Partial<ChatRecord>): void {
    const [names, values] = [Object.keys(changes), Object.values(changes)];
    const assignments = names.map((name) => `${name} = ?`).join(", ");
    this.#chat = this.sql.exec<ChatRecord>(`UPDATE chat SET ${assignments} RETURNING *`, ...values).one();
  }

  /** Finds the latest message that a person wrote. */
  latestBy(author: keyof typeof WRITTEN_BY): ChatMessage | null {
    const query =
      "SELECT * FROM messages WHERE is_from_admin BETWEEN ? AND ? AND written_by > 0 ORDER BY seq DESC LIMIT 1";
    const [latest] = this.sql.exec<MessageRow>(query, ...WRITTEN_BY[author]).toArray();
    return latest ? this.#message(latest) : null;
  }

  byId(id: string): ChatMessage | null {
    const [row] = this.sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", id).toArray();
    return row ? this.#message(row) : null;
  }

  /** Reads the messages that follow a seq, in order: as many as one answer takes. */
  after(seq: number): ChatMessage[] {
    return this.#part("SELECT * FROM messages WHERE seq > ? ORDER BY seq", seq);
  }

  /** Reads the latest messages after a seq, in order: as many as one answer takes. */
  latestAfter(seq: number): ChatMessage[] {
    return this.#part("SELECT * FROM messages WHERE seq > ? ORDER BY seq DESC", seq).reverse();
  }

  /** Reads messages up to a number of bytes; one at least. */
  #part(query: string, seq: number): ChatMessage[] {
    const messages: ChatMessage[] = [];
    let bytes = 0;
    for (const row of this.sql.exec<MessageRow>(query, seq)) {
      const message = this.#message(row);
      bytes += Buffer.byteLength(JSON.stringify(message));
      if (messages.length > 0 && bytes > MAX_PART_BYTES) break;
      messages.push(message);
    }
    return messages;
  }

  /** Finds the visitor's message that started the chat. */
  initial(): ChatMessage | undefined {
    const query = "SELECT * FROM messages WHERE written_by = ? ORDER BY seq LIMIT 1";
    return this.sql
      .exec<MessageRow>(query, AUTHOR.initial)
      .toArray()
      .map((row) => this.#message(row))[0];
  }

  /** Finds the hash of a start with a key. @param id of its message; "" for the one that opened the chat */
  startDigest(id: string): string | null {
    const rows = this.sql.exec<{ digest: string }>("SELECT digest FROM starts WHERE id = ?", id).toArray();
    return rows[0]?.digest ?? null;
  }

  keepStart(id: string, digest: string): void {
    this.sql.exec("INSERT OR REPLACE INTO starts (id, digest) VALUES (?, ?)", id, digest);
  }

  /** Finds the messages that persons wrote after a seq, in order. @param limit -1 for all */
  writtenAfter(seq: number, author: keyof typeof WRITTEN_BY, limit = -1): ChatMessage[] {
    const query =
      "SELECT * FROM messages WHERE seq > ? AND is_from_admin BETWEEN ? AND ? AND written_by > 0 ORDER BY seq LIMIT ?";
    const rows = this.sql.exec<MessageRow>(query, seq, ...WRITTEN_BY[author], limit);
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
        `INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at, cards, staff_name, author_name, reply_to)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
        entry.id,
        entry.message,
        Number(entry.isFromAdmin),
        AUTHOR[entry.by],
        entry.senderName,
        at,
        encodeCards(entry.cards),
        entry.staffName ?? null,
        entry.authorName ?? null,
        entry.replyTo ?? null,
      )
      .one();
    this.#summarise(entry, at);
    return this.#message(row);
  }

  /** Creates an imported chat with its messages and marks their tasks as done. */
  import({ chat, messages, unread }: ImportedChat): void {
    this.create(chat, messages[0]?.at ?? Date.now());
    for (const message of messages) this.append({ ...message, by: "person" }, message.at);
    const last = this.lastSeq();
    const done = {
      answered_seq: last,
      mailed_seq: last,
      offline_told: 1,
      staff_told: 1,
      asked_at: null,
      reported_seq: last,
    };
    const fromVisitor = messages.flatMap(({ isFromAdmin }, i) => (isFromAdmin ? [] : i));
    // Seqs begin at 1, so the index of the first unread message is the seq of the one before it.
    const staffSeq = unread === 0 ? last : (fromVisitor.at(-unread) ?? 0);
    this.set({ unread, ...done, visitor_seq: last, visitor_unread: 0, staff_seq: staffSeq });
  }

  #summarise(entry: NewMessage, at: number): void {
    const chat = this.chat();
    const sender = entry.by === "shop" ? "auto" : entry.isFromAdmin ? "staff" : "visitor";
    const isAnswer = sender === "staff" && !entry.isNotice;
    const products = (entry.cards ?? []).flatMap((card) => (card.type === "product" ? card.productId : []));
    this.set({
      last_at: at,
      unread: chat.unread + Number(sender === "visitor"),
      revision: chat.revision + 1,
      last_message: summaryOf(entry.message),
      last_sender: sender,
      ...(products[0] && { product_id: products[0] }),
      ...(sender === "visitor" && subjectColumns(chat, products)),
      visitor_unread: chat.visitor_unread + Number(sender === "staff"),
      ...(sender === "visitor" && { state: "open", waiting_since: chat.waiting_since ?? at }),
      ...(sender === "visitor" && chat.state === "closed" && { state_by: null }),
      ...(sender === "staff" && { last_staff_id: entry.staffId ?? null }),
      ...(isAnswer && { waiting_since: null }),
      ...(isAnswer && chat.answered_at === null && { asked_at: chat.waiting_since, answered_at: at }),
    });
  }

  /** Tests for an open chat with a message since a time. @param since epoch milliseconds */
  isContinuable(since: number): boolean {
    const { state, last_at } = this.chat();
    return state === "open" && last_at >= since;
  }

  /**
   * Finds the time of a message that a person wrote, in epoch milliseconds; of no act.
   *
   * @param n 0 for the latest
   * @returns 0 with fewer messages
   */
  timeOfNthLatest(n: number, author: keyof typeof WRITTEN_BY): number {
    const rows = this.sql.exec<{ at: number }>(
      `SELECT at FROM messages WHERE written_by = ${AUTHOR.person} AND is_from_admin BETWEEN ? AND ?
         ORDER BY seq DESC LIMIT 1 OFFSET ?`,
      ...WRITTEN_BY[author],
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

  #message(row: MessageRow): ChatMessage {
    const { id, message, is_from_admin, sender_name, at, seq, cards, staff_name, author_name, reply_to } =
      row;
    return {
      id,
      chatId: this.chat().id,
      message,
      isFromAdmin: is_from_admin === 1,
      senderName: sender_name,
      timestamp: timestampMs(at),
      seq,
      ...(staff_name !== null && { staffName: staff_name }),
      ...(author_name !== null && { authorName: author_name }),
      ...(cards !== null && { cards: JSON.parse(cards) as MessageCard[] }),
      ...(reply_to !== null && { replyTo: this.#quoted(reply_to) }),
    };
  }

  /** Quotes a message; its own quote is left out. */
  #quoted(id: string): QuotedMessage {
    const [row] = this.sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", id).toArray();
    if (!row) return { id, isFromAdmin: false, senderName: "", text: "This message was deleted" };
    return quoteOf(this.#message({ ...row, reply_to: null }));
  }
}

/** Encodes cards for their column; null without any. */
const encodeCards = (cards: MessageCard[] = []) => (cards.length > 0 ? JSON.stringify(cards) : null);
