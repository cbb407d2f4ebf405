import { type Db, openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds, HOUR_SECONDS } from "~/domain/durations";
import { apiFields } from "~/features/catalogue/product";
import { findProduct, type ProductRow } from "~/features/catalogue/queries.server";
import { apiUnits } from "~/features/catalogue/unit-views";
import { apiDocument } from "~/features/sales/operations/documents.server";
import { findDocument } from "~/features/sales/queries/documents.server";
import { imageUrl } from "~/features/storage/schema";
import { timestamp } from "~/http/fields";
import { describeError } from "~/http/request-log.server";
import { adminRoom } from "~/http/shop-objects.server";
import {
  claimDue,
  type DeliveryRow,
  deleteOldDeliveries,
  disableWebhook,
  findDueWebhooks,
  findNextDelivery,
  pauseDue,
  saveAttempt,
  type WebhookRow,
} from "./queries.server";

/** Seconds between the six attempts of a delivery, which take 22 hours. */
const RETRY_SECONDS = [60, 600, HOUR_SECONDS, 5 * HOUR_SECONDS, 16 * HOUR_SECONDS];
const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;
/** Deliveries of one webhook that are taken at once: even slow ones end before REPEAT_SECONDS. */
export const MAX_CLAIMED = 20;
/** Queues of one webhook that are taken in one run, after which the alarm continues. */
const MAX_ROUNDS = 50;
const TIMEOUT_MS = 10_000;
/** Seconds after which a delivery that was cut off is repeated. */
const REPEAT_SECONDS = 300;
/** Seconds that further deliveries to a receiver wait after a failure. */
const PAUSE_SECONDS = 300;
/** Days that the log keeps what was delivered or given up. */
const LOG_SECONDS = 30 * DAY_SECONDS;

/**
 * Delivers what is due to the webhooks (docs/decisions/0033-webhooks.md), to each in order and independently of the
 * others: all are served at the same time.
 *
 * @param serving webhooks that are being served, also by earlier runs; this one adds and removes its own
 * @param deliver sends the queue of one webhook, from an object of its own
 * @returns when the next delivery is due, epoch milliseconds; null when none waits or another run goes on
 */
export async function deliverWebhooks(
  env: Env,
  serving: Set<string>,
  deliver: (hook: WebhookRow) => Promise<void>,
): Promise<number | null> {
  const { db } = openDb(env.DB);
  const serve = async (first: WebhookRow) => {
    const { id } = first;
    let hook: WebhookRow | undefined = first;
    for (let round = 0; hook && !serving.has(id) && round < MAX_ROUNDS; round++) {
      serving.add(id);
      await deliver(hook).finally(() => serving.delete(id));
      hook = (await findDueWebhooks(db, epochSeconds())).find((each) => each.id === id);
    }
  };
  const due = await findDueWebhooks(db, epochSeconds());
  for (const outcome of await Promise.allSettled(due.map(serve)))
    if (outcome.status === "rejected") warn(outcome.reason);
  if (serving.size > 0) return null;
  const next = await findNextDelivery(db);
  return next === null ? null : next * 1000;
}

/** Sends what is due to one webhook until the first failure, after which the rest waits. */
export async function deliverQueue(env: Env, hook: WebhookRow): Promise<void> {
  const { db } = openDb(env.DB);
  const now = epochSeconds();
  const queue = await claimDue(db, hook.id, now, now + REPEAT_SECONDS, MAX_CLAIMED);
  for (const [index, delivery] of queue.entries()) {
    if (await deliver(env, db, hook, delivery)) continue;
    const unsent = queue.slice(index + 1).map(({ id }) => id);
    return pauseDue(db, hook.id, unsent, epochSeconds(), epochSeconds() + PAUSE_SECONDS);
  }
}

/** Makes one attempt and records it. @returns false for a failure */
async function deliver(env: Env, db: Db, hook: WebhookRow, delivery: DeliveryRow): Promise<boolean> {
  const now = epochSeconds();
  const { id, webhookId, attempts } = delivery;
  const content = delivery.data || JSON.stringify(await currentData(db, delivery));
  const { isDelivered, result, isGone } = await post(env, hook, { ...delivery, data: content }, now);
  const data = delivery.event === "sale.recorded" ? "" : content;
  const wait = RETRY_SECONDS[attempts - 1];
  const state = isDelivered ? "delivered" : wait === undefined || isGone ? "failed" : "waiting";
  await saveAttempt(db, { id, webhookId, data, state, result, dueAt: now + (wait ?? 0), at: now });
  // Others have arrived meanwhile: then the receiver works, and refuses this one.
  if (isGone) await disableWebhook(db, hook.id, now, `The receiver no longer exists (${result}).`, now + 1);
  else if (state === "failed")
    await disableWebhook(
      db,
      hook.id,
      now,
      `Nothing has arrived for a day, in ${MAX_ATTEMPTS} attempts. Last: ${result}.`,
      delivery.createdAt,
    );
  return isDelivered;
}

/** Reads what a delivery is about, in the format of the API; null for what was deleted. */
async function currentData(db: Db, { event, subject }: DeliveryRow): Promise<unknown> {
  if (event === "sale.recorded") {
    const document = await findDocument(db, subject);
    return document ? apiDocument(document) : null;
  }
  const product = await findProduct(db, subject);
  return { productId: subject, product: product ? productData(product) : null };
}

/** Returns a product as the API answers it, without its description, which may be long. */
function productData(row: ProductRow) {
  const { description: _, ...fields } = apiFields(row, (entry) => imageUrl(entry));
  const units = apiUnits(row, { raw: false, isStaff: true });
  return { id: row.id, ...fields, available: row.available, ...units, createdAt: timestamp(row.createdAt) };
}

interface Result {
  isDelivered: boolean;
  /** Result in words, without the receiver's answer. */
  result: string;
  /** The receiver wants no more (410). */
  isGone: boolean;
}

/** Sends a delivery, signed as Standard Webhooks says. The answer's body is not read. */
async function post(
  env: Env,
  hook: WebhookRow,
  { id, event, data, createdAt }: Pick<DeliveryRow, "id" | "event" | "data" | "createdAt">,
  now: number,
): Promise<Result> {
  const time = new Date(createdAt * 1000).toISOString();
  const body = `{"type":${JSON.stringify(event)},"timestamp":"${time}","data":${data}}`;
  try {
    const response = await fetch(targetUrl(env, hook.url), {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Emporia-Webhooks/1",
        "webhook-id": id,
        "webhook-timestamp": String(now),
        "webhook-signature": await signatures(hook, `${id}.${now}.${body}`, now),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status, ok } = response;
    const isRedirect = status >= 300 && status < 400;
    const result = `HTTP ${status}${isRedirect ? ", redirects are not followed" : ""}`;
    return { isDelivered: ok, result, isGone: status === 410 };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    if (!isTimeout) warn(error);
    const result = isTimeout ? "No answer within 10 s" : "No connection";
    return { isDelivered: false, result, isGone: false };
  }
}

/** Sends an event of the type `test` at once, which the log does not keep. @param now epoch seconds */
export function sendTestEvent(env: Env, hook: WebhookRow, now: number): Promise<Result> {
  const data = JSON.stringify({ message: "A test of this webhook" });
  return post(env, hook, { id: `test-${crypto.randomUUID()}`, event: "test", data, createdAt: now }, now);
}

/** Returns the receiver's address, in tests at the emulated receiver. */
function targetUrl(env: Env, url: string): string {
  if (!env.WEBHOOK_TEST_ORIGIN) return url;
  const { pathname, search } = new URL(url);
  return new URL(pathname + search, env.WEBHOOK_TEST_ORIGIN).href;
}

/** Signs with HMAC-SHA256, after a rotation with both secrets. */
async function signatures(hook: WebhookRow, content: string, now: number): Promise<string> {
  const isRotating = hook.previousSecret !== null && (hook.previousUntil ?? 0) > now;
  const secrets = isRotating ? [hook.secret, hook.previousSecret ?? ""] : [hook.secret];
  const signed = await Promise.all(secrets.map((secret) => sign(secret, content)));
  return signed.map((signature) => `v1,${signature}`).join(" ");
}

async function sign(secret: string, content: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", Buffer.from(secret, "base64"), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(content));
  return Buffer.from(signature).toString("base64");
}

/**
 * Starts the delivery of what a write has put into the outbox; the alarm of the admin room and the nightly run repeat
 * it. Never rejects.
 */
export async function wakeWebhooks(env: Env): Promise<void> {
  try {
    const next = await findNextDelivery(openDb(env.DB).db);
    if (next !== null && next <= epochSeconds()) await adminRoom(env).deliverWebhooks();
  } catch (error) {
    warn(error);
  }
}

function warn(error: unknown): void {
  console.warn(JSON.stringify({ level: "warn", kind: "webhooks", error: describeError(error) }));
}

/** Removes old entries of the log and delivers what waits. Runs nightly. */
export async function maintainWebhooks(env: Env): Promise<void> {
  await deleteOldDeliveries(openDb(env.DB).db, epochSeconds() - LOG_SECONDS);
  await adminRoom(env).deliverWebhooks();
}
