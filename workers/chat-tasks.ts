import { productsOfChat } from "~/features/chat/operations/mail-products.server";
import { mailStaff, mailVisitor } from "~/features/chat/operations/mails.server";
import {
  deleteChatRow,
  recordFirstAnswer,
  saveChatRow,
  searchedText,
  staffAddresses,
} from "~/features/chat/operations/rooms.server";
import { deleteFiles } from "~/features/chat/operations/stored-files.server";
import type { ChatMessage } from "~/features/chat/protocol";
import type { Author } from "~/features/chat/rooms";
import { recordFailure } from "~/features/incidents/operations.server";
import { readMailedCards } from "~/features/sales/cards/mailed-cards.server";
import { adminRoom, rowCollector } from "~/http/shop-objects.server";
import { autoRespond } from "./auto-responses";
import type { RoomEvents } from "./chat-events";
import type { ChatLog } from "./chat-log";
import { removeAllNotifications, type Sending, schedulePush, updateNotifications } from "./chat-pushes";
import { chatRow } from "./chat-views";
import { keptReplies } from "./kept-replies";
import type { ChatFiles } from "./limits";
import type { Outbox, TaskRun } from "./outbox";
import { ReadMarkLog } from "./read-marks";
import type { Sockets } from "./sockets";

/** Idempotent tasks that a chat room runs after the response. */
export type ChatTask =
  | "summary"
  | "answers"
  | "staff-mail"
  | "visitor-mail"
  | "first-answer"
  | "staff-push"
  | "visitor-push"
  | "removal";

/** Milliseconds without an answer after which staff are mailed. */
export const UNANSWERED_MS = 5 * 60_000;
/** Milliseconds that a visitor may be disconnected (by a reload or navigation) before an answer is mailed. */
const VISITOR_AWAY_MS = 3000;
/** Milliseconds between two mails to the same visitor, which collect the answers in between. */
const VISITOR_MAIL_INTERVAL_MS = 2 * 60_000;

/** Messages that are passed on to the webhooks at once. */
const MAX_REPORTED = 50;

/** Chat room, as its tasks use it. */
export interface TaskRoom {
  env: Env;
  sql: SqlStorage;
  log: ChatLog;
  files: ChatFiles;
  events: RoomEvents;
  sockets: Sockets;
  /** Schedules a task that is due at once. */
  schedule(task: ChatTask): void;
  /** Deletes the chat, by the next tasks. */
  remove(): void;
  /** Deletes the storage. */
  empty(): Promise<void>;
}

/**
 * Schedules the notifications and the mail that follow from a person's message.
 *
 * @param staffWait milliseconds before staff are mailed
 */
export function scheduleNotices(
  { env, log, sockets }: Pick<TaskRoom, "env" | "log" | "sockets">,
  outbox: Outbox<ChatTask>,
  message: ChatMessage,
  staffWait: number,
): void {
  const now = Date.now();
  schedulePush(env, outbox, message.isFromAdmin);
  const { user_email, user_id, mailed_at, staff_told, staff_mailed } = log.chat();
  if (!message.isFromAdmin) {
    if (!staff_told) outbox.add("staff-mail", now + staffWait);
    return;
  }
  // Notices, such as that a hold was extended, answer nothing.
  if (log.chat().waiting_since === null) {
    outbox.cancel("staff-mail");
    // What is written after this answer waits anew, also where nobody has opened the chat: the answer may be a mail.
    if (staff_told || staff_mailed !== "[]") log.set({ staff_told: 0, staff_mailed: "[]" });
  }
  if (log.chat().asked_at !== null) outbox.add("first-answer", now);
  if (sockets.hasVisitor()) log.set({ mailed_seq: message.seq });
  else if (user_email !== "" || user_id !== null)
    outbox.add("visitor-mail", Math.max(now + VISITOR_AWAY_MS, mailed_at + VISITOR_MAIL_INTERVAL_MS));
}

/** Binds the tasks to a room. */
export function chatTasks(room: TaskRoom): (task: ChatTask, run: TaskRun) => Promise<void> {
  const sending: Sending = new Map();
  const reads = new ReadMarkLog(room.sql, room.log);
  const tasks: Record<ChatTask, (room: TaskRoom, run: TaskRun) => Promise<void>> = {
    summary: saveSummary,
    answers,
    "first-answer": measureFirstAnswer,
    "staff-mail": mailAllStaff,
    "visitor-mail": mailAnswers,
    "staff-push": (room) =>
      updateNotifications(
        { ...room, reads, sending, hasForegroundPage: () => isConsoleVisible(room.env) },
        "staff",
      ),
    "visitor-push": (room) =>
      updateNotifications(
        { ...room, reads, sending, hasForegroundPage: () => room.sockets.isVisible("visitor") },
        "visitor",
      ),
    removal: (room) => removal({ ...room, sending }),
  };
  // A deleted chat only has its removal left.
  return async (task, run) => {
    if (task !== "removal" && !room.log.exists) return;
    const reference = room.log.chat().id;
    await tasks[task](room, run).catch(async (error: unknown) => {
      const delivery = DELIVERIES[task];
      if (delivery) await recordFailure(room.env, { ...delivery, reference }, error);
      throw error;
    });
  };
}

const authorIn = (author: string | null) => (author === null ? null : (JSON.parse(author) as Author));

/** Tasks that deliver something, for the health page. */
const DELIVERIES: Partial<Record<ChatTask, { kind: "mail" | "push"; place: string }>> = {
  "staff-mail": { kind: "mail", place: "Mail to staff" },
  "visitor-mail": { kind: "mail", place: "Mail to the visitor" },
  "staff-push": { kind: "push", place: "Notification to staff" },
  "visitor-push": { kind: "push", place: "Notification to the visitor" },
};

/** Tests for a page of the back office in the foreground, which reports each message by itself. */
async function isConsoleVisible(env: Env): Promise<boolean> {
  return adminRoom(env).isVisible();
}

/**
 * Updates the chat's row in D1 and adds new messages to the outbox of webhooks in the same batch. A repetition adds none
 * twice.
 *
 * @param run the first attempt after a message goes through the collector, with the rows of other chats
 */
async function saveSummary({ env, log, schedule, remove }: TaskRoom, run: TaskRun): Promise<void> {
  const messages = log.writtenAfter(log.chat().reported_seq, "any", MAX_REPORTED);
  const { author, id, revision } = log.chat();
  const update = { row: chatRow(log.chat()), ...searchedText(log.searchText()), messages };
  const isAlone = author !== null || run.isAwaited || run.attempts > 0;
  const saved = isAlone
    ? await saveChatRow(env, update, authorIn(author))
    : await rowCollector(env, id).saveRow(update);
  if ("failure" in saved) throw new Error(saved.failure);
  // A request that began before the account's deletion would outlive it.
  if (saved.isErased && log.exists) return remove();
  takeOver(log, update.row.userEmail, saved.userEmail);
  // A change that was made in between is recorded with the next row.
  if (author !== null && log.exists && log.chat().revision === revision) log.set({ author: null });
  const last = messages.at(-1);
  if (!last || !log.exists) return;
  log.set({ reported_seq: last.seq });
  if (messages.length === MAX_REPORTED) schedule("summary");
}

/** Takes over the address of the row, where the account of the chat got a new one. @param sent address that was to be written */
function takeOver(log: ChatLog, sent: string, stored: string | null): void {
  if (stored !== null && stored !== sent && log.exists && log.chat().user_email === sent)
    log.set({ user_email: stored });
}

/** Stores the time of the first answer once. */
async function measureFirstAnswer({ env, log }: TaskRoom): Promise<void> {
  const { id, asked_at, answered_at } = log.chat();
  if (asked_at === null || answered_at === null) return;
  await recordFirstAnswer(env, { chatId: id, askedAt: asked_at, answeredAt: answered_at });
  if (log.exists) log.set({ asked_at: null });
}

async function answers({ env, log, events, schedule }: TaskRoom): Promise<void> {
  const autoReplies = await keptReplies.read(env);
  if (!log.exists) return;
  const posted = autoRespond(log, autoReplies);
  for (const message of posted) events.sendMessage(message);
  if (posted.length > 0) schedule("summary");
  if (!autoReplies.settings.isOnline && log.chat().staff_told === 0) schedule("staff-mail");
}

/**
 * Mails each member of staff once until the chat is read; a retry continues with the remaining addresses.
 *
 * @throws the first refusal, after the other addresses: one that never gets mail must not keep it from the others
 */
async function mailAllStaff({ env, log }: TaskRoom): Promise<void> {
  const { unread, staff_told } = log.chat();
  if (unread === 0 || staff_told === 1) return;
  const refusals: unknown[] = [];
  const [people, products] = await Promise.all([
    staffAddresses(env),
    productsOfChat(env, chatRow(log.chat())),
  ]);
  for (const person of people) {
    if (!log.exists || log.chat().unread === 0) return;
    const done = JSON.parse(log.chat().staff_mailed) as string[];
    if (done.includes(person.email)) continue;
    const { id, userName } = chatRow(log.chat());
    const mailed = mailStaff(env, person, { id, userName, messages: unreadMessages(log), products });
    const isSent = await mailed.then(
      () => true,
      (error: unknown) => refusals.push(error) < 0,
    );
    if (isSent && log.exists) log.set({ staff_mailed: JSON.stringify([...done, person.email]) });
  }
  if (refusals.length > 0) throw refusals[0];
  if (log.exists) log.set({ staff_told: 1 });
}

/** Messages of a visitor that a mail quotes. */
const MAX_QUOTED = 5;

/** Returns the visitor's latest messages that staff have not read, without what the shop answered by itself. */
function unreadMessages(log: ChatLog): string[] {
  const written = log.writtenAfter(log.chat().staff_seq, "visitor");
  return written.slice(-MAX_QUOTED).map(({ message }) => message);
}

async function mailAnswers({ env, log, sockets }: TaskRoom): Promise<void> {
  const unread = log.writtenAfter(log.chat().mailed_seq, "staff");
  const last = unread.at(-1)?.seq;
  if (last === undefined || sockets.hasVisitor()) return;
  const chat = chatRow(log.chat());
  await mailVisitor(env, chat, unread, await readMailedCards(env, chat.id, unread));
  if (log.exists) log.set({ mailed_seq: last, mailed_at: Date.now() });
}

async function removal(room: TaskRoom & { sending: Sending }): Promise<void> {
  const { env, log, files, empty } = room;
  await removeAllNotifications(room);
  await deleteFiles(
    env,
    files.cards().map(({ key }) => key),
  );
  await deleteChatRow(env, log.chat().id, authorIn(log.chat().author));
  await empty();
}
