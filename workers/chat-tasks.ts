import {
  answersOf,
  forgetChat,
  mailStaff,
  mailVisitor,
  saveChatRow,
  staffAddresses,
} from "~/features/chat/operations.server";
import type { ChatMessage } from "~/features/chat/protocol";
import { autoRespond } from "./auto-responses";
import type { ChatLog } from "./chat-log.queries";

/** What a room does after it has answered; each is safe to do again. */
export type ChatTask = "summary" | "answers" | "staff-mail" | "visitor-mail" | "removal";

/** Milliseconds without an answer after which staff get a mail. */
export const UNANSWERED_MS = 5 * 60_000;
/** Milliseconds that a visitor may be away (a reload, a change of page) before an answer is mailed. */
export const VISITOR_AWAY_MS = 3000;
/** Milliseconds between two mails to the same visitor: more answers in between come in one. */
export const VISITOR_MAIL_INTERVAL_MS = 2 * 60_000;

interface Room {
  env: Env;
  log: ChatLog;
  isVisitorHere(): boolean;
  tell(message: ChatMessage): void;
  mailStaffNow(): void;
  /** Has the row in the list of chats written again. */
  summarise(): void;
  /** Empties the storage. */
  empty(): Promise<void>;
}

/** How a room does its duties. */
export function chatTasks(room: Room): (duty: ChatTask) => Promise<void> {
  const perform: Record<ChatTask, (room: Room) => Promise<void>> = {
    summary: ({ env, log }) => saveChatRow(env, log.row()),
    answers,
    "staff-mail": tellStaff,
    "visitor-mail": tellVisitor,
    removal,
  };
  // A deleted chat has one duty left.
  return async (duty) => (duty === "removal" || room.log.exists ? perform[duty](room) : undefined);
}

async function answers({ env, log, tell, mailStaffNow, summarise }: Room): Promise<void> {
  const known = await answersOf(env);
  if (!log.exists) return;
  const said = autoRespond(log, known);
  for (const message of said) tell(message);
  if (said.length > 0) summarise();
  if (!known.settings.isOnline && log.chat().staff_told === 0) mailStaffNow();
}

/** One mail to each of the staff, once a chat until it is read; a try that broke goes on where it was. */
async function tellStaff({ env, log }: Room): Promise<void> {
  const { unread, staff_told } = log.chat();
  if (unread === 0 || staff_told === 1) return;
  for (const address of await staffAddresses(env)) {
    if (!log.exists || log.chat().unread === 0) return;
    const done = JSON.parse(log.chat().staff_mailed) as string[];
    if (done.includes(address)) continue;
    await mailStaff(env, address, log.view());
    if (log.exists) log.set({ staff_mailed: JSON.stringify([...done, address]) });
  }
  if (log.exists) log.set({ staff_told: 1 });
}

async function tellVisitor({ env, log, isVisitorHere }: Room): Promise<void> {
  const unheard = log.answersAfter(log.chat().mailed_seq);
  const last = unheard.at(-1)?.seq;
  if (last === undefined || isVisitorHere()) return;
  await mailVisitor(
    env,
    log.view(),
    unheard.map(({ message }) => message),
  );
  if (log.exists) log.set({ mailed_seq: last, mailed_at: Date.now() });
}

async function removal({ env, log, empty }: Room): Promise<void> {
  await forgetChat(env, log.chat().id);
  await empty();
}
