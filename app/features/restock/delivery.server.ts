import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds, HOUR_SECONDS } from "~/domain/durations";
import { unitName } from "~/domain/unit-name";
import { choiceUrl } from "~/features/catalogue/unit-choice";
import { accountThread } from "~/features/chat/operations/mail-threads.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { deliver } from "~/features/push/operations.server";
import { isRecipientRefused } from "~/http/mail-refusals.server";
import { NextStep } from "~/http/nightly-job.server";
import { describeError } from "~/http/request-log.server";
import { adminRoom } from "~/http/shop-objects.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { mailRestock } from "./mails.server";
import {
  claimNext,
  type DueRequest,
  deleteExpired,
  deleteUnreached,
  findDue,
  findNextDue,
  markNotified,
  postpone,
  putBack,
  takeDue,
} from "./queries.server";

/** People who are notified in one run. */
export const MAX_PEOPLE = 40;
/** Seconds after which a run that was cut off is repeated. */
const REPEAT_SECONDS = 300;
const RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = HOUR_SECONDS;
/** Time for which a browser that is offline may still be told. */
const NOTICE_SECONDS = 7 * DAY_SECONDS;
/** Attempts in about two days. */
const MAX_ATTEMPTS = 54;

/**
 * Notifies the next people of what is back (docs/decisions/0093-back-in-stock.md).
 *
 * @returns when others are to be notified, epoch milliseconds; null when nobody is
 */
export async function notifyRestocked(env: Env): Promise<number | null> {
  const { db } = openDb(env.DB);
  const now = epochSeconds();
  await claimNext(db, now, MAX_PEOPLE);
  const due = await takeDue(db, { now, until: now + REPEAT_SECONDS, max: MAX_PEOPLE });
  for (const id of due) {
    // Another buyer may have come, and the person may have ended it, while the others were told.
    const request = await findDue(db, id);
    if (request && request.available <= 0) await putBack(db, id);
    else if (request) await notify(env, await settingsForTask(env), request);
  }
  const next = await findNextDue(db);
  return next === null ? null : next * 1000;
}

/** Sends the message of a request and ends it, or plans the next attempt. */
async function notify(env: Env, settings: ShopSettings, request: DueRequest): Promise<void> {
  const { db } = openDb(env.DB);
  const { id } = request;
  const now = epochSeconds();
  const isThere = await send(env, settings, request).catch((error: unknown) =>
    noteFailure(env, request, error),
  );
  if (isThere === null) return;
  const end = () => (isThere ? markNotified(db, id, now) : deleteUnreached(db, id, now));
  // A message that was sent is not sent again for a write that failed once.
  await end().catch(end);
}

/** Records why a message was not sent. @returns false after the last attempt, and for an address that takes no mail; null when another one follows */
async function noteFailure(
  env: Env,
  { id, email, attempts }: DueRequest,
  error: unknown,
): Promise<false | null> {
  await recordFailure(env, { kind: email ? "mail" : "push", place: "What is back in stock" }, error);
  if (attempts + 1 >= MAX_ATTEMPTS || (email && isRecipientRefused(error))) return false;
  const wait = Math.min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** Math.min(attempts, 10));
  await postpone(openDb(env.DB).db, id, epochSeconds() + wait);
  return null;
}

/** Sends a message. @returns false for a browser that takes no more notifications */
async function send(env: Env, settings: ShopSettings, request: DueRequest): Promise<boolean> {
  const { id, unitId, email, userId, party, available, priceCents } = request;
  const values = JSON.parse(request.values) as string[];
  const unit = unitName(request.name, values);
  const path = choiceUrl(request.productId, JSON.parse(request.options) as { name: string }[], values);
  if (email) {
    const context = { env, db: openDb(env.DB).db };
    const thread = userId === null ? undefined : await accountThread(context, settings, userId, email);
    await mailRestock(env, settings, { to: email, thread, id, unit, path, available, priceCents });
    return true;
  }
  const { p256dh, auth, publicKey } = request;
  const target = { id: 0, endpoint: party, p256dh, auth, publicKey, hasPreview: true };
  const body = available === 1 ? "One piece can be bought again." : "It can be bought again.";
  const notice = {
    type: "message",
    tag: `restock-${unitId}`,
    title: `${unit} is back`,
    body,
    url: path,
  } as const;
  return deliver(env, target, notice, NOTICE_SECONDS);
}

/** Starts to notify people of what a write has brought back; the alarm of the admin room goes on. Never rejects. */
export async function wakeRestock(env: Env): Promise<void> {
  try {
    const next = await findNextDue(openDb(env.DB).db);
    if (next !== null && next <= epochSeconds()) await adminRoom(env).notifyRestocked();
  } catch (error) {
    console.warn(JSON.stringify({ level: "warn", kind: "restock", error: describeError(error) }));
  }
}

/** Requests that one nightly step deletes. */
const MAX_DELETED = 2000;

/** Deletes the requests whose time has passed, and notifies who is due. Runs nightly. */
export async function maintainRestock(env: Env): Promise<NextStep | number> {
  const deleted = await deleteExpired(openDb(env.DB).db, epochSeconds(), MAX_DELETED);
  if (deleted === MAX_DELETED) return new NextStep("more", deleted);
  await wakeRestock(env);
  return deleted;
}
