import { CLOSED, SUPPORT_TEAM } from "~/features/chat/limits";
import { findChatImport } from "~/features/chat/operations.server";
import type { ChatMessage, ChatView, ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type {
  AutoReplies,
  ChatCartLine,
  ChatChanges,
  ConnectionIdentity,
  ContinuedChat,
  History,
  IncomingMessage,
  NewChat,
  PostResult,
} from "~/features/chat/rooms";
import { visitorName } from "~/features/chat/visitor-name.server";
import { appendFirst, autoRespond, postAsShop } from "./auto-responses";
import { ChatLog } from "./chat-log.queries";
import { PUSH_TASKS, schedulePushRemoval } from "./chat-pushes.queries";
import { type ChatTask, chatTasks, scheduleNotices, type TaskRoom, UNANSWERED_MS } from "./chat-tasks";
import { changedColumns, detailColumns, isSameMessage, typingEvents } from "./chat-views";
import type { RoomId } from "./connection-identity";
import { ConsoleEvents } from "./console-events";
import { LiveObject } from "./live-object";
import { AfterResponse, Outbox } from "./outbox.queries";
import { secondsToWait } from "./rate-limiter";

/**
 * Chat with its messages, connections and tasks (docs/decisions/0009-live-chat.md). The platform holds back responses
 * and frames until the writes before them are stored.
 */
export class ChatRoom extends LiveObject {
  readonly #log: ChatLog;
  readonly #room: TaskRoom;
  readonly #outbox: Outbox<ChatTask>;
  readonly #afterResponse: AfterResponse;
  readonly #consoleEvents = new ConsoleEvents(this.env);

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new ChatLog(ctx.storage.sql);
    this.#room = {
      env,
      sql: ctx.storage.sql,
      log: this.#log,
      sockets: this.sockets,
      schedule: (task) => this.#outbox.add(task, Date.now()),
      empty: () => this.#empty(),
    };
    this.#outbox = new Outbox(ctx.storage, chatTasks(this.#room), PUSH_TASKS);
    this.#afterResponse = new AfterResponse(ctx, () =>
      Promise.all([this.#consoleEvents.send(), this.#outbox.runDue()]),
    );
  }

  /** Creates the chat with the welcome message, the visitor's first message and the automatic replies to it. */
  async open(chat: NewChat, initialMessage: string | null, autoReplies: AutoReplies): Promise<void> {
    if (this.#log.hasTables) return;
    this.#log.create(chat, Date.now());
    this.#outbox.createTable();
    if (autoReplies.settings.welcomeMessage)
      postAsShop(this.#log, "welcome", autoReplies.settings.welcomeMessage);
    const first = initialMessage ? appendFirst(this.#log, initialMessage, chat.userName) : null;
    autoRespond(this.#log, autoReplies);
    if (first) this.#scheduleTasks(first, autoReplies.settings.isOnline ? UNANSWERED_MS : 0);
    await this.#saveSummary();
  }

  /** Continues the chat; a message that waits for an answer is not repeated. @returns false for a closed or old chat */
  async continue({ initialMessage, since, ...details }: ContinuedChat): Promise<boolean> {
    if (!(await this.#isReady()) || !this.#log.isContinuable(since)) return false;
    this.#log.set(detailColumns(this.#log.chat(), details));
    if (initialMessage && !this.#log.isPending(initialMessage))
      this.#deliver(appendFirst(this.#log, initialMessage, this.#log.chat().user_name));
    await this.#saveSummary();
    return true;
  }

  /** Stores a message once for each id, and sends it to all connections. */
  async post(message: IncomingMessage): Promise<PostResult> {
    if (!(await this.#isReady())) return { rejected: "notFound" };
    const known = message.id === undefined ? null : this.#log.byId(message.id);
    if (known) return isSameMessage(known, message) ? { stored: known } : { rejected: "idTaken" };
    const retryAfter = secondsToWait(this.#log, this.env, message.isFromAdmin);
    if (retryAfter > 0) return { rejected: "rateLimited", retryAfter };
    const { id = crypto.randomUUID(), senderName: name } = message;
    const senderName = message.isFromAdmin ? name : this.#visitorName(name);
    const stored = this.#log.append({ ...message, id, senderName, by: "person" }, Date.now());
    this.#deliver(stored);
    this.ctx.waitUntil(this.#outbox.runDue("summary"));
    this.#afterResponse.plan();
    this.scheduleSessionCheck();
    return { stored };
  }

  /** Sends a stored message to all connections and schedules the tasks that follow. */
  #deliver(message: ChatMessage): void {
    this.sockets.broadcast({ event: "new-message", data: message });
    if (!message.isFromAdmin) this.#outbox.add("answers", Date.now());
    this.#scheduleTasks(message, UNANSWERED_MS);
  }

  /** Reads the messages after a seq; those that a visitor reads are not mailed to them. @returns null for a missing chat */
  async history(after: number, role: ConnectionIdentity["role"]): Promise<History | null> {
    if (!(await this.#isReady())) return null;
    const messages = this.#log.after(after);
    const last = messages.at(-1)?.seq ?? 0;
    if (role === "visitor" && last > this.#log.chat().mailed_seq) this.#log.set({ mailed_seq: last });
    return {
      chat: role === "staff" ? this.#log.view() : { ...this.#log.view(), assigneeId: null },
      messages,
    };
  }

  /** Assigns an anonymous chat to an account; its connections reconnect under it. @returns false for another's chat */
  async attach(userId: string): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    const { user_id, revision } = this.#log.chat();
    if (user_id !== null) return user_id === userId;
    this.#log.set({ user_id: userId, revision: revision + 1 });
    this.sockets.closeAnonymous();
    await this.#saveSummary();
    return true;
  }

  /** Reads the cart at the start of the chat. */
  async lines(): Promise<ChatCartLine[]> {
    return (await this.#isReady()) ? this.#log.lines() : [];
  }

  /** Marks the messages up to a seq as seen by the visitor. @returns staff's messages after it; null for a missing chat */
  async markSeen(seq = Number.MAX_SAFE_INTEGER): Promise<number | null> {
    if (!(await this.#isReady())) return null;
    if (this.#log.markSeen(seq)) await this.#saveSummary("visitor");
    return this.#log.chat().visitor_unread;
  }

  /** Marks the chat as read by staff. @returns false for a missing chat */
  async markRead(): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    const { unread } = this.#log.chat();
    this.#log.markRead();
    if (unread > 0) this.#consoleEvents.addUpdate(this.#log.view());
    this.#outbox.cancel("staff-mail");
    await this.#saveSummary("staff");
    return true;
  }

  /** Renames, assigns, closes or reopens the chat; a closed one does not wait. @returns null for a missing chat */
  async update({ userName, ...changes }: ChatChanges): Promise<ChatView | null> {
    if (!(await this.#isReady())) return null;
    const name = userName === undefined ? {} : { user_name: this.#visitorName(userName) };
    this.#log.set({ ...name, ...changedColumns(this.#log.chat(), changes) });
    this.#consoleEvents.addUpdate(this.#log.view());
    await this.#saveSummary();
    return this.#log.view();
  }

  /** @returns false for a missing chat */
  async remove(): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    this.#log.set({ removed: 1 });
    this.#outbox.add("removal", Date.now());
    this.sockets.closeAll(CLOSED.chatGone, "The chat was deleted.");
    this.#consoleEvents.replaceByDeletion(this.#log.chat().id);
    this.ctx.waitUntil(this.#consoleEvents.send());
    await this.#outbox.runDue("removal");
    return true;
  }

  override async alarm(): Promise<void> {
    if (this.#log.hasTables) await this.#outbox.runFromAlarm();
  }

  protected roomId(): RoomId {
    return `chat:${this.#log.chat().id}`;
  }

  protected async initialEvents(after: number | null): Promise<ServerEvent[] | null> {
    return (await this.#isReady()) ? this.#missed(after) : null;
  }

  protected handleEvent(socket: WebSocket, event: ClientEvent): void {
    if (event.event === "join-chat" && event.data.chatId === this.#log.chat().id) {
      this.sockets.catchUp(socket, this.#missed(event.data.after ?? null));
    } else if (event.event === "typing" || event.event === "stop-typing") {
      this.#relayTyping(socket, event.event === "typing", event.data.senderName);
    } else this.sockets.sendError(socket, event.event, "This connection is for one chat alone.");
  }

  #missed(after: number | null): ServerEvent[] {
    return after === null ? [] : this.#log.after(after).map((data) => ({ event: "new-message", data }));
  }

  /** Sends a typing event: staff are the shop to the visitor, and colleagues to staff. */
  #relayTyping(socket: WebSocket, isTyping: boolean, name: string): void {
    const { role, staffName = SUPPORT_TEAM } = this.sockets.state(socket);
    const sender = role === "staff" ? { staffName } : { visitorName: this.#visitorName(name) };
    const { visitor, staff } = typingEvents(this.#log.chat().id, isTyping, sender);
    this.sockets.broadcast(visitor, socket, "visitor");
    this.sockets.broadcast(staff, socket, "staff");
  }

  /** Chooses the name of the visitor: the one given, or the chat's. */
  #visitorName(name: string): string {
    return visitorName(this.env, name, this.#log.chat().user_name);
  }

  /** Updates the row in the list of chats before the call returns. @param readBy side whose notifications end */
  async #saveSummary(readBy?: "staff" | "visitor"): Promise<void> {
    this.#outbox.add("summary", Date.now());
    if (readBy) schedulePushRemoval(this.#room, this.#outbox, readBy);
    await this.#outbox.runDue("summary");
    this.#afterResponse.plan();
  }

  /** Adds the tasks that follow from a person's message, to be run after the response. */
  #scheduleTasks(message: ChatMessage, staffWait: number): void {
    this.#outbox.add("summary", Date.now());
    scheduleNotices(this.#room, this.#outbox, message, staffWait);
    if (message.isFromAdmin) this.#consoleEvents.addUpdate(this.#log.view());
    else this.#consoleEvents.addMessage(message, this.#log.view());
  }

  /** Imports the chat that waits for an empty room, if any. @returns false for a missing chat */
  async #isReady(): Promise<boolean> {
    if (this.#log.hasTables) return this.#log.exists;
    const imported = this.ctx.id.name ? await findChatImport(this.env, this.ctx.id.name) : null;
    if (imported && !this.#log.hasTables) {
      this.#log.import(imported);
      this.#outbox.createTable();
      this.#outbox.add("summary", Date.now());
      this.#afterResponse.plan();
    }
    return this.#log.exists;
  }

  /** Skips the report for a deleted chat, whose connections close after it. */
  protected override reportEmpty(): void {
    if (this.#log.hasTables) super.reportEmpty();
  }

  async #empty(): Promise<void> {
    this.reportEmpty();
    this.#outbox.drop();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#log.reset();
  }
}
