import { type SQL, sql } from "drizzle-orm";
import { batched, type Db } from "~/db/client.server";
import { customers } from "~/db/schema";
import { textMatches } from "./search.queries.server";

export interface CustomerRow {
  id: string;
  name: string;
  email: string;
  phoneNumber: string;
  notes: string;
  userId: string | null;
  chats: number;
  sales: number;
  totalCents: number;
  /** Epoch seconds. */
  lastSeen: number;
  createdAt: number;
  requestHash: string;
}

const COLUMNS =
  sql.raw(`c.id, c.name, c.email, c.phone_number AS phoneNumber, c.notes, c.user_id AS userId, c.chats,
  c.sales, c.total_cents AS totalCents, c.last_seen AS lastSeen, c.created_at AS createdAt,
  c.request_hash AS requestHash`);

export async function findCustomer(db: Db, id: string): Promise<CustomerRow | undefined> {
  const [row] = await db.all<CustomerRow>(sql`SELECT ${COLUMNS} FROM customers AS c WHERE c.id = ${id}`);
  return row;
}

/** Finds the customer of a chat: linked by staff, or that of the account which wrote. */
export async function findChatCustomer(db: Db, chatId: string): Promise<CustomerRow | undefined> {
  const [row] = await db.all<CustomerRow>(sql`SELECT ${COLUMNS} FROM customers AS c WHERE c.id = coalesce(
    (SELECT customer_id FROM chat_customers WHERE chat_id = ${chatId}),
    (SELECT u.id FROM chats JOIN customers AS u ON u.user_id = chats.user_id WHERE chats.id = ${chatId}))`);
  return row;
}

/** Finds customers with an e-mail address, for a hint to staff. */
export function findByEmail(db: Db, emailKey: string): Promise<CustomerRow[]> {
  return db.all<CustomerRow>(
    sql`SELECT ${COLUMNS} FROM customers AS c WHERE c.email_key = ${emailKey} AND c.email_key <> '' LIMIT 5`,
  );
}

/** Finds a window of customers, the one seen last first, and the number of all matches. @param q NFC, lower case */
export async function listCustomers(
  db: Db,
  q: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: CustomerRow[]; total: number }> {
  const from = q ? sql`${textMatches("customer", q)} CROSS JOIN customers AS c` : sql`customers AS c`;
  const where = q ? sql`WHERE c.row = found.row` : sql``;
  const [rows = [], totals = []] = await batched(db, [
    sql`SELECT ${COLUMNS} FROM ${from} ${where} ORDER BY c.last_seen DESC, c.id DESC LIMIT ${limit} OFFSET ${offset}`,
    q
      ? sql`SELECT count(*) AS total FROM ${textMatches("customer", q)}`
      : sql`SELECT customers AS total FROM customer_counts WHERE one = 1`,
  ]);
  return { rows: rows as unknown as CustomerRow[], total: Number(totals[0]?.total ?? 0) };
}

/** Stores a customer unless the id is taken, and links a chat that has none. */
export async function insertCustomer(
  db: Db,
  customer: Omit<typeof customers.$inferInsert, "row">,
  chatId: string | undefined,
): Promise<CustomerRow | undefined> {
  const c = customer;
  const [, , rows = []] = await batched(db, [
    sql`INSERT INTO customers (id, name, name_key, email, email_key, phone_number, notes, last_seen, request_hash, created_at, updated_at)
      VALUES (${c.id}, ${c.name}, ${c.nameKey}, ${c.email}, ${c.emailKey}, ${c.phoneNumber}, ${c.notes}, ${c.lastSeen},
        ${c.requestHash}, ${c.createdAt}, ${c.updatedAt})
      ON CONFLICT (id) DO NOTHING`,
    linkStatement(chatId ?? "", c.id, c.createdAt),
    sql`SELECT ${COLUMNS} FROM customers AS c WHERE c.id = ${c.id}`,
  ]);
  return rows[0] as unknown as CustomerRow | undefined;
}

/** Links an existing chat to a customer; a chat has at most one. */
const linkStatement = (chatId: string, customerId: string, now: number): SQL =>
  sql`INSERT INTO chat_customers (chat_id, customer_id, linked_at)
    SELECT id, ${customerId}, ${now} FROM chats WHERE id = ${chatId}
    ON CONFLICT (chat_id) DO UPDATE SET customer_id = excluded.customer_id, linked_at = excluded.linked_at`;

/** @returns false when there is no such chat */
export async function linkChatToCustomer(
  db: Db,
  chatId: string,
  customerId: string,
  now: number,
): Promise<boolean> {
  const [, rows = []] = await batched(db, [
    linkStatement(chatId, customerId, now),
    sql`SELECT 1 FROM chat_customers WHERE chat_id = ${chatId} AND customer_id = ${customerId}`,
  ]);
  return rows.length > 0;
}

export async function updateCustomer(
  db: Db,
  id: string,
  changes: Partial<typeof customers.$inferInsert>,
): Promise<CustomerRow | undefined> {
  const assigned = Object.entries(changes).flatMap(([name, value]) => {
    const column = customers[name as keyof typeof changes];
    return column && value !== undefined ? [sql`${sql.identifier(column.name)} = ${value}`] : [];
  });
  const [, rows = []] = await batched(db, [
    sql`UPDATE customers SET ${sql.join(assigned, sql`, `)} WHERE id = ${id}`,
    sql`SELECT ${COLUMNS} FROM customers AS c WHERE c.id = ${id}`,
  ]);
  return rows[0] as unknown as CustomerRow | undefined;
}

/** Moves everything of one customer to another and deletes it; empty fields of the remaining one are filled. */
export async function mergeCustomers(
  db: Db,
  kept: CustomerRow,
  merged: CustomerRow,
  now: number,
): Promise<void> {
  const move = (table: string) =>
    sql`UPDATE ${sql.identifier(table)} SET customer_id = ${kept.id} WHERE customer_id = ${merged.id}`;
  const emailKey = sql`CASE WHEN email = '' THEN (SELECT o.email_key FROM customers AS o WHERE o.id = ${merged.id}) ELSE email_key END`;
  await batched(db, [
    move("documents"),
    move("holds"),
    move("chat_customers"),
    sql`UPDATE customers SET email_key = ${emailKey}, email = ${kept.email || merged.email},
      phone_number = ${kept.phoneNumber || merged.phoneNumber},
      notes = ${[kept.notes, merged.notes].filter(Boolean).join("\n")}, updated_at = ${now} WHERE id = ${kept.id}`,
    sql`DELETE FROM customers WHERE id = ${merged.id}`,
    sql`UPDATE customers SET user_id = ${kept.userId ?? merged.userId} WHERE id = ${kept.id}`,
  ]);
}

/** Entry of a customer's timeline. */
export interface TimelineRow {
  type: "chat" | "hold" | "quote" | "document";
  id: string;
  /** Epoch seconds. */
  at: number;
  title: string;
  amountCents: number | null;
  state: string;
}

/** Finds a window of a customer's chats, holds, quotes and documents, newest first. */
export function findTimeline(
  db: Db,
  customerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<TimelineRow[]> {
  const most = limit + offset;
  const chats = sql`SELECT chat_id FROM chat_customers WHERE customer_id = ${customerId}`;
  return db.all<TimelineRow>(sql`SELECT * FROM (
    SELECT * FROM (SELECT 'chat' AS type, chats.id, chats.last_message_at / 1000 AS at, chats.last_message AS title,
      NULL AS amountCents, chats.state FROM chat_customers AS l JOIN chats ON chats.id = l.chat_id
      WHERE l.customer_id = ${customerId} ORDER BY l.linked_at DESC LIMIT ${most})
    UNION ALL SELECT * FROM (SELECT 'hold', h.id, h.created_at,
      (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines WHERE hold_id = h.id), NULL,
      CASE WHEN h.state = 'active' AND h.until <= unixepoch() THEN 'ended' ELSE h.state END
      FROM holds AS h WHERE h.customer_id = ${customerId} ORDER BY h.created_at DESC LIMIT ${most})
    UNION ALL SELECT * FROM (SELECT 'quote', q.id, q.created_at, q.title, q.total_cents,
      CASE WHEN q.state = 'sent' AND q.valid_until <= unixepoch() THEN 'expired' ELSE q.state END
      FROM quotes AS q WHERE q.chat_id IN (${chats}) ORDER BY q.created_at DESC LIMIT ${most})
    UNION ALL SELECT * FROM (SELECT 'document', d.id, d.created_at, d.number, d.total_cents, d.kind
      FROM documents AS d WHERE d.customer_id = ${customerId} ORDER BY d.created_at DESC LIMIT ${most}))
    ORDER BY at DESC LIMIT ${limit} OFFSET ${offset}`);
}
