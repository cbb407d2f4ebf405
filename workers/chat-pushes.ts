import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatMessage } from "~/features/chat/protocol";
import { chatTag, type Notice } from "~/features/push/notice";
import {
  deliver,
  mustDisplay,
  pushTargets,
  removeTargets,
  vapidKeys,
} from "~/features/push/operations.server";
import { shopSettings } from "~/http/shop-settings.server";
import type { ChatLog } from "./chat-log";
import { summaryOf } from "./chat-views";
import { NotificationLog } from "./notification-log";
import type { ReadMarkLog, Side } from "./read-marks";

type PushTask = `${Side}-push`;

/** Tasks that send notifications. */
export const PUSH_TASKS: readonly PushTask[] = ["staff-push", "visitor-push"];

/** Age after which an undelivered notification is given up, in milliseconds. */
const MAX_AGE_MS = 60 * 60_000;

interface PushOutbox {
  add(task: PushTask, dueAt: number): void;
}

/** Requests to push services that are under way, by subscription. */
export type Sending = Map<number, Promise<unknown>>;

interface PushSender {
  env: Env;
  sending: Sending;
  sql: SqlStorage;
  log: ChatLog;
}

interface PushRoom extends PushSender {
  reads: ReadMarkLog;
  /** Tests for a page in the foreground that displays the chat's messages by itself. */
  hasForegroundPage(side: Side): Promise<boolean> | boolean;
}

/** Schedules the notification of a message's readers. */
export function schedulePush(env: Env, outbox: PushOutbox, isFromAdmin: boolean): void {
  if (vapidKeys(env)) outbox.add(isFromAdmin ? "visitor-push" : "staff-push", Date.now());
}

/** Schedules the removal of a side's notifications once it has read the chat, if it has any. */
export function schedulePushRemoval({ sql }: Pick<PushRoom, "sql">, outbox: PushOutbox, side: Side): void {
  if (new NotificationLog(sql).displayed(side).size > 0) outbox.add(`${side}-push`, Date.now());
}

/**
 * Notifies the browsers of a side, each once for a message, or removes their notifications when the chat is read. A
 * retry continues with the browsers that have failed.
 *
 * @throws Error when a push service has failed
 */
export async function updateNotifications(room: PushRoom, side: Side): Promise<void> {
  const { env, sql, log, reads } = room;
  if (reads.unread(side) === 0) return removeNotifications(room, side);
  const latest = log.latestBy(side === "staff" ? "visitor" : "staff");
  if (!latest) return;
  const { seq, message, timestamp } = latest;
  const at = epochMs(timestamp);
  const chatId = log.chat().id;
  if (at < Date.now() - MAX_AGE_MS || (await room.hasForegroundPage(side))) return;
  const targets = await pushTargets(env, side, chatId);
  // The chat was deleted meanwhile.
  if (!log.exists) return;
  const notifications = new NotificationLog(sql);
  const before = notifications.displayed(side);
  const due = targets.filter(({ id }) => (before.get(id)?.seq ?? 0) < seq);
  const notice = (hasPreview: boolean) => messageNotice(room, side, hasPreview ? message : null);
  const results = await sendEach(room, due, async (target) => {
    // False: the subscription has ended.
    if (!(await deliver(env, target, notice(target.hasPreview)))) return target.id;
    if (log.exists) notifications.record(side, target.id, { seq, at });
  });
  await removeEnded(env, results);
  // It was read while the requests were under way.
  if (log.exists && reads.unread(side) === 0) await removeNotifications(room, side);
}

/** Removes the notifications of a deleted chat where the push services answer soon. */
export async function removeAllNotifications(room: PushSender): Promise<void> {
  await Promise.allSettled([removeNotifications(room, "staff"), removeNotifications(room, "visitor")]);
}

/** Removes a side's notifications, except at push services that allow no push without a notification. */
async function removeNotifications(room: PushSender, side: Side): Promise<void> {
  const { env, sql, log } = room;
  const notifications = new NotificationLog(sql);
  const before = notifications.displayed(side);
  if (before.size === 0) return;
  const chatId = log.chat().id;
  const targets = new Map((await pushTargets(env, side, chatId)).map((target) => [target.id, target]));
  const notice: Notice = { type: "read", tag: chatTag(chatId), title: "", body: "", url: "" };
  const shown = [...before].map(([id, display]) => ({ id, ...display }));
  const results = await sendEach(room, shown, async ({ id, seq, at }) => {
    const target = targets.get(id);
    const isReachable = target && !mustDisplay(target) && at > Date.now() - MAX_AGE_MS;
    const isGone = isReachable && !(await deliver(env, target, notice));
    // A newer notification may have been sent since.
    if (log.exists) notifications.remove(side, id, seq);
    return isGone ? id : undefined;
  });
  await removeEnded(env, results);
}

/** Milliseconds that a task waits for push services; slower requests go on, and the outbox retries. */
const MAX_WAIT_MS = 1000;

/**
 * Sends to each subscription. A request that takes long goes on, and its subscription counts as failed until it ends: a
 * retry then finds what is still due.
 *
 * @param send returns the id of a subscription that has ended
 */
async function sendEach<T extends { id: number }>(
  { sending }: PushSender,
  targets: T[],
  send: (target: T) => Promise<number | undefined>,
): Promise<PromiseSettledResult<number | undefined>[]> {
  const answered = new AbortController();
  const late = scheduler
    .wait(MAX_WAIT_MS, { signal: answered.signal })
    .then(() => Promise.reject(new Error("A push service has not answered yet.")));
  // Without targets nothing listens to its rejection.
  late.catch(() => undefined);
  const requests = targets.map((target) => {
    if (sending.has(target.id)) return Promise.reject(new Error("A push service has not answered yet."));
    const request = send(target).finally(() => sending.delete(target.id));
    sending.set(target.id, request);
    return Promise.race([request, late]);
  });
  const results = await Promise.allSettled(requests);
  answered.abort();
  return results;
}

/**
 * Deletes the subscriptions that have ended, then reports a failure.
 *
 * @param results ids of ended subscriptions
 * @throws the first failure
 */
async function removeEnded(env: Env, results: PromiseSettledResult<number | undefined>[]): Promise<void> {
  const ended = results.flatMap((result) => (result.status === "fulfilled" ? (result.value ?? []) : []));
  await removeTargets(env, ended);
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}

const epochMs = ({ seconds, nanoseconds }: ChatMessage["timestamp"]) =>
  seconds * 1000 + nanoseconds / 1_000_000;

/** Creates the notice of a message. @param text null leaves out the text and the visitor's name */
function messageNotice({ env, log }: PushRoom, side: Side, text: string | null): Notice {
  const { id, user_name } = log.chat();
  const encodedId = encodeURIComponent(id);
  const isStaff = side === "staff";
  const sender = isStaff ? user_name || NEW_CUSTOMER : shopSettings(env).name;
  return {
    type: "message",
    tag: chatTag(id),
    title: text === null ? "New message" : sender,
    body: text === null ? "Open the chat to read it." : summaryOf(text) || "Sent you something.",
    url: isStaff ? `/admin/chat?chat=${encodedId}` : `/chat/${encodedId}`,
  };
}
