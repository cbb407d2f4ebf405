import type { Question, VisitorDetails } from "~/features/chat/introduction";
import { CLOSED } from "~/features/chat/limits";
import { findChatImport, isRestoreUnderWay, refusedByRestore } from "~/features/chat/operations/rooms.server";
import type { ChatMessage, ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type {
  Author,
  AutoReplies,
  ChatChanges,
  ChatUpdate,
  ContinuedChat,
  IncomingMessage,
  InitialMessage,
  NewChat,
  PostResult,
  RoomDump,
} from "~/features/chat/rooms";
import { visitorName } from "~/features/chat/visitor-name.server";
import type { FileCard } from "~/features/storage/file-card";
import { appendFirst, autoRespond, postAsShop, settleUnanswered } from "./auto-responses";
import { ConsoleEvents, RoomEvents } from "./chat-events";
import { ChatLog } from "./chat-log";
import { PUSH_TASKS, schedulePushRemoval } from "./chat-pushes";
import { type ChatTask, chatTasks, scheduleNotices, type TaskRoom, UNANSWERED_MS } from "./chat-tasks";
import {
  changeConflict,
  changedColumns,
  detailColumns,
  isAssignment,
  knownDetail,
  lineColumns,
  readHistory,
} from "./chat-views";
import type { RoomId } from "./connections";
import { keptReplies } from "./kept-replies";
import { ChatFiles, checkContinued, checkMessage, compareContinued, compareStart, OPENING } from "./limits";
import { LiveObject } from "./live-object";
import { AfterResponse, Outbox } from "./outbox";
import { ReadMarkLog, type Side } from "./read-marks";
import { dumpRoom, restoreRoom } from "./room-archive";

/** Milliseconds after which the tasks of a room that is being restored try again. */
const RESTORE_CHECK_MS = 60_000;

/** Chat with messages, connections and tasks (docs/decisions/0009-live-chat.md). Output waits for the writes before it. */
export class ChatRoom extends LiveObject {
  readonly #log: ChatLog;
  readonly #reads: ReadMarkLog;
  readonly #events: RoomEvents;
  readonly #room: TaskRoom;
  readonly #outbox: Outbox<ChatTask>;
  readonly #consoleEvents = new ConsoleEvents(this.env);
  readonly #afterResponse = new AfterResponse(this.ctx, () =>
    Promise.all([this.#consoleEvents.send(), this.#outbox.runDue()]),
  );

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new ChatLog(ctx.storage.sql);
    this.#reads = new ReadMarkLog(ctx.storage.sql, this.#log);
    this.#events = new RoomEvents(this.sockets, this.#log);
    this.#room = {
      env,
      sql: ctx.storage.sql,
      log: this.#log,
      files: new ChatFiles(ctx.storage.sql),
      events: this.#events,
      sockets: this.sockets,
      schedule: (task) => this.#outbox.add(task, Date.now()),
      remove: () => this.#markRemoved(null),
      empty: () => this.#empty(),
    };
    this.#outbox = new Outbox(ctx.storage, chatTasks(this.#room), PUSH_TASKS);
  }

  /** Creates the chat with its first messages. @returns true also for a start that is sent again; false for an earlier chat */
  async open(chat: NewChat, initialMessage: InitialMessage | null, autoReplies: AutoReplies) {
    const earlier = compareStart(this.#log, chat, initialMessage, Date.now());
    if (earlier === "shared") return this.continue({ ...chat, initialMessage, since: 0 });
    if (earlier) return earlier === "repeated" || ("otherStart" as const);
    if (chat.isCardUnknown) return "unknownCard" as const;
    if (this.#log.hasTables) return false;
    this.#log.create(chat, Date.now());
    if (chat.digest) this.#log.keepStart(OPENING, chat.digest);
    this.#outbox.createTable();
    const { welcomeMessage, isOnline } = autoReplies.settings;
    if (welcomeMessage && !(chat.isGreeted && initialMessage))
      postAsShop(this.#log, "welcome", welcomeMessage);
    const first = initialMessage ? appendFirst(this.#log, initialMessage, "initial") : null;
    autoRespond(this.#log, autoReplies);
    if (first) this.#scheduleTasks(first, isOnline ? UNANSWERED_MS : 0);
    await this.#saveSummary();
    return this.#log.exists || ("erased" as const);
  }

  /** Continues the chat; a message that waits for an answer is not repeated. @returns false for a closed or old chat */
  async continue({ initialMessage, since, messageId, ...details }: ContinuedChat) {
    if (!(await this.#isWritable()) || !this.#log.isContinuable(since)) return false;
    const isRepeated = compareContinued(this.#log, { messageId, digest: details.digest }, initialMessage);
    if (isRepeated !== null) return isRepeated || ("otherStart" as const);
    if (details.isCardUnknown) return "unknownCard" as const;
    const { added, limit } = checkContinued(this.#room, initialMessage);
    if (limit) return limit;
    if (messageId && details.digest) this.#log.keepStart(messageId, details.digest);
    this.#log.set(detailColumns(this.#log.chat(), details));
    if (added) this.#deliver(appendFirst(this.#log, added, "person", messageId));
    await this.#saveSummary();
    return this.#log.exists || ("erased" as const);
  }

  /** Adds the name and e-mail address that the visitor gives. @returns the known field with another value; null for a missing chat */
  async introduce(details: VisitorDetails): Promise<VisitorDetails | { known: Question } | null> {
    if (!(await this.#isWritable())) return null;
    const known = knownDetail(this.#log.chat(), details);
    if (known) return { known };
    const isAnonymous = details.userEmail === "";
    this.#log.set(detailColumns(this.#log.chat(), { ...details, isAnonymous, lines: [] }));
    this.#consoleEvents.addUpdate(this.#log.view());
    const { userName, userEmail } = this.#log.view();
    await this.#saveSummary();
    return this.#log.exists ? { userName, userEmail } : null;
  }

  /** Checks a message whose files are about to be stored. @returns null for a new one */
  async check(message: IncomingMessage): Promise<PostResult | null> {
    return (await this.#isWritable()) ? checkMessage(this.#room, message) : { rejected: "notFound" };
  }

  /** Stores a message once for each id, and sends it to all connections. */
  async post(message: IncomingMessage): Promise<PostResult> {
    if (!(await this.#isWritable())) return { rejected: "notFound" };
    const known = checkMessage(this.#room, message);
    if (known) return known;
    const { id = crypto.randomUUID(), senderName: name } = message;
    const senderName = message.isFromAdmin
      ? name
      : visitorName(keptReplies.shopName(this.env), name, this.#log.chat().user_name);
    if (message.lines?.length) this.#log.set(lineColumns(this.#log.chat(), message.lines));
    const by = message.isUnlimited ? "act" : "person";
    const stored = this.#log.append({ ...message, id, senderName, by }, Date.now());
    this.#deliver(stored);
    this.#afterResponse.plan();
    this.scheduleSessionCheck();
    return { stored };
  }

  /** Sends a stored message to all connections and schedules the tasks that follow. */
  #deliver(message: ChatMessage): void {
    this.#events.sendMessage(message);
    const replies = keptReplies.current();
    const needsNoAnswer = message.isFromAdmin || (replies !== null && settleUnanswered(this.#log, replies));
    if (!needsNoAnswer) this.#outbox.add("answers", Date.now());
    if (replies === null) this.ctx.waitUntil(keptReplies.renew(this.env));
    this.#scheduleTasks(message, UNANSWERED_MS);
  }

  /** Reads messages, see readHistory; a visitor's are not mailed unless nobody saw them. @returns null for a missing chat */
  async history(after: number | null, role: Side, isSeen = true) {
    return (await this.#isReady()) ? readHistory(this.#log, this.#reads, after, { role, isSeen }) : null;
  }

  /** Assigns an anonymous chat to an account; its connections reconnect under it. @returns false for another's chat */
  async attach({ userId, ...details }: Pick<NewChat, "userId" | "userName" | "userEmail">): Promise<boolean> {
    const chat = (await this.#isWritable()) ? this.#log.chat() : undefined;
    if (chat?.user_id !== null) return chat?.user_id === userId;
    this.#log.set({ user_id: userId, ...detailColumns(chat, { ...details, isAnonymous: false, lines: [] }) });
    this.sockets.closeAnonymous();
    this.#consoleEvents.addUpdate(this.#log.view());
    await this.#saveSummary();
    return this.#log.exists;
  }

  /** Takes over the address that the chat's row got with its account. */
  async renewAddress(): Promise<void> {
    if (!(await this.#isWritable())) return;
    this.#log.set({ revision: this.#log.chat().revision + 1 });
    await this.#saveSummary();
    if (this.#log.exists) this.#consoleEvents.addUpdate(this.#log.view());
  }

  /** Reads the cart at the start of the chat. */
  async lines() {
    return (await this.#isReady()) ? this.#log.lines() : [];
  }

  /** Tells whether a start with a key has continued the chat. @param id of its message */
  async hasStart(id: string): Promise<boolean> {
    return (await this.#isReady()) && (this.#log.byId(id) ?? this.#log.startDigest(id)) !== null;
  }

  /** Lists the files that messages name. */
  async files(): Promise<FileCard[]> {
    return (await this.#isReady()) ? this.#room.files.cards() : [];
  }

  /**
   * Marks the messages up to a seq as read.
   *
   * @param rowFollows a page that is opened does not wait for the row in the list of chats
   * @returns the side's unread messages; null for a missing chat
   */
  async markRead(side: Side, seq = Number.MAX_SAFE_INTEGER, rowFollows = false): Promise<number | null> {
    if (!(await this.#isWritable())) return null;
    const { hasMoved, isChanged } = this.#reads.move(side, seq);
    if (hasMoved) this.#events.sendRead(side, this.#reads.marks()[side]);
    const unread = this.#reads.unread(side);
    if (side === "staff" && unread === 0) {
      this.#outbox.cancel("staff-mail");
      this.#log.set({ staff_told: 0, staff_mailed: "[]" });
    }
    if (side === "staff" && isChanged) this.#consoleEvents.addUpdate(this.#log.view());
    if (isChanged) {
      schedulePushRemoval(this.#room, this.#outbox, side);
      this.#outbox.add("summary", Date.now());
      if (!rowFollows) await this.#outbox.runDue("summary");
      this.#afterResponse.plan();
    }
    return this.#log.exists ? unread : null;
  }

  /** Renames, assigns, closes or reopens the chat; a closed one does not wait. */
  async update(changes: ChatChanges): Promise<ChatUpdate> {
    if (!(await this.#isWritable())) return { rejected: "notFound" };
    const conflict = changeConflict(this.#log.chat(), changes);
    if (conflict) return conflict;
    const isAssigned = isAssignment(this.#log.chat(), changes);
    this.#log.set(changedColumns(this.env, this.#log.chat(), changes));
    if (changes.state) this.#events.sendState();
    this.#consoleEvents.addUpdate(this.#log.view(), isAssigned ? changes.by : undefined);
    await this.#saveSummary();
    return this.#log.exists ? { chat: this.#log.view(), isAssigned } : { rejected: "notFound" };
  }

  /** Deletes the chat, or continues a deletion that failed. @returns false for a missing chat */
  async remove(author: Author): Promise<boolean> {
    if (!(await this.#isWritable()) && !this.#log.hasTables) return false;
    this.#markRemoved(author);
    await this.#outbox.runDue("removal");
    return true;
  }

  /** Ends the chat for everybody; the task `removal` deletes it. @param author null for the system */
  #markRemoved(author: Author | null): void {
    this.#log.set({ removed: 1, author: author && JSON.stringify(author) });
    this.#outbox.add("removal", Date.now());
    this.sockets.closeAll(CLOSED.chatGone, "The chat was deleted.");
    this.#consoleEvents.replaceByDeletion(this.#log.chat().id);
    this.ctx.waitUntil(this.#consoleEvents.send());
  }

  /** Reads what a backup stores. @returns null for a missing chat, and for one that waits to be imported */
  dump(after: number, maxBytes: number): RoomDump | null {
    return this.#log.exists ? dumpRoom(this.ctx.storage.sql, after, maxBytes) : null;
  }

  restore(dump: RoomDump): void {
    keptReplies.forget();
    restoreRoom(this.ctx.storage, dump, this.#log, this.#outbox);
  }

  override async alarm(): Promise<void> {
    if (this.#log.isRestoring && !(await this.#unlock()))
      await this.ctx.storage.setAlarm(Date.now() + RESTORE_CHECK_MS);
    else if (this.#log.hasTables) await this.#outbox.runFromAlarm();
  }

  protected roomId(): RoomId {
    return `chat:${this.#log.chat().id}`;
  }

  protected async initialEvents(after: number | null, role: Side): Promise<ServerEvent[] | null> {
    return (await this.#isReady()) ? this.#events.missed(after, role) : null;
  }

  protected handleEvent(socket: WebSocket, event: ClientEvent): void {
    if (event.event === "join-chat" && event.data.chatId === this.#log.chat().id) {
      this.sockets.catchUp(socket, this.#events.missed(event.data.after, this.sockets.state(socket).role));
    } else if (event.event === "typing" || event.event === "stop-typing") {
      const name = visitorName(
        keptReplies.shopName(this.env),
        event.data.senderName,
        this.#log.chat().user_name,
      );
      this.#events.relayTyping(socket, event.event === "typing", name);
    } else this.sockets.sendError(socket, event.event, "This connection is for one chat alone.");
  }

  /**
   * Updates the row in the list of chats before the call returns. The chat may be deleted meanwhile: what follows asks
   * whether it exists.
   */
  async #saveSummary(): Promise<void> {
    this.#outbox.add("summary", Date.now());
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

  /**
   * Prepares a write. During a restore it is refused: the rest of the archive would replace what it stores.
   *
   * @returns false for a missing chat
   * @throws Error RESTORING
   */
  async #isWritable(): Promise<boolean> {
    if (this.#log.isRestoring && !(await this.#unlock())) throw refusedByRestore();
    return this.#isReady();
  }

  /** Accepts writes again once the restore has ended. @returns false before that */
  async #unlock(): Promise<boolean> {
    if (await isRestoreUnderWay(this.env)) return false;
    if (this.#log.isRestoring) this.#log.unlock();
    keptReplies.forget();
    return true;
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
