import { type SQL, sql } from "drizzle-orm";
import { added, INSERTED, recorded } from "~/db/audit";
import { batched, type Db } from "~/db/client.server";
import type { erasures } from "~/db/schema";

/** Person whose data are downloaded or deleted: an account, a customer, a visitor's chat, or several of these. */
export interface Subject {
  userId: string | null;
  customerId: string | null;
  chatId: string | null;
}

/** Planned deletion. */
export type Erasure = Pick<
  typeof erasures.$inferSelect,
  "id" | "userId" | "customerId" | "chatId" | "requestedBy" | "dueAt" | "mailedAt"
>;

const COLUMNS = sql.raw(`id, user_id AS userId, customer_id AS customerId, chat_id AS chatId,
  requested_by AS requestedBy, due_at AS dueAt, mailed_at AS mailedAt`);

const keyOf = ({ userId, customerId, chatId }: Subject) => userId ?? customerId ?? chatId;

/** Selects the ids of the subject's own customers. */
const ownCustomers = ({ userId, customerId }: Subject): SQL =>
  sql`SELECT id FROM customers WHERE id = ${customerId} UNION SELECT id FROM customers WHERE user_id = ${userId}`;

/**
 * Selects the ids of the subject's customers: also those without an account that staff linked to the account's chats,
 * and to no other account's.
 */
export const customersOf = (subject: Subject): SQL => {
  const { userId } = subject;
  return sql`(${ownCustomers(subject)}
    UNION SELECT k.id FROM chats AS c JOIN chat_customers AS l ON l.chat_id = c.id JOIN customers AS k ON k.id = l.customer_id
      WHERE c.user_id = ${userId} AND k.user_id IS NULL AND NOT EXISTS (SELECT 1 FROM chat_customers AS m
        JOIN chats AS o ON o.id = m.chat_id WHERE m.customer_id = k.id AND o.user_id <> ${userId}))`;
};

/**
 * Selects the ids of the subject's chats: the account's, those linked to the customer unless they are another account's,
 * and those of the visitor's browser.
 */
export const chatsOf = (subject: Subject): SQL =>
  sql`(SELECT id FROM chats WHERE user_id = ${subject.userId}
    UNION SELECT l.chat_id FROM chat_customers AS l JOIN chats AS c ON c.id = l.chat_id
      WHERE l.customer_id IN ${customersOf(subject)} AND (c.user_id IS NULL OR c.user_id = ${subject.userId})
    UNION SELECT id FROM chats WHERE id = ${subject.chatId}
    UNION SELECT o.id FROM chats AS c JOIN chats AS o ON o.visitor_id = c.visitor_id AND o.user_id IS NULL
      WHERE c.id = ${subject.chatId} AND c.user_id IS NULL)`;

const isActiveAdmin = sql.raw("is_admin = 1 AND is_user = 1");

/** Condition that an account is the last admin. @param others further condition on the other admins */
export const isLastAdmin = (userId: string | null, others: SQL = sql``): SQL =>
  sql`(EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND is_admin = 1)
    AND NOT EXISTS (SELECT 1 FROM users AS o WHERE o.id <> ${userId} AND ${isActiveAdmin} ${others}))`;

/** Condition that an admin stays: no deletion of the account is planned. */
const STAYS = sql.raw(
  "AND NOT EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = o.id AND e.done_at IS NULL)",
);

/**
 * Plans a deletion, unless one is planned or the account is the last admin.
 *
 * @returns the planned one, which may be an earlier one; undefined for the last admin
 */
export async function planErasure(
  db: Db,
  row: Subject & { id: string; requestedBy: "owner" | "staff"; now: number; dueAt: number },
): Promise<Erasure | undefined> {
  const { id, userId, customerId, chatId, requestedBy, now, dueAt } = row;
  const [, , rows = []] = await batched(db, [
    sql`INSERT INTO erasures (id, user_id, customer_id, chat_id, requested_by, requested_at, due_at)
      SELECT ${id}, ${userId}, ${customerId}, ${chatId}, ${requestedBy}, ${now}, ${dueAt}
      WHERE NOT ${isLastAdmin(userId, STAYS)} ON CONFLICT DO NOTHING`,
    recorded(db, {
      object: userId ? "user" : customerId ? "customer" : "chat",
      action: "deletionPlanned",
      id: keyOf(row) ?? "",
      changes: { dueAt: added(dueAt) },
      rows: sql`WHERE ${INSERTED}`,
    }),
    plannedFor(row),
  ]);
  return rows[0] as unknown as Erasure | undefined;
}

const plannedFor = (subject: Subject): SQL =>
  sql`SELECT ${COLUMNS} FROM erasures WHERE coalesce(user_id, customer_id, chat_id) = ${keyOf(subject)} AND done_at IS NULL`;

/** Finds the planned deletion of a subject. */
export async function findPlanned(db: Db, subject: Subject): Promise<Erasure | undefined> {
  return (await db.all<Erasure>(plannedFor(subject)))[0];
}

/** Cancels a deletion before it is due. @returns false for one that has begun or was cancelled */
export async function cancelPlanned(db: Db, id: string, now: number): Promise<boolean> {
  const planned = sql`erasures WHERE id = ${id} AND done_at IS NULL AND due_at > ${now}`;
  const [, rows = []] = await batched(db, [
    recorded(db, {
      object: sql`CASE WHEN user_id IS NOT NULL THEN 'user' WHEN customer_id IS NOT NULL THEN 'customer' ELSE 'chat' END`,
      action: "deletionCancelled",
      id: sql`coalesce(user_id, customer_id, chat_id)`,
      changes: {},
      rows: sql`FROM ${planned}`,
    }),
    sql`DELETE FROM ${planned} RETURNING id`,
  ]);
  return rows.length > 0;
}

export async function findErasure(db: Db, id: string): Promise<Erasure | undefined> {
  return (
    await db.all<Erasure>(sql`SELECT ${COLUMNS} FROM erasures WHERE id = ${id} AND done_at IS NULL`)
  )[0];
}

/** Finds the planned deletions whose confirmation was not mailed yet. @param now epoch seconds */
export function findUnmailed(db: Db, now: number): Promise<Erasure[]> {
  return db.all<Erasure>(
    sql`SELECT ${COLUMNS} FROM erasures WHERE done_at IS NULL AND mailed_at IS NULL AND user_id IS NOT NULL
      AND due_at > ${now} ORDER BY due_at LIMIT 100`,
  );
}

export async function markMailed(db: Db, id: string, now: number): Promise<void> {
  await db.run(sql`UPDATE erasures SET mailed_at = ${now} WHERE id = ${id}`);
}

/** Person as staff name them, with the subject and the numbers of what is stored. */
export interface StoredPerson extends Subject {
  name: string;
  email: string;
  isStaff: number;
  chats: number;
  documents: number;
  favourites: number;
}

/**
 * Finds the person behind a customer or a chat: the chat's customer, else its account, else its visitor.
 *
 * @returns undefined for an unknown one
 */
export async function findPerson(
  db: Db,
  { customerId, chatId }: { customerId: string | null; chatId: string | null },
): Promise<StoredPerson | undefined> {
  const [found] = await db.all<Subject>(sql`
    SELECT c.user_id AS userId, c.id AS customerId, NULL AS chatId FROM customers AS c WHERE c.id = coalesce(
      ${customerId}, (SELECT customer_id FROM chat_customers WHERE chat_id = ${chatId}),
      (SELECT u.id FROM chats JOIN customers AS u ON u.user_id = chats.user_id WHERE chats.id = ${chatId}))
    UNION ALL SELECT u.id, NULL, iif(u.id IS NULL, chats.id, NULL) FROM chats LEFT JOIN users AS u ON u.id = chats.user_id
      WHERE chats.id = ${chatId} LIMIT 1`);
  if (!found) return undefined;
  const { userId, customerId: customer, chatId: chat } = found;
  const column = (name: string, ofUser: string) => sql`coalesce(
    (SELECT ${sql.raw(name)} FROM customers WHERE id = ${customer}), (SELECT ${sql.raw(ofUser)} FROM users WHERE id = ${userId}),
    (SELECT ${sql.raw(`user_${name}`)} FROM chats WHERE id = ${chat}), '')`;
  const [person] = await db.all<Omit<StoredPerson, keyof Subject>>(sql`SELECT
    ${column("name", "trim(first_name || ' ' || last_name)")} AS name, ${column("email", "email")} AS email,
    EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND (is_admin = 1 OR is_manager = 1)) AS isStaff,
    (SELECT count(*) FROM ${chatsOf(found)}) AS chats,
    (SELECT count(*) FROM documents WHERE id IN ${documentsOf(customersOf(found), chatsOf(found))}) AS documents,
    (SELECT count(*) FROM favourites WHERE user_id = ${userId}) AS favourites`);
  return person && { ...found, ...person };
}

/**
 * Selects the ids of the subject's documents: the customers', and those of the chats that belong to no other customer.
 *
 * @param customers selects the ids of the customers
 * @param chats selects the ids of the chats
 */
export const documentsOf = (customers: SQL, chats: SQL): SQL =>
  sql`(SELECT id FROM documents WHERE customer_id IN ${customers}
    UNION SELECT id FROM documents WHERE chat_id IN ${chats} AND customer_id IS NULL)`;

/** Selects what a download covers. @param isOwn for the person themselves: nothing that staff linked, which proves nothing */
function downloadOf(subject: Subject, isOwn: boolean) {
  const customers = isOwn ? sql`(${ownCustomers(subject)})` : customersOf(subject);
  const chats = isOwn ? sql`(SELECT id FROM chats WHERE user_id = ${subject.userId})` : chatsOf(subject);
  // Receipts were given in the own chat, whoever the customer is.
  const own = sql`(SELECT id FROM documents WHERE customer_id IN ${customers} OR chat_id IN ${chats})`;
  return { customers, chats, documents: isOwn ? own : documentsOf(customers, chats) };
}

/** Chat of a download. */
export interface StoredChat {
  id: string;
  userName: string;
  userEmail: string;
  createdAt: number;
  state: string;
}

/**
 * Reads everything about a subject that D1 stores, in one round trip.
 *
 * @param isOwn for the person themselves
 * @returns rows by file; ids of documents, whose content the sales know
 */
export async function findStored(db: Db, subject: Subject, isOwn: boolean) {
  const { userId } = subject;
  const { customers: own, chats, documents: ofPerson } = downloadOf(subject, isOwn);
  const ofSessions = sql`token_hash IN (SELECT token_hash FROM sessions WHERE user_id = ${userId})`;
  const results = await batched(db, [
    sql`SELECT id, email, first_name AS firstName, last_name AS lastName, username, phone_number AS phoneNumber,
      photo_url AS photoURL, is_admin AS isAdmin, is_manager AS isManager, created_at AS createdAt, updated_at AS updatedAt
      FROM users WHERE id = ${userId}`,
    sql`SELECT id, name, email, phone_number AS phoneNumber, notes, sales, total_cents AS totalCents, chats,
      last_seen AS lastSeen, created_at AS createdAt FROM customers WHERE id IN ${own}`,
    sql`SELECT f.product_id AS productId, p.name, f.created_at AS createdAt FROM favourites AS f
      JOIN products AS p ON p.id = f.product_id WHERE f.user_id = ${userId} ORDER BY f.created_at`,
    sql`SELECT created_at AS createdAt, expires_at AS expiresAt FROM sessions WHERE user_id = ${userId} ORDER BY created_at`,
    sql`SELECT endpoint, chat_id AS chatId, created_at AS createdAt FROM push_subscriptions
      WHERE chat_id IN ${chats} OR ${ofSessions} ORDER BY id`,
    sql`SELECT h.id, h.chat_id AS chatId, h.state, h.until, h.created_at AS createdAt,
      (SELECT json_group_array(json_object('product', name, 'quantity', quantity)) FROM hold_lines WHERE hold_id = h.id) AS lines
      FROM holds AS h WHERE h.customer_id IN ${own} OR h.chat_id IN ${chats} ORDER BY h.created_at`,
    sql`SELECT id, chat_id AS chatId, title, lines, ready_by AS readyBy, valid_until AS validUntil, note, state,
      total_cents AS totalCents, created_at AS createdAt FROM quotes WHERE chat_id IN ${chats} ORDER BY created_at`,
    sql`SELECT id FROM documents WHERE id IN ${ofPerson} ORDER BY row`,
    sql`SELECT id, user_name AS userName, user_email AS userEmail, created_at AS createdAt, state FROM chats
      WHERE id IN ${chats} ORDER BY created_at, id`,
  ]);
  const [account, customers, favourites, sessions, push, holds, quotes, documents, listed] = results;
  return {
    account: account?.[0] ?? null,
    customers: customers ?? [],
    favourites: favourites ?? [],
    sessions: sessions ?? [],
    push: (push ?? []) as unknown as { endpoint: string; chatId: string; createdAt: number }[],
    holds: (holds ?? []).map(withLines),
    quotes: (quotes ?? []).map(withLines),
    documentIds: (documents ?? []).map(({ id }) => String(id)),
    chats: (listed ?? []) as unknown as StoredChat[],
  };
}

const withLines = (row: Record<string, unknown>) => ({
  ...row,
  lines: JSON.parse(String(row.lines)) as unknown,
});
