import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { DeliveryRow } from "./queries.server";

/** Delivery with its place in the log and what its subject is called now; null for what is deleted. */
export interface LoggedDelivery extends Omit<DeliveryRow, "data" | "attemptedAt"> {
  position: number;
  name: string | null;
}

/**
 * Lists a page of the log, newest first.
 *
 * @param webhookId of all webhooks when null
 * @param after entry that the page follows
 */
export function findDeliveries(
  db: Db,
  webhookId: string | null,
  after: { at: number; seq: number } | null,
  limit: number,
): Promise<LoggedDelivery[]> {
  const where = [
    sql`true`,
    ...(webhookId === null ? [] : [sql`d.webhook_id = ${webhookId}`]),
    ...(after ? [sql`(d.created_at, d.rowid) < (${after.at}, ${after.seq})`] : []),
  ];
  const index = sql.raw(webhookId === null ? "webhook_deliveries_old" : "webhook_deliveries_log");
  return db.all(sql`SELECT d.rowid AS position, d.id, d.webhook_id AS webhookId, d.event, d.subject, d.state, d.attempts,
      d.due_at AS dueAt, d.result, d.created_at AS createdAt,
      CASE d.event WHEN 'sale.recorded' THEN (SELECT number FROM documents WHERE id = d.subject)
        WHEN 'chat.message' THEN (SELECT user_name FROM chats WHERE id = d.subject)
        ELSE (SELECT name FROM products WHERE id = d.subject) END AS name
    FROM webhook_deliveries AS d INDEXED BY ${index} WHERE ${sql.join(where, sql` AND `)}
    ORDER BY d.created_at DESC, d.rowid DESC LIMIT ${limit}`);
}
