import { type SQL, sql } from "drizzle-orm";
import { difference, recorded } from "~/db/audit";
import { type Db, runBatch, runNamedBatch } from "~/db/client.server";
import { isLastAdmin } from "~/db/erasures";
import { foldText, sortKey } from "~/db/text";
import { CONTENT_COLUMNS, DELETED_CUSTOMER, IS_ERASED } from "~/features/sales/queries/customers.server";
import {
  addressKeysOf,
  auditedPerson,
  type DueAfter,
  documentsOf,
  type Subject,
  withCovered,
} from "./queries.server";

/** Assignments that leave nothing of a customer but the name. */
const { name: _, ...others } = CONTENT_COLUMNS;
const BLANKED = sql.raw(`${Object.values(others).join(" = '', ")} = ''`);

/** Full-text tables with names, addresses or messages. */
const PERSONAL_INDEXES = [
  ...["user", "customer", "chat", "document"].flatMap((name) => [`${name}_search`, `${name}_starts`]),
  "note_search",
];

/** Deletion that is due. */
export interface DueErasure extends Subject {
  id: string;
  dueAt: number;
  /** JSON: ids and hashes that an earlier attempt found. */
  chats: string;
  customers: string;
  addresses: string;
}

/** Finds the next deletions that are due, the oldest first. @param now epoch seconds */
export function findDueErasures(db: Db, now: number, after: DueAfter, limit: number): Promise<DueErasure[]> {
  return db.all<DueErasure>(
    sql`SELECT id, user_id AS userId, customer_id AS customerId, chat_id AS chatId, due_at AS dueAt, chats, customers, addresses
      FROM erasures WHERE done_at IS NULL AND due_at <= ${now} AND (due_at, id) > (${after.dueAt}, ${after.id})
      ORDER BY due_at, id LIMIT ${limit}`,
  );
}

/**
 * Begins a deletion, which can't be cancelled any more. Deactivates the account and ends its sessions, so that nothing is
 * added while its data are deleted. A request that has been authenticated before may still start a chat: its room finds
 * that the deletion has begun.
 *
 * @returns cancelled, or lastAdmin, for a deletion that does not begin
 */
export async function beginErasure(
  db: Db,
  { id, userId }: DueErasure,
  now: number,
): Promise<"begun" | "cancelled" | "lastAdmin"> {
  const isBegun = sql`EXISTS (SELECT 1 FROM erasures WHERE id = ${id} AND begun_at IS NOT NULL)
    AND NOT ${isLastAdmin(userId)}`;
  const [, , , , [state] = []] = await runBatch(db, [
    sql`UPDATE erasures SET begun_at = ${now}
      WHERE id = ${id} AND done_at IS NULL AND begun_at IS NULL AND NOT ${isLastAdmin(userId)}`,
    recorded(db, {
      object: "user",
      action: "changed",
      id: sql`users.id`,
      changes: { isUser: difference(sql`is_user`, 0) },
      rows: sql`FROM users WHERE id = ${userId} AND ${isBegun}`,
    }),
    sql`DELETE FROM sessions WHERE user_id = ${userId} AND ${isBegun}`,
    sql`UPDATE users SET is_user = 0 WHERE id = ${userId} AND ${isBegun}`,
    sql`SELECT begun_at IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND is_user = 1) AS isOpen
      FROM erasures WHERE id = ${id} AND done_at IS NULL`,
  ]);
  if (!state) return "cancelled";
  return state.isOpen === 1 ? "lastAdmin" : "begun";
}

/** Finds the ids of the chats and customers that a plan covers, and the e-mail addresses that the shop knows of. */
export async function findTraces(db: Db, erasure: Subject & { id: string }) {
  const covered = withCovered(erasure);
  const { chats, customers, emails } = await runNamedBatch(db, {
    chats: sql`${covered} SELECT id FROM talks`,
    customers: sql`${covered} SELECT id FROM theirs`,
    emails: sql`${covered} SELECT email FROM (SELECT email FROM users WHERE id = ${erasure.userId}
      UNION SELECT email FROM customers WHERE id IN theirs
      UNION SELECT user_email FROM chats WHERE id IN talks) WHERE email <> ''`,
  });
  const idOf = ({ id }: Record<string, unknown>) => String(id);
  return {
    chats: chats.map(idOf),
    customers: customers.map(idOf),
    emails: emails.map(({ email }) => String(email)),
  };
}

/** Deposit on a quote that is neither sold nor withdrawn. */
interface OpenDeposit {
  title: string;
  cents: number;
}

/** Finds a deposit on a quote in a person's chats that is not settled; their deletion waits for it. */
export async function findOpenDeposit(db: Db, erasure: DueErasure): Promise<OpenDeposit | undefined> {
  const [deposit] = await db.all<OpenDeposit>(sql`${withCovered(erasure)}
    SELECT q.title, (SELECT coalesce(sum(iif(document_id IS NULL, amount_cents, -amount_cents)), 0)
      FROM payments WHERE quote_id = q.id) AS cents
    FROM talks CROSS JOIN quotes AS q INDEXED BY quotes_accepted
    WHERE q.chat_id = talks.id AND q.state = 'accepted' AND q.document_id IS NULL AND cents <> 0 LIMIT 1`);
  return deposit;
}

/** Ids of a person's chats and customers, and hashes of their addresses. */
export interface Traces {
  chats: string[];
  customers: string[];
  addresses: string[];
}

/** Stores what an attempt has found, which the next one could not find any more. */
export async function saveTraces(db: Db, id: string, { chats, customers, addresses }: Traces): Promise<void> {
  await db.run(sql`UPDATE erasures SET chats = ${JSON.stringify(chats)}, customers = ${JSON.stringify(customers)},
    addresses = ${JSON.stringify(addresses)} WHERE id = ${id}`);
}

const among = (ids: string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Lists the chats that are still listed; a room removes its row last. */
export async function findChatsLeft(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT id FROM chats WHERE id IN ${among(ids)} ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** Name of a hold's line without what was chosen beside its unit, which may be words to engrave. */
const PLAIN_NAME = sql`coalesce(
  (SELECT p.name || iif(u.option_values = '[]', '', ' (' || (SELECT group_concat(value, ' / ') FROM json_each(u.option_values)) || ')')
    FROM units AS u JOIN products AS p ON p.id = u.product_id WHERE u.id = unit_id),
  (SELECT name FROM products WHERE id = product_id),
  substr(name, 1, instr(name || ' (', ' (') - 1))`;

/**
 * Deletes the subject's rows and replaces the name in its documents, in one transaction. Sums, numbers and stock stay as
 * they are, except that products set aside become available.
 */
export async function eraseRows(db: Db, subject: Subject, { chats, customers }: Traces): Promise<void> {
  const { userId } = subject;
  const own = among(customers);
  const documents = documentsOf(own, among(chats));
  const holds = sql`(SELECT id FROM holds WHERE customer_id IN ${own} OR chat_id IN ${among(chats)})`;
  const quotes = sql`(SELECT id FROM quotes WHERE chat_id IN ${among(chats)})`;
  const emails = sql`(SELECT email FROM users WHERE id = ${userId} UNION SELECT email FROM customers WHERE id IN ${own})`;
  const hasDocuments = sql`EXISTS (SELECT 1 FROM documents WHERE customer_id = customers.id)`;
  const { object, id } = auditedPerson(subject);
  await runBatch(db, [
    recorded(db, { object, id, action: "erased", changes: {} }),
    recorded(db, {
      object: "customer",
      action: "erased",
      id: sql`customers.id`,
      changes: {},
      rows: sql`FROM customers WHERE id IN ${own} AND id <> ${id} AND NOT ${IS_ERASED}`,
    }),
    sql`DELETE FROM sale_outbox WHERE recipient IN ${among(chats)} OR recipient IN ${emails}
      OR document_id IN ${documents} OR document_id IN (SELECT id FROM payments WHERE quote_id IN ${quotes})`,
    ...listDeletions(userId, own),
    // Without data, a webhook's event is read anew when it is sent.
    sql`UPDATE webhook_deliveries SET data = NULL WHERE event = 'sale.recorded' AND subject IN ${documents}`,
    ...renameDocuments(documents),
    sql`UPDATE hold_lines SET counted = 0, name = ${PLAIN_NAME} WHERE hold_id IN ${holds}`,
    sql`UPDATE holds SET state = 'released' WHERE state = 'active' AND id IN ${holds}`,
    sql`UPDATE payments SET note = '', customer_name = '' WHERE document_id IS NULL
      AND quote_id IN (SELECT id FROM quotes WHERE chat_id IN ${among(chats)} OR customer_id IN ${own})`,
    sql`DELETE FROM quotes WHERE id IN ${quotes}`,
    ...deleteMailsAndInvitations(db, userId, addressKeysOf(userId, own)),
    sql`DELETE FROM chat_customers WHERE customer_id IN ${own}`,
    sql`UPDATE holds SET customer_id = NULL WHERE customer_id IN (SELECT id FROM customers WHERE id IN ${own} AND NOT ${hasDocuments})`,
    sql`DELETE FROM customers WHERE id IN ${own} AND NOT ${hasDocuments}`,
    sql`UPDATE customers SET name = ${DELETED_CUSTOMER}, name_key = ${foldText(DELETED_CUSTOMER)},
      sort_key = ${sortKey(DELETED_CUSTOMER)}, email_key = '', ${BLANKED}, user_id = NULL, request_hash = ''
      WHERE id IN ${own}`,
    // Sessions, reset links and push subscriptions of the account go with it.
    sql`DELETE FROM users WHERE id = ${userId} AND NOT ${isLastAdmin(userId)}`,
  ]);
}

/** Deletes the mails of an account, and the invitations of addresses. @param keys selects them */
function deleteMailsAndInvitations(db: Db, userId: string | null, keys: SQL) {
  const isTheirs = sql`email_key IN ${keys}`;
  return [
    recorded(db, {
      object: "invitation",
      action: "revoked",
      id: sql`invitations.id`,
      changes: {},
      rows: sql`FROM invitations WHERE ${isTheirs}`,
    }),
    sql`DELETE FROM invitations WHERE ${isTheirs}`,
    sql`DELETE FROM chat_mails WHERE user_id = ${userId}`,
  ];
}

/** Deletes an account's favourites, and what it or an address of its customers waits for. @param customers selects their ids */
const listDeletions = (userId: string | null, customers: SQL): SQL[] => [
  sql`DELETE FROM favourites WHERE user_id = ${userId}`,
  sql`DELETE FROM restock_requests WHERE user_id = ${userId}`,
  sql`DELETE FROM restock_requests WHERE party IN ${addressKeysOf(userId, customers)}`,
];

/**
 * Replaces the name in documents and in their credit notes, and in the search. Reasons of credit notes and discounts are
 * free text that may name anybody, and go. Lines say what was sold, and stay.
 */
function renameDocuments(ids: SQL): SQL[] {
  const lines = sql.raw(`(SELECT group_concat(i.description_key, ' ') FROM document_lines AS l
    JOIN invoices AS i ON i.id = l.invoice_id WHERE l.document_id = documents.id)`);
  return [
    sql`UPDATE documents SET
      reason = '', customer_name = ${DELETED_CUSTOMER},
      search_text = lower(number) || ' ' || ${DELETED_CUSTOMER.toLowerCase()} || ' ' || coalesce(${lines}, '')
      WHERE id IN ${ids} OR original_id IN ${ids}`,
    sql`UPDATE document_lines SET discount_reason = '' WHERE discount_reason <> '' AND document_id IN ${ids}`,
  ];
}

/** Optimizes the full-text tables, which removes deleted words. One statement each, since a large table takes long. */
export async function rewriteIndexes(db: Db): Promise<void> {
  for (const name of PERSONAL_INDEXES)
    await db.run(sql.raw(`INSERT INTO ${name} (${name}) VALUES ('optimize')`));
}

export async function markErased(db: Db, ids: string[], now: number): Promise<void> {
  await db.run(sql`UPDATE erasures SET done_at = ${now} WHERE id IN ${among(ids)}`);
}

/** Chats and addresses (SHA-256) by which a local shop finds mails to be deleted. */
export interface MailTrace {
  id: string;
  chats: string[];
  addresses: string[];
}

export async function findMailTraces(db: Db): Promise<MailTrace[]> {
  const rows = await db.all<{ id: string; chats: string; addresses: string }>(
    sql`SELECT id, chats, addresses FROM erasures WHERE done_at > 0 ORDER BY done_at`,
  );
  return rows.map(({ id, chats, addresses }) => ({
    id,
    chats: JSON.parse(chats) as string[],
    addresses: JSON.parse(addresses) as string[],
  }));
}

/** Empties the addresses of deletions that were done before a time. */
export async function forgetAddresses(db: Db, before: number): Promise<void> {
  await db.run(sql`UPDATE erasures SET addresses = '[]' WHERE done_at < ${before} AND addresses <> '[]'`);
}
