import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatMessage } from "~/features/chat/protocol";
import { mayHavePushKeys } from "~/features/push/keys.server";
import { chatTag, type Notice } from "~/features/push/notice";
import { deliver, mustDisplay, pushTargets, removeTargets } from "~/features/push/operations.server";
import { settingsForTask } from "~/http/shop-settings.server";
import type { ChatLog } from "./chat-log";
import { summaryOf } from "./chat-views";
import { NotificationLog } from "./notification-log";
import type { ReadMarkLog, Side } from "./read-marks";

type PushTask = `${Side}-push`;

/** Tasks that send notifications. */
export const PUSH_TASKS: readonly PushTask[] = ["staff-push", "visitor-push"];

/** Age of a message after which its notification is neither sent nor removed, in milliseconds. */
const MAX_AGE_MS = 60 * 60_000;

interface PushOutbox {
  add(task: PushTask, dueAt: number): void;
}

/** Requests to push services that are under way: the side of each, by its subscription's id. */
export type Sending = Map<number, Side>;

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

/** Schedules the notification of a message's readers, the side that did not write it. */
export function schedulePush(env: Env, outbox: PushOutbox, isFromAdmin: boolean): void {
  if (mayHavePushKeys(env)) outbox.add(isFromAdmin ? "visitor-push" : "staff-push", Date.now());
}

/** Schedules the removal of a side's notifications, if it has any. Called when the side has read the chat. */
export function schedulePushRemoval({ sql }: Pick<PushRoom, "sql">, outbox: PushOutbox, side: Side): void {
  if (new NotificationLog(sql).displayed(side).size > 0) outbox.add(`${side}-push`, Date.now());
}

/**
 * Notifies the browsers of a side of its latest unread message, or removes their notifications when all are read. A
 * browser gets a message once: a retry sends to those that are left.
 *
 * @throws Error when a push service has failed or not answered yet
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
  if (due.length === 0) return;
  const { name: shopName } = await settingsForTask(env);
  const notice = (hasPreview: boolean) => messageNotice(room, side, shopName, hasPreview ? message : null);
  const results = await sendEach(room, side, due, async (target) => {
    const isSubscribed = await deliver(env, target, notice(target.hasPreview));
    if (!isSubscribed) return target.id;
    if (log.exists) notifications.record(side, target.id, { seq, at });
  });
  await removeEnded(env, results);
  // It was read while the requests were under way.
  if (log.exists && reads.unread(side) === 0) await removeNotifications(room, side);
}

/** Removes the notifications of a deleted chat, without a retry where a push service fails or answers late. */
export async function removeAllNotifications(room: PushSender): Promise<void> {
  await Promise.allSettled([removeNotifications(room, "staff"), removeNotifications(room, "visitor")]);
}

/**
 * Removes a side's notifications, except in browsers that must display one for each push.
 *
 * @throws Error when a push service has failed, or has not answered a notification yet
 */
async function removeNotifications(room: PushSender, side: Side): Promise<void> {
  const { env, sql, log, sending } = room;
  const notifications = new NotificationLog(sql);
  const before = notifications.displayed(side);
  // A retry removes what a request under way will display.
  const isSending = [...sending.values()].includes(side);
  if (before.size === 0) {
    if (isSending) throw new Error(NO_ANSWER);
    return;
  }
  const chatId = log.chat().id;
  const targets = new Map((await pushTargets(env, side, chatId)).map((target) => [target.id, target]));
  const notice: Notice = { type: "read", tag: chatTag(chatId), title: "", body: "", url: "" };
  const displayed = [...before].map(([id, display]) => ({ id, ...display }));
  const results = await sendEach(room, side, displayed, async ({ id, seq, at }) => {
    const target = targets.get(id);
    const isReachable = target && !mustDisplay(target) && at > Date.now() - MAX_AGE_MS;
    const isGone = isReachable && !(await deliver(env, target, notice));
    // A newer notification may have been sent since.
    if (log.exists) notifications.remove(side, id, seq);
    return isGone ? id : undefined;
  });
  await removeEnded(env, results);
  if (isSending) throw new Error(NO_ANSWER);
}

/** Milliseconds that a task waits for push services; slower requests go on while the outbox retries the task. */
const MAX_WAIT_MS = 1000;
const NO_ANSWER = "A push service has not answered yet.";

/**
 * Sends to each subscription. A request that takes longer than MAX_WAIT_MS goes on; until it ends, its subscription counts
 * as failed, so that a retry sends nothing twice.
 *
 * @param send returns the subscription's id when it has ended
 */
async function sendEach<T extends { id: number }>(
  { sending }: PushSender,
  side: Side,
  targets: T[],
  send: (target: T) => Promise<number | undefined>,
): Promise<PromiseSettledResult<number | undefined>[]> {
  const answered = new AbortController();
  const late = scheduler
    .wait(MAX_WAIT_MS, { signal: answered.signal })
    .then(() => Promise.reject(new Error(NO_ANSWER)));
  // Without targets nobody else handles its rejection.
  late.catch(() => undefined);
  const requests = targets.map((target) => {
    if (sending.has(target.id)) return Promise.reject(new Error(NO_ANSWER));
    const request = send(target).finally(() => sending.delete(target.id));
    sending.set(target.id, side);
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

/** Creates the notice of a message. @param text null for a notice without the text and the sender's name */
function messageNotice({ log }: PushRoom, side: Side, shopName: string, text: string | null): Notice {
  const { id, user_name } = log.chat();
  const encodedId = encodeURIComponent(id);
  const isStaff = side === "staff";
  const sender = isStaff ? user_name || NEW_CUSTOMER : shopName;
  return {
    type: "message",
    tag: chatTag(id),
    title: text === null ? "New message" : sender,
    body: text === null ? "Open the chat to read it." : summaryOf(text) || "Sent you something.",
    url: isStaff ? `/admin/chat?chat=${encodedId}` : `/chat/${encodedId}`,
  };
}
