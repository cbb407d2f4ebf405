import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { added, difference, differences, INSERTED, isLogged, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { columnNames } from "~/db/columns";
import { plansFor, refuseWhilePlanned } from "~/db/erasures";
import { customers } from "~/db/schema";
import { customerOfChat } from "~/features/chat/queries.server";
import { CUSTOMER, type CustomerContent, MAX_NOTES_LENGTH } from "../customer";
import type { MergeFields } from "../schema";

export interface CustomerRow extends CustomerContent {
  id: string;
  userId: string | null;
  chats: number;
  sales: number;
  totalCents: number;
  /** Epoch seconds. */
  lastSeen: number;
  createdAt: number;
  requestHash: string;
}

/** Name that replaces a deleted customer's, also in documents; a trigger permits no other change (migrations/0026_personal_data.sql). */
export const DELETED_CUSTOMER = "Deleted customer";

/** Condition of a customer whose data were deleted and who stays because of documents. */
export const IS_ERASED = sql.raw(
  `(customers.name = '${DELETED_CUSTOMER}' AND customers.request_hash = '' AND customers.user_id IS NULL)`,
);

/** Tells of a customer that the data were deleted. */
export const isErased = ({
  name,
  requestHash,
  userId,
}: Pick<CustomerRow, "name" | "requestHash" | "userId">) =>
  name === DELETED_CUSTOMER && requestHash === "" && userId === null;

/** Statement that aborts its batch for a customer whose data were deleted: invalid JSON raises an error. */
const refuseErased = (customerIds: string[]): SQL =>
  sql`SELECT json(iif(EXISTS (SELECT 1 FROM customers
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(customerIds)})) AND ${IS_ERASED}), 'deleted', '1'))`;

/** Columns of the fields, by field. */
export const CONTENT_COLUMNS = columnNames(customers, Object.keys(CUSTOMER.fields));
const content = Object.entries(CONTENT_COLUMNS).map(([name, column]) => `c.${column} AS ${name}`);

export const CUSTOMER_COLUMNS = sql.raw(`c.id, ${content.join(", ")}, c.user_id AS userId, c.chats, c.sales,
  c.total_cents AS totalCents, c.last_seen AS lastSeen, c.created_at AS createdAt, c.request_hash AS requestHash`);

/** Customer with 1 for an account that is still there: `userId` outlives it. */
export type StoredCustomer = CustomerRow & { hasAccount: number };

export async function findCustomer(db: Db, id: string): Promise<StoredCustomer | undefined> {
  const [row] = await db.all<StoredCustomer>(
    sql`SELECT ${CUSTOMER_COLUMNS}, EXISTS (SELECT 1 FROM users WHERE users.id = c.user_id) AS hasAccount
      FROM customers AS c WHERE c.id = ${id}`,
  );
  return row;
}

/** Sale or credit note of a customer in another chat or at the counter. */
export interface EarlierDocument {
  id: string;
  number: string;
  kind: "sale" | "credit";
  totalCents: number;
  item: string;
}

const MAX_EARLIER = 3;
/** Latest documents of the customer among which those of other chats are looked for; it bounds the rows read. */
const MAX_LATEST = 10;
const MAX_MATCHES = 3;

/**
 * Finds the customer of a chat, linked by staff or that of the account which wrote, with their latest documents
 * elsewhere; and customers with an e-mail address, for a hint to staff.
 */
export async function findChatCustomer(
  db: Db,
  chatId: string,
  emailKey: string,
): Promise<{ customer: CustomerRow | undefined; earlier: EarlierDocument[]; matches: CustomerRow[] }> {
  const [customers = [], matches = []] = await runBatch(db, [
    sql`SELECT ${CUSTOMER_COLUMNS}, (SELECT json_group_array(json_object('id', d.id, 'number', d.number, 'kind', d.kind,
        'totalCents', d.total_cents, 'item', (SELECT description FROM document_lines WHERE document_id = d.id AND line = 1)))
      FROM (SELECT * FROM (SELECT * FROM documents WHERE customer_id = c.id ORDER BY created_at DESC LIMIT ${MAX_LATEST})
        WHERE chat_id IS NOT ${chatId} ORDER BY created_at DESC LIMIT ${MAX_EARLIER}) AS d) AS earlier
      FROM customers AS c WHERE c.id = ${customerOfChat(chatId)}`,
    sql`SELECT ${CUSTOMER_COLUMNS} FROM customers AS c WHERE c.email_key = ${emailKey} AND c.email_key <> ''
      LIMIT ${MAX_MATCHES}`,
  ]);
  const [customer] = customers as unknown as (CustomerRow & { earlier: string })[];
  return {
    customer,
    earlier: JSON.parse(customer?.earlier ?? "[]") as EarlierDocument[],
    matches: matches as unknown as CustomerRow[],
  };
}

/**
 * Stores a new customer and links a chat; the customer of an account's chat gets the account.
 *
 * @returns deleted when a customer with the id was erased or merged; undefined for a missing chat
 * @throws when a customer has the id, which changes nothing
 */
export async function insertCustomer(
  db: Db,
  customer: Omit<typeof customers.$inferInsert, "row">,
  chatId: string | undefined,
): Promise<CustomerRow | "deleted" | undefined> {
  const c = customer;
  const names = Object.entries(columnNames(customers, Object.keys(customer)));
  const values = names.map(([name]) => sql`${customer[name as keyof typeof customer]}`);
  const results = await runBatch(db, [
    // Nothing that follows may change a customer who is there, nor link a chat again: invalid JSON raises an error.
    sql`SELECT json(iif(EXISTS (SELECT 1 FROM customers WHERE id = ${c.id}), 'taken', '1'))`,
    sql`INSERT INTO customers (${sql.raw(names.map(([, column]) => column).join(", "))}, user_id)
      SELECT ${sql.join(values, sql`, `)}, ${accountOfChat(chatId)}
      WHERE ${chatId ? sql`EXISTS (SELECT 1 FROM chats WHERE id = ${chatId})` : sql`true`}
        AND NOT ${isLogged("customer", c.id, "created")}`,
    recorded(db, {
      object: "customer",
      action: "created",
      id: c.id,
      changes: chatId ? { chat: added(chatId) } : {},
      rows: sql`WHERE ${INSERTED}`,
    }),
    ...(chatId ? linkStatements(chatId, c.id, c.createdAt) : []),
    sql`SELECT 1 WHERE ${isLogged("customer", c.id, "created")}`,
    sql`SELECT ${CUSTOMER_COLUMNS} FROM customers AS c WHERE c.id = ${c.id}`,
  ]);
  const [known, [stored] = []] = results.slice(-2);
  if (stored) return stored as unknown as CustomerRow;
  return known && known.length > 0 ? "deleted" : undefined;
}

/** Selects the account that wrote a chat; null for an anonymous chat and for an account with a customer. */
const accountOfChat = (chatId: string | undefined): SQL =>
  sql`(SELECT user_id FROM chats WHERE id = ${chatId ?? null}
    AND NOT EXISTS (SELECT 1 FROM customers WHERE user_id = chats.user_id))`;

/** Links an existing chat to its one customer, with its holds and documents that have none. */
const linkStatements = (chatId: string, customerId: string, now: number): SQL[] => [
  sql`INSERT INTO chat_customers (chat_id, customer_id, linked_at)
    SELECT id, ${customerId}, ${now} FROM chats
    WHERE id = ${chatId} AND EXISTS (SELECT 1 FROM customers WHERE id = ${customerId})
    ON CONFLICT (chat_id) DO UPDATE SET customer_id = excluded.customer_id, linked_at = excluded.linked_at`,
  ...["documents", "holds"].map(
    (table) => sql`UPDATE ${sql.identifier(table)} SET customer_id = ${customerId}
      WHERE chat_id = ${chatId} AND customer_id IS NULL
        AND EXISTS (SELECT 1 FROM chat_customers WHERE chat_id = ${chatId} AND customer_id = ${customerId})`,
  ),
];

/**
 * Links a chat to a customer.
 *
 * @returns false for an unknown chat
 * @throws for an erased customer, and while the deletion of either is planned
 */
export async function linkChatToCustomer(
  db: Db,
  chatId: string,
  customerId: string,
  now: number,
): Promise<boolean> {
  const rows = (
    await runBatch(db, [
      refuseWhilePlanned([customerId], chatId),
      refuseErased([customerId]),
      recorded(db, {
        object: "chat",
        action: "linked",
        id: sql`chats.id`,
        changes: {
          customer: difference(
            sql`(SELECT customer_id FROM chat_customers WHERE chat_id = chats.id)`,
            customerId,
          ),
        },
        rows: sql`FROM chats WHERE id = ${chatId}`,
        isAlways: false,
      }),
      ...linkStatements(chatId, customerId, now),
      sql`SELECT 1 FROM chat_customers WHERE chat_id = ${chatId} AND customer_id = ${customerId}`,
    ])
  ).at(-1);
  return rows !== undefined && rows.length > 0;
}

/** Changes a customer. @returns undefined when there is none @throws for an erased one */
export async function updateCustomer(
  db: Db,
  id: string,
  changes: Partial<typeof customers.$inferInsert>,
): Promise<CustomerRow | undefined> {
  const assigned = Object.entries(changes).flatMap(([name, value]) => {
    const column = customers[name as keyof typeof changes];
    return column && value !== undefined ? [sql`${sql.identifier(column.name)} = ${value}`] : [];
  });
  const [, , , rows = []] = await runBatch(db, [
    refuseErased([id]),
    recorded(db, {
      object: "customer",
      action: "changed",
      id,
      changes: differences(customers, CUSTOMER.audited, changes),
      rows: sql`FROM customers WHERE id = ${id}`,
    }),
    sql`UPDATE customers SET ${sql.join(assigned, sql`, `)} WHERE id = ${id}`,
    sql`SELECT ${CUSTOMER_COLUMNS} FROM customers AS c WHERE c.id = ${id}`,
  ]);
  return rows[0] as unknown as CustomerRow | undefined;
}

/**
 * Finds the planned deletion of personal data that covers one of these customers, or a chat.
 *
 * @returns when the first of several is due, epoch seconds; null without one
 */
export async function findPlannedDeletion(
  db: Db,
  customerIds: string[],
  chatId: string | null,
): Promise<number | null> {
  const [plan] = await db.all<{ dueAt: number }>(
    sql`SELECT due_at AS dueAt FROM erasures WHERE id IN ${plansFor(customerIds, chatId)}`,
  );
  return plan?.dueAt ?? null;
}

/**
 * Side of a merge from which each field comes. Without a choice the other side fills an empty field, and the notes are
 * joined, as by `both`.
 */
type MergeChoices = z.infer<typeof MergeFields>;

/**
 * Moves everything of one customer to another and deletes it.
 *
 * @param userId account of the deleted one
 * @throws when one of them is gone or erased, both have accounts, the deletion of one is planned, or joined notes are too
 * long, which changes nothing
 */
export async function mergeCustomers(
  db: Db,
  { keptId, mergedId, userId }: { keptId: string; mergedId: string; userId: string | null },
  choices: MergeChoices,
  now: number,
): Promise<void> {
  const move = (table: string) =>
    sql`UPDATE ${sql.identifier(table)} SET customer_id = ${keptId} WHERE customer_id = ${mergedId}`;
  const pair = sql`(SELECT count(*) = 2 AND count(users.id) < 2
    FROM customers LEFT JOIN users ON users.id = customers.user_id WHERE customers.id IN (${keptId}, ${mergedId}))`;
  await runBatch(db, [
    // D1 has no conditional rollback: invalid JSON raises an error, which rolls the batch back.
    sql`SELECT json(iif(${pair}, '1', 'not mergeable'))`,
    refuseWhilePlanned([keptId, mergedId]),
    refuseErased([keptId, mergedId]),
    ...(joinsNotes(choices) ? [refuseLongNotes(keptId, mergedId)] : []),
    recorded(db, {
      object: "customer",
      action: "merged",
      id: keptId,
      changes: {
        merged: added(mergedId),
        chats: difference(sql`k.chats`, sql`k.chats + m.chats`),
        sales: difference(sql`k.sales`, sql`k.sales + m.sales`),
        totalCents: difference(sql`k.total_cents`, sql`k.total_cents + m.total_cents`),
      },
      rows: sql`FROM customers AS k, customers AS m WHERE k.id = ${keptId} AND m.id = ${mergedId}`,
    }),
    move("documents"),
    move("holds"),
    move("chat_customers"),
    sql`UPDATE customers SET ${mergedFields(mergedId, choices)}, updated_at = ${now} WHERE id = ${keptId}`,
    sql`DELETE FROM customers WHERE id = ${mergedId}`,
    // After the row that had the account is gone, since an account has one customer. One that is gone gives way.
    sql`UPDATE customers SET user_id = coalesce((SELECT id FROM users WHERE id = customers.user_id), ${userId}, user_id)
      WHERE id = ${keptId}`,
  ]);
}

/** Tells whether the notes of both sides are kept. */
export const joinsNotes = ({ notes }: MergeChoices): boolean => notes !== "own" && notes !== "other";

const joined = (notes: SQL, others: SQL): SQL => sql`trim(${notes} || char(10) || ${others}, char(10))`;

/** Statement that aborts its batch for notes with which the customer could not be saved: another merge may have added some. */
const refuseLongNotes = (keptId: string, mergedId: string): SQL =>
  sql`SELECT json(iif(length(${joined(sql`k.notes`, sql`m.notes`)}) > ${MAX_NOTES_LENGTH}, 'too long', '1'))
    FROM customers AS k, customers AS m WHERE k.id = ${keptId} AND m.id = ${mergedId}`;

/** Assigns each field of a merged customer from the chosen side. */
function mergedFields(mergedId: string, choices: MergeChoices): SQL {
  const other = (column: string) =>
    sql`(SELECT o.${sql.identifier(column)} FROM customers AS o WHERE o.id = ${mergedId})`;
  // Keys follow the column that they are computed from.
  const chosen = (column: string, choice: MergeChoices["name"], from = column) => {
    const own = sql.identifier(column);
    const isOther =
      choice === undefined ? sql`${sql.identifier(from)} = ''` : choice === "other" ? sql`1` : sql`0`;
    return sql`${own} = CASE WHEN ${isOther} THEN ${other(column)} ELSE ${own} END`;
  };
  const notes = joinsNotes(choices)
    ? sql`notes = ${joined(sql`notes`, other("notes"))}`
    : chosen("notes", choices.notes === "other" ? "other" : "own");
  const plain = Object.entries(CONTENT_COLUMNS).filter(([name]) => name !== "notes");
  const fields = [
    chosen("name_key", choices.name, "name"),
    chosen("sort_key", choices.name, "name"),
    chosen("email_key", choices.email, "email"),
    ...plain.map(([name, column]) => chosen(column, choices[name as "name"])),
    notes,
  ];
  return sql.join(fields, sql`, `);
}
