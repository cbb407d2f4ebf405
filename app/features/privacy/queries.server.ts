import { type SQL, sql } from "drizzle-orm";
import { added, INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { isLastAdmin, plansFor } from "~/db/erasures";
import type { erasures } from "~/db/schema";
import { MAX_COUNTED } from "./schema";

/** Person whose data are downloaded or deleted: an account, a customer, a visitor's chat, or several of these. */
export interface Subject {
  userId: string | null;
  customerId: string | null;
  chatId: string | null;
}

/** Planned deletion. */
export type Erasure = Pick<
  typeof erasures.$inferSelect,
  "id" | "userId" | "customerId" | "chatId" | "requestedBy" | "dueAt" | "mailedAt" | "begunAt"
>;

const COLUMNS = sql.raw(`id, user_id AS userId, customer_id AS customerId, chat_id AS chatId,
  requested_by AS requestedBy, due_at AS dueAt, mailed_at AS mailedAt, begun_at AS begunAt`);

/** Returns the id that tells a person from others: of the account, else of the customer, else of the chat. */
export const keyOf = ({ userId, customerId, chatId }: Subject): string =>
  userId ?? customerId ?? chatId ?? "";

/** Names the subject as the audit log does. */
export function auditedPerson({ userId, customerId, chatId }: Subject) {
  const object = userId ? "user" : customerId ? "customer" : "chat";
  return { object, id: keyOf({ userId, customerId, chatId }) } as const;
}

/** Selects the ids of the subject's own customers. */
export const ownCustomers = ({ userId, customerId }: Subject): SQL =>
  sql`(SELECT id FROM customers WHERE id = ${customerId} UNION SELECT id FROM customers WHERE user_id = ${userId})`;

/** Selects the keys of the addresses of an account and of customers. @param customers selects their ids */
export const addressKeysOf = (userId: string | null, customers: SQL): SQL =>
  sql`(SELECT email_key FROM users WHERE id = ${userId}
    UNION SELECT email_key FROM customers WHERE id IN ${customers} AND email_key <> '')`;

/** Limit that selects everything. */
const ALL = -1;

/** Selects the ids of the subject's own chats: the account's, and those of the visitor's browser. @param max of each */
const ownChats = ({ userId, chatId }: Subject, max = ALL): SQL =>
  sql`(SELECT id FROM (SELECT id FROM chats WHERE user_id = ${userId} LIMIT ${max})
    UNION SELECT id FROM chats WHERE id = ${chatId}
    UNION SELECT id FROM (SELECT same_browser.id FROM chats
        JOIN chats AS same_browser ON same_browser.visitor_id = chats.visitor_id AND same_browser.user_id IS NULL
      WHERE chats.id = ${chatId} AND chats.user_id IS NULL LIMIT ${max}))`;

/**
 * Selects the ids of the subject's customers: also those without an account that staff linked to the own chats, and to
 * no other chat of another account.
 *
 * @param own selects the ids of the own chats
 */
export const customersOf = (subject: Subject, own = ownChats(subject)): SQL => {
  // No account's id is empty: each side is a range of the index.
  const userId = subject.userId ?? "";
  const ofOthers = (side: SQL) =>
    sql`EXISTS (SELECT 1 FROM chat_customers WHERE customer_id = customers.id AND user_id ${side} ${userId})`;
  return sql`(SELECT id FROM ${ownCustomers(subject)}
    UNION SELECT customers.id FROM customers
      WHERE id IN (SELECT customer_id FROM chat_customers WHERE chat_id IN ${own}) AND customers.user_id IS NULL
        AND NOT (${ofOthers(sql`<`)} OR ${ofOthers(sql`>`)}))`;
};

/** Selects the ids of the subject's chats: the own ones, and those linked to the customer unless they are another account's. */
export const chatsOf = (
  subject: Subject,
  { own = ownChats(subject), customers = customersOf(subject), max = ALL } = {},
): SQL =>
  sql`(SELECT id FROM ${own}
    UNION SELECT id FROM (SELECT chat_id AS id FROM chat_customers
      WHERE customer_id IN ${customers} AND user_id IS NULL LIMIT ${max})
    UNION SELECT id FROM (SELECT chat_id AS id FROM chat_customers
      WHERE customer_id IN ${customers} AND user_id = ${subject.userId} LIMIT ${max}))`;

/** Condition that the planned deletion `plan` has covered something. */
const covers = (kind: "chat" | "customer" | "visitor", id: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM erasure_subjects AS covered WHERE covered.kind = ${sql.raw(`'${kind}'`)}
    AND covered.subject_id = ${id} AND covered.due_at = plan.due_at AND covered.erasure_id = plan.id)`;

/**
 * Condition that the planned deletion `plan` deletes the customer `record`: one of the person who is deleted, or one
 * without an account whom staff linked to a chat that the plan covers, and to no other chat of another account. The night
 * and the person's page ask it.
 */
const ENDS_RECORD: SQL = (() => {
  const hasLink = (condition: SQL) =>
    sql`EXISTS (SELECT 1 FROM chat_customers AS l WHERE l.customer_id = record.id AND ${condition})`;
  const isOfOther = (side: SQL) =>
    hasLink(sql`l.user_id ${side} ifnull(plan.user_id, '') AND NOT ${covers("chat", sql`l.chat_id`)}`);
  const isOfBrowser = sql`l.user_id IS NULL AND EXISTS (SELECT 1 FROM chats
    WHERE chats.id = l.chat_id AND chats.user_id IS NULL AND ${covers("visitor", sql`chats.visitor_id`)})`;
  return sql`CASE
    WHEN record.id = plan.customer_id OR record.user_id = plan.user_id
      OR record.id IN (SELECT value FROM json_each(plan.customers)) THEN 1
    WHEN record.user_id IS NOT NULL OR ${isOfOther(sql`<`)} OR ${isOfOther(sql`>`)} THEN 0
    WHEN ${covers("customer", sql`record.id`)} OR ${hasLink(sql`l.user_id = plan.user_id`)} THEN 1
    ELSE ${hasLink(sql`(${covers("chat", sql`l.chat_id`)} OR ${isOfBrowser})`)} END`;
})();

/**
 * Names the ids of what a planned deletion covers for one statement: `talks` are the subject's chats and `theirs` its
 * customers, with whatever the plan has covered since then, wherever it was moved.
 */
export function withCovered({ id, ...subject }: Subject & { id: string }): SQL {
  const [own, customers] = [sql`own`, sql`theirs`];
  const covered = (kind: string) =>
    sql`(SELECT subject_id AS id FROM erasure_subjects WHERE erasure_id = ${id} AND kind = ${kind})`;
  return sql`WITH own AS MATERIALIZED (SELECT id FROM ${ownChats(subject)} UNION SELECT id FROM ${covered("chat")}
      UNION SELECT id FROM chats WHERE visitor_id IN ${covered("visitor")} AND user_id IS NULL),
    known AS MATERIALIZED (SELECT id FROM ${ownCustomers(subject)} UNION SELECT id FROM ${covered("customer")}
      UNION SELECT customer_id FROM chat_customers WHERE chat_id IN own),
    theirs AS MATERIALIZED (SELECT record.id FROM known JOIN customers AS record ON record.id = known.id
      JOIN erasures AS plan ON plan.id = ${id} WHERE ${ENDS_RECORD}),
    talks AS MATERIALIZED ${chatsOf(subject, { own, customers })}`;
}

/**
 * Plans a deletion, unless one is planned, the account is the last admin, or the person is gone or another by now, as
 * after a merge or a new link.
 * What belongs to the person now is stored with the plan: it stays covered when it is moved before the deletion.
 *
 * @param asked customer or chat by which staff named the subject; without one it is an account
 * @returns the planned one, which may be an earlier one; undefined when none is planned, with the reason
 */
export async function planErasure(
  db: Db,
  row: Subject & { id: string; requestedBy: "owner" | "staff"; now: number; dueAt: number },
  asked?: PersonReference,
): Promise<{ erasure: Erasure | undefined; isGone: boolean }> {
  const { id, userId, customerId, chatId, requestedBy, now, dueAt } = row;
  const isThere = asked
    ? sql`EXISTS (SELECT 1 FROM (${subjectOf(asked)})
        WHERE (userId, customerId, chatId) IS (${userId}, ${customerId}, ${chatId}))`
    : sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId})`;
  const idsOf = (ids: SQL) => sql`(SELECT json_group_array(id) FROM ${ids})`;
  const [, , [erasure] = [], [state] = []] = await runBatch(db, [
    sql`INSERT INTO erasures (id, user_id, customer_id, chat_id, requested_by, requested_at, due_at, chats, customers)
      SELECT ${id}, ${userId}, ${customerId}, ${chatId}, ${requestedBy}, ${now}, ${dueAt}, ${idsOf(chatsOf(row))},
        ${idsOf(customersOf(row))}
      WHERE NOT ${isLastAdmin(userId, { exceptPlanned: true })} AND ${isThere} ON CONFLICT DO NOTHING`,
    recorded(db, {
      ...auditedPerson(row),
      action: "deletionPlanned",
      changes: { dueAt: added(dueAt) },
      rows: sql`WHERE ${INSERTED}`,
    }),
    plannedFor(row),
    sql`SELECT NOT ${isThere} AS isGone`,
  ]);
  const isGone = state?.isGone === 1;
  return { erasure: isGone ? undefined : (erasure as unknown as Erasure | undefined), isGone };
}

const isPlannedFor = (subject: Subject): SQL =>
  sql`coalesce(user_id, customer_id, chat_id) = ${keyOf(subject)} AND done_at IS NULL`;
const plannedFor = (subject: Subject): SQL =>
  sql`SELECT ${COLUMNS} FROM erasures WHERE ${isPlannedFor(subject)}`;

/** Finds the deletion that is planned for an account. */
export async function findPlanned(db: Db, account: Subject): Promise<Erasure | undefined> {
  return (await db.all<Erasure>(plannedFor(account)))[0];
}

/** Planned deletion as staff see it. */
export interface NamedErasure extends Erasure {
  /** Epoch seconds. */
  requestedAt: number;
  /** Of the account, customer or chat; empty for one that is gone. */
  name: string;
  /** 1 for a plan that deletes this person; 0 for one of another account, which deletes only a chat of theirs. */
  deletesPerson: number;
}

/** Finds the planned deletions that cover a person or a chat, in the order in which they are due, and what they delete. */
export function findPlansFor(
  db: Db,
  { userId, customerId }: Subject,
  chatId: string | null,
  max: number,
): Promise<NamedErasure[]> {
  // A visitor's chat is covered by itself.
  const deletesPerson = userId
    ? sql`plan.user_id IS ${userId}`
    : customerId
      ? sql`(SELECT ${ENDS_RECORD} FROM customers AS record WHERE record.id = ${customerId})`
      : sql`1`;
  return db.all<NamedErasure>(sql`SELECT ${COLUMNS}, requested_at AS requestedAt, ${deletesPerson} AS deletesPerson, coalesce(
      (SELECT name FROM customers WHERE id = plan.customer_id),
      (SELECT trim(first_name || ' ' || last_name) FROM users WHERE id = plan.user_id),
      (SELECT user_name FROM chats WHERE id = plan.chat_id), '') AS name
    FROM erasures AS plan WHERE id IN ${plansFor(customerId === null ? [] : [customerId], chatId, max, userId)}
    ORDER BY due_at, id`);
}

/** Records that a person's data were downloaded. */
export async function recordDownload(db: Db, subject: Subject): Promise<void> {
  await recorded(db, { ...auditedPerson(subject), action: "downloaded", changes: {} });
}

/**
 * Cancels a deletion before it begins.
 *
 * @param plan id, or the person
 * @returns the id; undefined for one that has begun or was cancelled
 */
export async function cancelPlanned(db: Db, plan: string | Subject): Promise<string | undefined> {
  const isMeant = typeof plan === "string" ? sql`id = ${plan} AND done_at IS NULL` : isPlannedFor(plan);
  const planned = sql`erasures WHERE ${isMeant} AND begun_at IS NULL`;
  const [, rows = []] = await runBatch(db, [
    recorded(db, {
      object: sql`CASE WHEN user_id IS NOT NULL THEN 'user' WHEN customer_id IS NOT NULL THEN 'customer' ELSE 'chat' END`,
      action: "deletionCancelled",
      id: sql`coalesce(user_id, customer_id, chat_id)`,
      changes: {},
      rows: sql`FROM ${planned}`,
    }),
    sql`DELETE FROM ${planned} RETURNING id`,
  ]);
  return rows[0] && String(rows[0].id);
}

export async function findErasure(db: Db, id: string): Promise<Erasure | undefined> {
  return (
    await db.all<Erasure>(sql`SELECT ${COLUMNS} FROM erasures WHERE id = ${id} AND done_at IS NULL`)
  )[0];
}

/** Finds the planned deletions whose confirmation was not mailed yet. @param now epoch seconds */
export function findUnmailed(db: Db, now: number, after: DueAfter, limit: number): Promise<Erasure[]> {
  return db.all<Erasure>(
    sql`SELECT ${COLUMNS} FROM erasures WHERE done_at IS NULL AND mailed_at IS NULL AND user_id IS NOT NULL
      AND due_at > ${now} AND (due_at, id) > (${after.dueAt}, ${after.id}) ORDER BY due_at, id LIMIT ${limit}`,
  );
}

/** Deletion behind which a page of them begins. */
export interface DueAfter {
  dueAt: number;
  id: string;
}

export async function markMailed(db: Db, id: string, now: number): Promise<void> {
  await db.run(sql`UPDATE erasures SET mailed_at = ${now} WHERE id = ${id}`);
}

/** Person as staff name them, with the numbers of what is stored: above MAX_COUNTED there are more. */
interface StoredPerson {
  name: string;
  email: string;
  isStaff: number;
  hasAccount: number;
  chats: number;
  documents: number;
  favourites: number | null;
}

/** Customer or chat by which staff name a person. */
export interface PersonReference {
  customerId: string | null;
  chatId: string | null;
}

/**
 * Selects the person behind a customer or a chat: the chat's customer, else its account, else its visitor. An account's
 * chat is the account's, also when staff linked it to a customer without an account or to another account's.
 */
const subjectOf = ({ customerId, chatId }: PersonReference): SQL =>
  sql`SELECT user_id AS userId, id AS customerId, NULL AS chatId FROM customers WHERE id = coalesce(
      ${customerId}, (SELECT l.customer_id FROM chat_customers AS l JOIN customers AS k ON k.id = l.customer_id
        WHERE l.chat_id = ${chatId} AND (l.user_id IS NULL OR k.user_id IS l.user_id)),
      (SELECT customers.id FROM chats JOIN customers ON customers.user_id = chats.user_id WHERE chats.id = ${chatId}))
    UNION ALL SELECT users.id, NULL, iif(users.id IS NULL, chats.id, NULL)
      FROM chats LEFT JOIN users ON users.id = chats.user_id WHERE chats.id = ${chatId} LIMIT 1`;

/** Finds the person behind a customer or a chat, and whether their account is one of staff. @returns undefined for an unknown one */
export async function findSubject(
  db: Db,
  asked: PersonReference,
): Promise<(Subject & { isStaff: boolean }) | undefined> {
  const [found] = await db.all<Subject & { isStaff: number }>(
    sql`SELECT subject.*, ${isStaffAccount(sql`subject.userId`)} AS isStaff FROM (${subjectOf(asked)}) AS subject`,
  );
  return found && { ...found, isStaff: found.isStaff === 1 };
}

const isStaffAccount = (userId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND (is_admin = 1 OR is_manager = 1 OR is_seller = 1))`;

/** Reads who a subject is, and how much is stored about it. */
export async function readPerson(db: Db, subject: Subject): Promise<StoredPerson> {
  const { userId, customerId, chatId } = subject;
  const column = (name: string, ofUser: string) => sql`coalesce(
    (SELECT ${sql.raw(name)} FROM customers WHERE id = ${customerId}), (SELECT ${sql.raw(ofUser)} FROM users WHERE id = ${userId}),
    (SELECT ${sql.raw(`user_${name}`)} FROM chats WHERE id = ${chatId}), '')`;
  const max = MAX_COUNTED + 1;
  const [own, customers, chats] = [sql`own`, sql`theirs`, sql`talks`];
  const [person] = await db.all<StoredPerson>(sql`
    WITH own AS MATERIALIZED ${ownChats(subject, max)}, theirs AS MATERIALIZED ${customersOf(subject, own)},
      talks AS MATERIALIZED ${chatsOf(subject, { own, customers, max })}
    SELECT ${column("name", "trim(first_name || ' ' || last_name)")} AS name, ${column("email", "email")} AS email,
    ${isStaffAccount(sql`${userId}`)} AS isStaff,
    EXISTS (SELECT 1 FROM users WHERE id = ${userId}) AS hasAccount,
    (SELECT count(*) FROM talks) AS chats, (SELECT count(*) FROM ${documentsOf(customers, chats, max)}) AS documents,
    (SELECT json_array_length(ids) FROM favourite_lists WHERE owner = ${userId}) AS favourites`);
  return person as StoredPerson;
}

/**
 * Selects the ids of the subject's documents: the customers', and those of the chats that belong to no other customer.
 *
 * @param customers selects the ids of the customers
 * @param chats selects the ids of the chats
 */
export const documentsOf = (customers: SQL, chats: SQL, max = ALL): SQL =>
  sql`(SELECT id FROM documents WHERE customer_id IN ${customers}
    UNION ALL SELECT id FROM documents WHERE chat_id IN ${chats} AND customer_id IS NULL LIMIT ${max})`;
