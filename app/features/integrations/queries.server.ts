import { desc, eq, sql } from "drizzle-orm";
import { added, contents, differences, INSERTED, type RecordedFields, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { WEBHOOK_HOST } from "~/db/integrations.schema";
import { type webhookDeliveries, webhooks } from "~/db/schema";

export type WebhookRow = typeof webhooks.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

export function findWebhooks(db: Db): Promise<WebhookRow[]> {
  return db.select().from(webhooks).orderBy(desc(webhooks.createdAt), desc(webhooks.id));
}

/** Fields of a webhook in the audit log, beside its address. */
const WEBHOOK_AUDIT: RecordedFields<typeof webhooks> = {
  events: "value",
  lowStock: "value",
  disabledAt: "value",
  secret: "fact",
};

/** Stores a webhook unless there are the maximum. @returns false for the maximum */
export async function insertWebhook(
  db: Db,
  { id, url, events, lowStock, secret, createdAt }: typeof webhooks.$inferInsert,
  max: number,
): Promise<boolean> {
  const [stored = []] = await runBatch(db, [
    sql`INSERT INTO webhooks (id, url, events, low_stock, secret, created_at)
      SELECT ${id}, ${url}, ${JSON.stringify(events)}, ${lowStock}, ${secret}, ${createdAt}
      WHERE (SELECT count(*) FROM webhooks) < ${max} RETURNING id`,
    recorded(db, {
      object: "webhook",
      action: "created",
      id: webhooks.id,
      changes: { address: added(WEBHOOK_HOST), ...contents(webhooks, WEBHOOK_AUDIT, added) },
      rows: sql`FROM ${webhooks} WHERE ${eq(webhooks.id, id)} AND ${INSERTED}`,
    }),
  ]);
  return stored.length > 0;
}

const recordWebhook = (db: Db, id: string, changes: Partial<typeof webhooks.$inferInsert>) =>
  recorded(db, {
    object: "webhook",
    action: "changed",
    id: webhooks.id,
    changes: differences(webhooks, WEBHOOK_AUDIT, changes),
    rows: sql`FROM ${webhooks} WHERE ${eq(webhooks.id, id)}`,
  });

/** Changes a webhook. @returns false for a missing one */
export async function updateWebhook(
  db: Db,
  id: string,
  changes: Partial<typeof webhooks.$inferInsert>,
): Promise<boolean> {
  const [, rows] = await db.batch([
    recordWebhook(db, id, changes),
    db.update(webhooks).set(changes).where(eq(webhooks.id, id)).returning({ id: webhooks.id }),
  ]);
  return rows.length > 0;
}

/** Replaces the secret; the old one signs as well for a while. @returns false for a missing webhook */
export async function rotateSecret(db: Db, id: string, secret: string, until: number): Promise<boolean> {
  const [, rows] = await db.batch([
    recordWebhook(db, id, { secret }),
    db
      .update(webhooks)
      .set({ secret, previousSecret: sql`${webhooks.secret}`, previousUntil: until })
      .where(eq(webhooks.id, id))
      .returning({ id: webhooks.id }),
  ]);
  return rows.length > 0;
}

export async function deleteWebhook(db: Db, id: string): Promise<boolean> {
  const [, rows] = await db.batch([
    recorded(db, {
      object: "webhook",
      action: "deleted",
      id: webhooks.id,
      changes: { address: removed(WEBHOOK_HOST), ...contents(webhooks, WEBHOOK_AUDIT, removed) },
      rows: sql`FROM ${webhooks} WHERE ${eq(webhooks.id, id)}`,
    }),
    db.delete(webhooks).where(eq(webhooks.id, id)).returning({ id: webhooks.id }),
  ]);
  return rows.length > 0;
}

/** Makes a delivery due again, with the same id and data. @returns false for a missing one or a disabled webhook */
export async function resetDelivery(db: Db, id: string, now: number): Promise<boolean> {
  const [rows = []] = await runBatch(db, [
    sql`UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due_at = ${now} WHERE id = ${id}
      AND webhook_id IN (SELECT id FROM webhooks WHERE disabled_at IS NULL) RETURNING id`,
  ]);
  return rows.length > 0;
}

/** Lists the webhooks with due deliveries, the longest wait first. */
export async function findDueWebhooks(db: Db, now: number): Promise<WebhookRow[]> {
  const due = await db.all<{ id: string }>(
    sql`SELECT webhook_id AS id FROM webhook_deliveries WHERE state = 'waiting' GROUP BY webhook_id
      HAVING min(due_at) <= ${now} ORDER BY min(due_at)`,
  );
  if (due.length === 0) return [];
  const hooks = new Map((await findWebhooks(db)).map((hook) => [hook.id, hook]));
  return due.flatMap(({ id }) => hooks.get(id) ?? []);
}

/**
 * Takes the due deliveries of a webhook, the oldest first, and counts their attempt: what ends in the middle is
 * repeated. A product that changes from now on is a new event.
 */
export async function claimDue(
  db: Db,
  webhookId: string,
  now: number,
  repeatAt: number,
  limit: number,
): Promise<DeliveryRow[]> {
  const [rows = []] = await runBatch(db, [
    sql`UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ${repeatAt}, data = coalesce(data, '')
      WHERE id IN (SELECT id FROM webhook_deliveries WHERE state = 'waiting' AND due_at <= ${now}
        AND webhook_id = ${webhookId} ORDER BY due_at, rowid LIMIT ${limit})
      RETURNING rowid AS position, id, webhook_id AS webhookId, event, subject, data, state, attempts,
        due_at AS dueAt, result, attempted_at AS attemptedAt, created_at AS createdAt`,
  ]);
  const claimed = rows as unknown as (DeliveryRow & { position: number })[];
  return claimed.sort((a, b) => a.position - b.position);
}

/** Returns when the next delivery is due, epoch seconds; null when none waits. */
export async function findNextDelivery(db: Db): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>(
    sql`SELECT min(due_at) AS at FROM webhook_deliveries WHERE state = 'waiting'`,
  );
  return row?.at ?? null;
}

/** Result of an attempt. */
export interface Attempt extends Pick<DeliveryRow, "id" | "webhookId" | "data" | "state" | "result"> {
  /** Time of the next one, or of this one. */
  dueAt: number;
  at: number;
}

export async function saveAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { id, webhookId, data, state, result, dueAt, at } = attempt;
  await runBatch(db, [
    sql`UPDATE webhook_deliveries SET data = ${data}, state = ${state}, result = ${result}, due_at = ${dueAt},
      attempted_at = ${at} WHERE id = ${id}`,
    ...(state === "delivered" ? [sql`UPDATE webhooks SET succeeded_at = ${at} WHERE id = ${webhookId}`] : []),
  ]);
}

/** Lets the due deliveries of a receiver that has just failed wait. @param unsent taken, but without an attempt */
export async function pauseDue(
  db: Db,
  webhookId: string,
  unsent: string[],
  now: number,
  until: number,
): Promise<void> {
  await runBatch(db, [
    sql`UPDATE webhook_deliveries SET due_at = ${until}, attempts = attempts - 1
      WHERE state = 'waiting' AND id IN (SELECT value FROM json_each(${JSON.stringify(unsent)}))`,
    sql`UPDATE webhook_deliveries SET due_at = ${until}
      WHERE state = 'waiting' AND due_at <= ${now} AND webhook_id = ${webhookId}`,
  ]);
}

/**
 * Disables a webhook and gives up what waits for it.
 *
 * @param silentSince epoch seconds; a webhook that has succeeded since then stays
 */
export async function disableWebhook(
  db: Db,
  id: string,
  now: number,
  note: string,
  silentSince: number,
): Promise<void> {
  const where = sql`id = ${id} AND disabled_at IS NULL AND coalesce(succeeded_at, 0) < ${silentSince}`;
  await runBatch(db, [
    recorded(db, {
      object: "webhook",
      action: "changed",
      id,
      changes: { disabledAt: added(now) },
      rows: sql`FROM webhooks WHERE ${where}`,
    }),
    sql`UPDATE webhooks SET disabled_at = ${now}, note = ${note} WHERE ${where}`,
    sql`UPDATE webhook_deliveries SET state = 'failed', result = 'The webhook was disabled'
      WHERE webhook_id IN (SELECT id FROM webhooks WHERE id = ${id} AND disabled_at IS NOT NULL) AND state = 'waiting'`,
  ]);
}

/** Deletes what was delivered or given up before a time, in epoch seconds. */
export async function deleteOldDeliveries(db: Db, before: number): Promise<void> {
  await db.run(
    sql`DELETE FROM webhook_deliveries WHERE created_at < ${before} AND state IN ('delivered', 'failed')`,
  );
}
