import { sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";

/** Mail of a receipt or message for a chat that is to be delivered. */
export interface OutboxEntry {
  id: string;
  kind: "mail" | "card";
  /** E-mail address or id of the chat. */
  recipient: string;
  /** Document of a mail. */
  documentId: string | null;
  /** Message of a card as JSON. */
  content: string | null;
  attempts: number;
  /** Epoch seconds; null while it waits. */
  doneAt: number | null;
  createdAt: number;
  createdBy: string;
}

const COLUMNS = sql.raw(`id, kind, recipient, document_id AS documentId, content, attempts, done_at AS doneAt,
  created_at AS createdAt, created_by AS createdBy`);

export type NewEntry = Omit<OutboxEntry, "attempts" | "doneAt">;

/** Stores an entry unless its id is known. @returns the stored one */
export async function addToOutbox(db: Db, entry: NewEntry): Promise<OutboxEntry> {
  const { id, kind, recipient, documentId, content, createdAt, createdBy } = entry;
  const [, rows = []] = await runBatch(db, [
    sql`INSERT INTO sale_outbox (id, kind, recipient, document_id, content, due_at, created_at, created_by)
      VALUES (${id}, ${kind}, ${recipient}, ${documentId}, ${content}, ${createdAt}, ${createdAt}, ${createdBy})
      ON CONFLICT (id) DO NOTHING`,
    sql`SELECT ${COLUMNS} FROM sale_outbox WHERE id = ${id}`,
  ]);
  return rows[0] as unknown as OutboxEntry;
}

export async function findOutboxEntry(db: Db, id: string): Promise<OutboxEntry | undefined> {
  const [row] = await db.all<OutboxEntry>(sql`SELECT ${COLUMNS} FROM sale_outbox WHERE id = ${id}`);
  return row;
}

/** Finds the entries that are due, the oldest first. @param now epoch seconds */
export function findDue(db: Db, now: number, limit: number): Promise<OutboxEntry[]> {
  return db.all<OutboxEntry>(sql`SELECT ${COLUMNS} FROM sale_outbox
    WHERE done_at IS NULL AND due_at <= ${now} ORDER BY due_at LIMIT ${limit}`);
}

/** Returns when the next entry is due, epoch seconds; null when none waits. */
export async function findNextDue(db: Db): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>(
    sql`SELECT min(due_at) AS at FROM sale_outbox WHERE done_at IS NULL`,
  );
  return row?.at ?? null;
}

/** Marks a mail as sent, for its document's history; a card is in its chat now and leaves the outbox. */
export async function markDelivered(db: Db, { id, kind }: OutboxEntry, now: number): Promise<void> {
  await db.run(
    kind === "mail"
      ? sql`UPDATE sale_outbox SET done_at = ${now} WHERE id = ${id}`
      : sql`DELETE FROM sale_outbox WHERE id = ${id}`,
  );
}

/** Counts a failed attempt. @param dueAt of the next one; null gives up: the entry is never due again */
export async function postpone(db: Db, id: string, dueAt: number | null): Promise<void> {
  const never = Number.MAX_SAFE_INTEGER;
  await db.run(
    sql`UPDATE sale_outbox SET attempts = attempts + 1, due_at = ${dueAt ?? never} WHERE id = ${id}`,
  );
}
