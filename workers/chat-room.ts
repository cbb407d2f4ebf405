import { CLOSED, SUPPORT_TEAM } from "~/features/chat/limits";
import { importOf } from "~/features/chat/operations.server";
import type { ChatMessage, ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type {
  Answers,
  History,
  ImportedChat,
  KeptLine,
  NewChat,
  Posted,
  Posting,
  Seat,
} from "~/features/chat/rooms";
import { visitorName } from "~/features/chat/visitor-name.server";
import { AfterResponse } from "./after-response";
import { appendFirst, autoRespond, postAsShop } from "./auto-responses";
import { ChatLog } from "./chat-log.queries";
import {
  type ChatTask,
  chatTasks,
  UNANSWERED_MS,
  VISITOR_AWAY_MS,
  VISITOR_MAIL_INTERVAL_MS,
} from "./chat-tasks";
import type { RoomId } from "./connection-identity";
import { LiveObject } from "./live-object";
import { Outbox } from "./outbox.queries";
import { secondsToWait } from "./rate-limiter";

/**
 * One chat: its messages, who is in it, and what follows from what is said (docs/decisions/0009-live-chat.md). What a call
 * writes is stored before its answer or any frame leaves: the platform holds both back until then.
 */
export class ChatRoom extends LiveObject {
  readonly #log: ChatLog;
  readonly #duties: Outbox<ChatTask>;
  readonly #afterwards: AfterResponse;
  /** What the consoles are about to hear. */
  readonly #news: ServerEvent[] = [];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new ChatLog(ctx.storage.sql);
    const perform = chatTasks({
      env,
      log: this.#log,
      isVisitorHere: () => this.#isVisitorHere(),
      tell: (message) => this.#tell(message),
      mailStaffNow: () => this.#duties.add("staff-mail", Date.now()),
      summarise: () => this.#duties.add("summary", Date.now()),
      empty: () => this.#empty(),
    });
    this.#duties = new Outbox(ctx.storage, perform);
    this.#afterwards = new AfterResponse(ctx, () =>
      Promise.all([this.#tellConsoles(), this.#duties.settle()]),
    );
  }

  /**
   * Begins the chat: welcome, first message, and what the shop says to it by itself.
   *
   * @param initialMessage the visitor's, if they said anything
   */
  async open(chat: NewChat, initialMessage: string | null, answers: Answers): Promise<void> {
    if (this.#log.hasTables) return;
    this.#log.create(chat, Date.now());
    this.#duties.createTable();
    if (answers.settings.welcomeMessage) postAsShop(this.#log, "welcome", answers.settings.welcomeMessage);
    const first = initialMessage ? appendFirst(this.#log, initialMessage, chat.userName) : null;
    autoRespond(this.#log, answers);
    if (first) this.#follow(first, answers.settings.isOnline ? UNANSWERED_MS : 0);
    this.#duties.add("summary", Date.now());
    await this.#duties.settle("summary");
    this.#afterwards.plan();
  }

  /** Stores a message, once for each id, and tells everybody in the chat. */
  async post(posting: Posting): Promise<Posted> {
    if (!(await this.#isReady())) return { refused: "notFound" };
    const known = posting.id === undefined ? null : this.#log.byId(posting.id);
    if (known) return isSame(known, posting) ? { stored: known } : { refused: "idTaken" };
    const retryAfter = secondsToWait(this.#log, this.env, posting.isFromAdmin);
    if (retryAfter > 0) return { refused: "rateLimited", retryAfter };
    const stored = this.#store(posting);
    this.#tell(stored);
    if (!stored.isFromAdmin) this.#duties.add("answers", Date.now());
    this.#follow(stored, UNANSWERED_MS);
    this.ctx.waitUntil(this.#duties.settle("summary"));
    this.#afterwards.plan();
    this.recheckNowAndThen();
    return { stored };
  }

  #store({ id = crypto.randomUUID(), message, isFromAdmin, ...posting }: Posting): ChatMessage {
    const name = posting.senderName;
    const senderName = isFromAdmin ? name : visitorName(this.env, name, this.#log.chat().user_name);
    const entry = { id, message, isFromAdmin, senderName };
    return this.#log.append({ ...entry, by: "person" }, Date.now());
  }

  /** Messages after a seq. What a visitor has read needn't be mailed to them. Null: there is no such chat. */
  async history(after: number, role: Seat["role"]): Promise<History | null> {
    if (!(await this.#isReady())) return null;
    const messages = this.#log.after(after);
    const last = messages.at(-1)?.seq ?? 0;
    if (role === "visitor" && last > this.#log.chat().mailed_seq) this.#log.set({ mailed_seq: last });
    return { chat: this.#log.view(), messages };
  }

  /**
   * Gives an anonymous visitor's chat to the account that they have signed in to. Their connections come back under it,
   * so that they end with its session.
   *
   * @returns false: there is no such chat, or another account has it
   */
  async attach(userId: string): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    const { user_id, revision } = this.#log.chat();
    if (user_id !== null) return user_id === userId;
    this.#log.set({ user_id: userId, revision: revision + 1 });
    this.#duties.add("summary", Date.now());
    this.sockets.closeAnonymous();
    await this.#duties.settle("summary");
    this.#afterwards.plan();
    return true;
  }

  /** What was in the cart when the chat began. */
  async lines(): Promise<KeptLine[]> {
    return (await this.#isReady()) ? this.#log.lines() : [];
  }

  /** @returns false: there is no such chat */
  async markRead(): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    const { revision } = this.#log.chat();
    this.#log.set({ unread: 0, staff_told: 0, staff_mailed: "[]", revision: revision + 1 });
    this.#duties.cancel("staff-mail");
    this.#duties.add("summary", Date.now());
    await this.#duties.settle("summary");
    this.#afterwards.plan();
    return true;
  }

  /** @returns false: there is no such chat */
  async remove(): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    this.#log.set({ removed: 1 });
    this.#duties.add("removal", Date.now());
    this.sockets.closeAll(CLOSED.chatGone, "The chat was deleted.");
    await this.#duties.settle("removal");
    return true;
  }

  override async alarm(): Promise<void> {
    if (this.#log.hasTables) await this.#duties.ring();
  }

  protected place(): RoomId {
    return `chat:${this.#log.chat().id}`;
  }

  protected async welcome(after: number | null): Promise<ServerEvent[] | null> {
    return (await this.#isReady()) ? this.#missed(after) : null;
  }

  protected act(socket: WebSocket, event: ClientEvent): void {
    if (event.event === "join-chat" && event.data.chatId === this.#log.chat().id) {
      this.sockets.catchUp(socket, this.#missed(event.data.after ?? null));
    } else if (event.event === "typing" || event.event === "stop-typing") {
      this.#relayTyping(socket, event.event === "typing", event.data.senderName);
    } else this.sockets.refuse(socket, event.event, "This connection is for one chat alone.");
  }

  #missed(after: number | null): ServerEvent[] {
    return after === null ? [] : this.#log.after(after).map((data) => ({ event: "new-message", data }));
  }

  #relayTyping(socket: WebSocket, isTyping: boolean, name: string): void {
    const { id, user_name } = this.#log.chat();
    const isStaff = this.sockets.ticket(socket).role === "staff";
    const senderName = isStaff ? SUPPORT_TEAM : visitorName(this.env, name, user_name);
    this.sockets.broadcast({ event: "user-typing", data: { chatId: id, isTyping, senderName } }, socket);
  }

  #isVisitorHere(): boolean {
    return this.sockets.open("visitor").length > 0;
  }

  #tell(data: ChatMessage): void {
    this.sockets.broadcast({ event: "new-message", data });
  }

  /** What a person's message brings with it. Stored along with it; done after it was answered. */
  #follow(message: ChatMessage, staffWait: number): void {
    const now = Date.now();
    this.#duties.add("summary", now);
    if (message.isFromAdmin) {
      this.#followAnswer(message, now);
      return;
    }
    if (!this.#log.chat().staff_told) this.#duties.add("staff-mail", now + staffWait);
    const data = { chatId: message.chatId, message, chat: this.#log.view() };
    this.#news.push({ event: "new-user-message", data });
  }

  async #tellConsoles(): Promise<void> {
    const news = this.#news.splice(0);
    if (news.length === 0 || !this.#log.exists) return;
    await this.env.ADMIN_ROOM.getByName("admin")
      .tell(news)
      .catch((error: unknown) => console.warn("new-user-message could not be sent:", error));
  }

  #followAnswer(message: ChatMessage, now: number): void {
    const { user_email, mailed_at } = this.#log.chat();
    this.#duties.cancel("staff-mail");
    if (this.#isVisitorHere()) this.#log.set({ mailed_seq: message.seq });
    else if (user_email !== "")
      this.#duties.add("visitor-mail", Math.max(now + VISITOR_AWAY_MS, mailed_at + VISITOR_MAIL_INTERVAL_MS));
  }

  /** Whether there is a chat here. An empty room takes the one that was put down for it, if any. */
  async #isReady(): Promise<boolean> {
    if (this.#log.hasTables) return this.#log.exists;
    const imported = this.ctx.id.name ? await importOf(this.env, this.ctx.id.name) : null;
    if (imported && !this.#log.hasTables) this.#import(imported);
    return this.#log.exists;
  }

  #import({ chat, messages, unread }: ImportedChat): void {
    this.#log.create(chat, messages[0]?.at ?? Date.now());
    this.#duties.createTable();
    this.#log.import(messages, unread);
    this.#duties.add("summary", Date.now());
    this.#afterwards.plan();
  }

  /** Not from a room that was emptied: its last connections end after it. */
  protected override leave(): void {
    if (this.#log.hasTables) super.leave();
  }

  async #empty(): Promise<void> {
    this.leave();
    this.#duties.drop();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#log.forget();
  }
}

/** A message sent again is the same text from the same side. */
const isSame = (known: ChatMessage, { message, isFromAdmin }: Posting) =>
  known.message === message && known.isFromAdmin === isFromAdmin;
