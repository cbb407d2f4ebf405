import { and, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import { added, difference, INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { quotes } from "~/db/schema";
import type { Deposit } from "../deposit";
import { refuseUnlessStored, settleHolds } from "./sale.server";

interface HoldLine {
  productId: string;
  /** The product's id where it has one unit. */
  unitId: string;
  name: string;
  quantity: number;
}

export interface StoredHold {
  id: string;
  chatId: string | null;
  customerId: string | null;
  /** Epoch seconds. */
  until: number;
  state: "active" | "released" | "sold";
  documentId: string | null;
  requestHash: string;
  createdAt: number;
  createdBy: string;
  lines: HoldLine[];
}

/** Columns of `holds AS h`, for `toHold`. */
export const HOLD_COLUMNS = sql.raw(`h.id, h.chat_id AS chatId, h.customer_id AS customerId, h.until, h.state,
  h.document_id AS documentId, h.request_hash AS requestHash, h.created_at AS createdAt, h.created_by AS createdBy,
  (SELECT json_group_array(json_object('productId', l.product_id, 'unitId', l.unit_id, 'name', l.name, 'quantity', l.quantity))
   FROM hold_lines AS l WHERE l.hold_id = h.id) AS lines`);

export function toHold(row: Record<string, unknown>): StoredHold {
  return { ...(row as unknown as StoredHold), lines: JSON.parse(String(row.lines)) as HoldLine[] };
}

const select = (where: SQL) => sql`SELECT ${HOLD_COLUMNS} FROM holds AS h WHERE ${where}`;

export async function findHold(db: Db, id: string): Promise<StoredHold | undefined> {
  const [row] = await db.all<Record<string, unknown>>(select(sql`h.id = ${id}`));
  return row && toHold(row);
}

/** Finds the name of a hold's customer, or else of the visitor of its chat; "" for neither. */
export async function findHolder(db: Db, id: string): Promise<string> {
  const [row] = await db.all<{
    name: string;
  }>(sql`SELECT coalesce((SELECT name FROM customers WHERE id = h.customer_id),
    (SELECT user_name FROM chats WHERE id = h.chat_id), '') AS name FROM holds AS h WHERE h.id = ${id}`);
  return row?.name ?? "";
}

/** Id of a chat, or an expression that selects it. */
export type ChatRef = string | SQL;

/** Finds the latest holds of a chat, newest first. */
export async function findChatHolds(db: Db, chatId: ChatRef, limit: number): Promise<StoredHold[]> {
  const rows = await db.all<Record<string, unknown>>(
    sql`${select(sql`h.chat_id = ${chatId}`)} ORDER BY h.created_at DESC LIMIT ${limit}`,
  );
  return rows.map(toHold);
}

/** Open quote of a chat with its total in cents, or active hold with its end in epoch seconds. */
interface WaitingRow {
  chatId: string;
  kind: "quote" | "hold";
  value: number;
  /** Title of the quote, or name of the first product on hold. */
  about: string;
}

/** Finds the open quotes, then the active holds of chats: of each the quote that was sent first, and the end of the first hold. */
export function findWaiting(db: Db, chatIds: string[], now: number): Promise<WaitingRow[]> {
  const ids = sql`json_each(${JSON.stringify(chatIds)}) AS chat`;
  return db.all(sql`
    SELECT chat.value AS chatId, 'quote' AS kind, total_cents AS value, title AS about
    FROM ${ids} CROSS JOIN quotes ON quotes.id = (
      SELECT id FROM quotes INDEXED BY quotes_sent_chat
      WHERE chat_id = chat.value AND state = 'sent' AND valid_until > ${now} ORDER BY created_at LIMIT 1)
    UNION ALL SELECT chat.value, 'hold', until, (
      SELECT name FROM hold_lines WHERE hold_id = holds.id ORDER BY rowid LIMIT 1)
    FROM ${ids} CROSS JOIN holds ON holds.id = (
      SELECT id FROM holds INDEXED BY holds_active_chat
      WHERE chat_id = chat.value AND state = 'active' AND until > ${now} ORDER BY until LIMIT 1)`);
}

/** Ids that a sale begins with. */
export interface SaleSource {
  chatId: string | null;
  holdId: string | null;
  quoteId: string | null;
}

/** Selects the chat that a sale begins with. */
export const selectChatOf = ({ chatId, holdId, quoteId }: SaleSource): SQL =>
  sql`coalesce(${chatId}, (SELECT chat_id FROM holds WHERE id = ${holdId}), (SELECT chat_id FROM quotes WHERE id = ${quoteId}))`;

/** Stores a hold. @throws when the id is taken, a product is not available, or the chat or customer is gone or erased */
export async function insertHold(
  db: Db,
  hold: Omit<StoredHold, "state" | "documentId">,
  customer: { id: string; name: string } | undefined,
): Promise<StoredHold> {
  const { id, chatId, customerId, until, requestHash, createdAt, createdBy, lines } = hold;
  const results = await runBatch(db, [
    refuseUnlessStored(chatId, customer),
    settleHolds(lines.map(({ unitId }) => unitId)),
    sql`INSERT INTO holds (id, chat_id, customer_id, until, request_hash, created_at, created_by)
      VALUES (${id}, ${chatId}, ${customerId}, ${until}, ${requestHash}, ${createdAt}, ${createdBy})`,
    sql`INSERT INTO hold_lines (hold_id, product_id, unit_id, name, quantity, until)
      SELECT ${id}, value ->> 'productId', value ->> 'unitId', value ->> 'name', value ->> 'quantity', ${until}
      FROM json_each(${JSON.stringify(lines)})`,
    recorded(db, {
      object: "hold",
      action: "placed",
      id,
      changes: {
        until: added(until),
        chat: chatId === null ? sql`NULL` : added(chatId),
        pieces: sql`json((SELECT json_group_object(unit_id, json_array(NULL, quantity))
          FROM hold_lines WHERE hold_id = ${id}))`,
      },
    }),
    select(sql`h.id = ${id}`),
  ]);
  const [row] = results.at(-1) ?? [];
  if (!row) throw new Error("A stored hold was not found");
  return toHold(row);
}

/** Changes an active hold. @returns undefined when it is not active any more */
export async function changeHold(
  db: Db,
  id: string,
  { until, state }: { until?: number; state?: "released" },
): Promise<StoredHold | undefined> {
  const isActive = sql`id = ${id} AND state = 'active'`;
  const statements =
    state === undefined
      ? [
          sql`UPDATE hold_lines SET until = ${until} WHERE hold_id = ${id} AND counted = 1 AND until > unixepoch()`,
          sql`UPDATE holds SET until = ${until} WHERE ${isActive} AND until > unixepoch() RETURNING id`,
        ]
      : [
          sql`UPDATE hold_lines SET counted = 0 WHERE hold_id = ${id} AND counted = 1`,
          sql`UPDATE holds SET state = ${state} WHERE ${isActive} RETURNING id`,
        ];
  const record = recorded(db, {
    object: "hold",
    action: state ?? "changed",
    id,
    changes: {
      ...(until !== undefined && { until: difference(sql`until`, until) }),
      ...(state && { state: difference(sql`state`, state) }),
    },
    rows: sql`FROM holds WHERE ${isActive} ${state ? sql`` : sql`AND until > unixepoch()`}`,
  });
  const [, , changed = [], [row] = []] = await runBatch(db, [
    record,
    ...statements,
    select(sql`h.id = ${id}`),
  ]);
  return changed.length > 0 && row ? toHold(row) : undefined;
}

/** Takes all ended holds out of `products.held`, which keeps reading it cheap. */
export async function settleEndedHolds(db: Db, limit: number): Promise<number> {
  const settled = await db.all(sql`UPDATE hold_lines SET counted = 0 WHERE rowid IN (
    SELECT rowid FROM hold_lines WHERE counted = 1 AND until <= unixepoch() LIMIT ${limit}) RETURNING 1`);
  return settled.length;
}

export type StoredQuote = typeof quotes.$inferSelect;

const quoteColumns = Object.entries(getTableColumns(quotes));

/** Columns of a quote for raw statements, for `toQuote`. */
export const QUOTE_COLUMNS = sql.join(
  quoteColumns.map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`),
  sql`, `,
);

export function toQuote(row: Record<string, unknown>): StoredQuote {
  const values = quoteColumns.map(([name, column]) => {
    const value = row[name] ?? null;
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(values) as StoredQuote;
}

export async function findQuote(db: Db, id: string): Promise<StoredQuote | undefined> {
  const [row] = await db.select().from(quotes).where(eq(quotes.id, id)).limit(1);
  return row;
}

/** Sums the deposits on a quote of a table or its alias, without what was paid back. */
export const paidOn = (table: string): string =>
  `coalesce((SELECT sum(amount_cents) FROM payments WHERE quote_id = ${table}.id AND document_id IS NULL), 0)`;

/** Names the tax that a sale of a business adds to its prices; null where they hold it. @param business SQL of its name */
export const addedTaxOf = (business: string): string =>
  `(SELECT b.tax_name FROM business_settings AS b WHERE b.business_type = ${business} AND b.tax_number <> '' AND b.tax_included = 0)`;

/** Names the tax that the sale of a quote with deposits will add; null for none. @param table of quotes, or its alias */
export const addedTaxOn = (table: string): string =>
  `(SELECT ${addedTaxOf("pay.business_type")} FROM payments AS pay WHERE pay.quote_id = ${table}.id LIMIT 1)`;

/** Deposit of a quote, as lists show it, with the tax that the sale will add; null for none. */
export type QuoteDeposit = Deposit & { quoteId: string; title: string; addedTax: string | null };

/** Finds the latest quotes of a chat, newest first, and their deposits. */
export async function findChatQuotes(
  db: Db,
  chatId: ChatRef,
  limit: number,
): Promise<{ quotes: StoredQuote[]; deposits: QuoteDeposit[] }> {
  const rows = await db.all<Record<string, unknown>>(sql`SELECT ${QUOTE_COLUMNS},
      (SELECT json_group_array(json_object('id', p.id, 'number', p.number, 'mode', p.mode, 'amountCents', p.amount_cents,
        'quoteId', p.quote_id, 'title', quotes.title, 'addedTax', ${sql.raw(addedTaxOf("p.business_type"))})) FROM payments AS p WHERE p.quote_id = quotes.id AND p.document_id IS NULL) AS deposits
    FROM quotes WHERE chat_id = ${chatId} ORDER BY created_at DESC LIMIT ${limit}`);
  return {
    quotes: rows.map(toQuote),
    deposits: rows.flatMap(({ deposits }) => JSON.parse(String(deposits)) as QuoteDeposit[]),
  };
}

/** Stores a quote unless its id is taken or its chat is gone. */
export async function insertQuote(
  db: Db,
  quote: typeof quotes.$inferInsert,
): Promise<StoredQuote | undefined> {
  // A trigger sets the chat's customer.
  const values = {
    state: "sent",
    documentId: null,
    customerId: null,
    readyAt: null,
    depositCents: 0,
    ...quote,
  };
  const columns = quoteColumns.map(
    ([name, column]) => sql`${sql.param(values[name as keyof typeof values], column)}`,
  );
  const [[row]] = await db.batch([
    db
      .insert(quotes)
      .select(
        sql`SELECT ${sql.join(columns, sql`, `)} WHERE EXISTS (SELECT 1 FROM chats WHERE id = ${quote.chatId})`,
      )
      .onConflictDoNothing()
      .returning(),
    recorded(db, {
      object: "quote",
      action: "sent",
      id: quote.id,
      changes: {
        totalCents: added(quote.totalCents),
        validUntil: added(quote.validUntil),
        chat: added(quote.chatId),
      },
      rows: sql`WHERE ${INSERTED}`,
    }),
  ]);
  return row;
}

/**
 * Marks the work of an accepted quote as done, so that it waits for being fetched, or as to be done again.
 *
 * @returns undefined for a quote that is not accepted or was sold
 */
export async function setQuoteReady(db: Db, id: string, isReady: boolean): Promise<StoredQuote | undefined> {
  const isJob = sql`${quotes.id} = ${id} AND ${quotes.state} = 'accepted' AND ${quotes.documentId} IS NULL`;
  const [, [row]] = await db.batch([
    recorded(db, {
      object: "quote",
      action: isReady ? "madeReady" : "madeUnready",
      id: quotes.id,
      changes: {},
      rows: sql`FROM ${quotes} WHERE ${isJob} AND (${quotes.readyAt} IS NULL) = ${isReady ? 1 : 0}`,
    }),
    db
      .update(quotes)
      .set({ readyAt: isReady ? sql`coalesce(${quotes.readyAt}, unixepoch())` : null })
      .where(isJob)
      .returning(),
  ]);
  return row;
}

/** Decides a quote that is open; one that has expired can only be withdrawn. @returns undefined when it is not open any more */
export async function decideQuote(
  db: Db,
  id: string,
  state: "accepted" | "declined" | "withdrawn",
): Promise<StoredQuote | undefined> {
  const isOpen = and(eq(quotes.id, id), eq(quotes.state, "sent"));
  // The clock of the write, as the trigger that refuses an expired one: the request may have waited.
  const where = state === "withdrawn" ? isOpen : and(isOpen, gt(quotes.validUntil, sql`unixepoch()`));
  const [, [row]] = await db.batch([
    recorded(db, {
      object: "quote",
      action: state,
      id: quotes.id,
      changes: { state: difference(quotes.state, state) },
      rows: sql`FROM ${quotes} WHERE ${where}`,
    }),
    db.update(quotes).set({ state }).where(where).returning(),
  ]);
  return row;
}
