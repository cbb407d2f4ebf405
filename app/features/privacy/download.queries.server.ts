import { sql } from "drizzle-orm";
import { type Db, runNamedBatch } from "~/db/client.server";
import {
  addressKeysOf,
  chatsOf,
  customersOf,
  documentsOf,
  ownCustomers,
  type Subject,
} from "./queries.server";

/** Recipient of a download: the person themselves, or staff on their behalf. */
export type Audience = "owner" | "staff";

/** Selects what a download covers: for the owner, nothing that staff linked, which proves nothing. */
function downloadOf(subject: Subject, audience: Audience) {
  if (audience === "staff") {
    const [customers, chats] = [customersOf(subject), chatsOf(subject)];
    const addresses = addressKeysOf(subject.userId, customers);
    return { customers, chats, documents: documentsOf(customers, chats), addresses };
  }
  const customers = ownCustomers(subject);
  const chats = sql`(SELECT id FROM chats WHERE user_id = ${subject.userId})`;
  // Receipts were given in the own chat, even to another customer.
  const documents = sql`(SELECT id FROM documents WHERE customer_id IN ${customers} OR chat_id IN ${chats})`;
  const addresses = sql`(SELECT p.email_key FROM proven_addresses AS p JOIN users ON users.id = p.user_id
    WHERE p.user_id = ${subject.userId} AND users.email_key = p.email_key)`;
  return { customers, chats, documents, addresses };
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
 * Reads what D1 stores about a subject, in one round trip.
 *
 * @returns rows by file; of documents, holds, quotes and mails, which may be many, the ids
 */
export async function findStored(db: Db, subject: Subject, audience: Audience) {
  const { account, documents, push, holds, quotes, mails, chats, ...rest } = await runNamedBatch(
    db,
    storedRows(subject, audience),
  );
  return {
    ...rest,
    account: account[0] ?? null,
    push: push as unknown as { endpoint: string; chatId: string; createdAt: number }[],
    holdIds: holds.map(idOf),
    quoteIds: quotes.map(idOf),
    documentIds: documents.map(idOf),
    mailIds: mails.map(idOf),
    chats: chats as unknown as StoredChat[],
  };
}

const idOf = ({ id }: Record<string, unknown>) => String(id);

/** Finds holds in the order of their ids, with their lines. */
export async function findHolds(db: Db, ids: string[]): Promise<Record<string, unknown>[]> {
  const rows = await db.all<
    Record<string, unknown>
  >(sql`SELECT holds.id, chat_id AS chatId, state, until, created_at AS createdAt,
      (SELECT json_group_array(json_object('product', name, 'quantity', quantity)) FROM hold_lines
        WHERE hold_id = holds.id) AS lines
    FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN holds WHERE holds.id = wanted.value ORDER BY wanted.key`);
  return rows.map(withLines);
}

/** Finds quotes in the order of their ids. */
export async function findQuotes(db: Db, ids: string[]): Promise<Record<string, unknown>[]> {
  const rows = await db.all<Record<string, unknown>>(sql`SELECT quotes.id, chat_id AS chatId, title, lines,
      ready_by AS readyBy, valid_until AS validUntil, note, state, total_cents AS totalCents, created_at AS createdAt,
      (SELECT json_group_array(json_object('number', number, 'mode', mode, 'amountCents', amount_cents, 'note', payments.note,
        'createdAt', payments.created_at)) FROM payments WHERE quote_id = quotes.id AND payments.document_id IS NULL) AS deposits
    FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN quotes WHERE quotes.id = wanted.value ORDER BY wanted.key`);
  return rows.map((row) => ({ ...withLines(row), deposits: JSON.parse(String(row.deposits)) as unknown }));
}

/** Finds mails in the order of their ids. */
export function findMails(db: Db, ids: string[]): Promise<Record<string, unknown>[]> {
  return db.all<
    Record<string, unknown>
  >(sql`SELECT chat_mails.id AS messageId, chat_id AS chatId, sender, subject, text,
      received_at AS receivedAt
    FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN chat_mails WHERE chat_mails.id = wanted.value
    ORDER BY wanted.key`);
}

function storedRows(subject: Subject, audience: Audience) {
  const { userId } = subject;
  const { customers, chats, documents, addresses } = downloadOf(subject, audience);
  const ofSessions = sql`token_hash IN (SELECT token_hash FROM sessions WHERE user_id = ${userId})`;
  return {
    account: sql`SELECT id, email, first_name AS firstName, last_name AS lastName, username, phone_number AS phoneNumber,
      photo_url AS photoURL, is_admin AS isAdmin, is_manager AS isManager, is_seller AS isSeller, created_at AS createdAt, updated_at AS updatedAt,
      (SELECT created_at FROM second_factors WHERE user_id = users.id) AS secondFactorSince
      FROM users WHERE id = ${userId}`,
    customers: sql`SELECT id, name, email, phone_number AS phoneNumber, notes, sales, total_cents AS totalCents, chats,
      last_seen AS lastSeen, created_at AS createdAt FROM customers WHERE id IN ${customers}`,
    favourites: sql`SELECT product_id AS productId, products.name, favourites.created_at AS createdAt
      FROM favourites JOIN products ON products.id = product_id WHERE user_id = ${userId} ORDER BY favourites.created_at`,
    sessions: sql`SELECT created_at AS createdAt, expires_at AS expiresAt FROM sessions WHERE user_id = ${userId}
      ORDER BY created_at`,
    invitations: sql`SELECT email, first_name AS firstName, last_name AS lastName, is_admin AS isAdmin,
      is_manager AS isManager, is_seller AS isSeller, created_at AS createdAt, expires_at AS expiresAt
      FROM invitations WHERE email_key IN ${audience === "staff" ? addressKeysOf(userId, customers) : sql`(NULL)`}`,
    backInStock: sql`SELECT products.name AS product, r.email, r.created_at AS createdAt, r.confirmed_at AS confirmedAt,
        r.notified_at AS notifiedAt
      FROM restock_requests AS r LEFT JOIN products ON products.id = r.product_id
      WHERE r.seq IN (SELECT seq FROM restock_requests WHERE user_id = ${userId}
        UNION SELECT seq FROM restock_requests WHERE party IN ${addresses}) ORDER BY r.seq`,
    push: sql`SELECT endpoint, chat_id AS chatId, created_at AS createdAt FROM push_subscriptions
      WHERE chat_id IN ${chats} OR ${ofSessions} ORDER BY id`,
    holds: sql`SELECT id FROM holds WHERE customer_id IN ${customers} OR chat_id IN ${chats} ORDER BY created_at`,
    quotes: sql`SELECT id FROM quotes WHERE chat_id IN ${chats} ORDER BY created_at`,
    mails: sql`SELECT id FROM chat_mails WHERE chat_id IN ${chats} AND user_id IS NULL ORDER BY received_at, id`,
    documents: sql`SELECT id FROM documents WHERE id IN ${documents} ORDER BY row`,
    chats: sql`SELECT id, user_name AS userName, user_email AS userEmail, created_at AS createdAt, state FROM chats
      WHERE id IN ${chats} ORDER BY created_at, id`,
  };
}

const withLines = (row: Record<string, unknown>) => ({
  ...row,
  lines: JSON.parse(String(row.lines)) as unknown,
});
