import { type SQL, sql } from "drizzle-orm";
import { added, difference, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import type { drawers } from "~/db/schema";
import type { Business } from "~/domain/enums";
import { laterAmounts, type ModeAmount, type ModeSum, sumsAtClosing } from "./drawer";

export type DrawerRow = typeof drawers.$inferSelect;

/** Drawer with the money that moved on its day, of a closed one until it was closed. */
export interface DrawerOfDay extends Omit<DrawerRow, "closedSums" | "closedExpensesCents"> {
  sums: ModeSum[];
  cashExpensesCents: number;
  /** Money that moved after it was closed. */
  later: ModeAmount[];
}

/** Payment or expense of a day in cash. */
export interface CashRow {
  id: string;
  /** Number of the document or deposit; empty for an expense. */
  number: string;
  /** Customer, quote or expense. */
  label: string;
  documentId: string | null;
  quoteId: string | null;
  amountCents: number;
  /** Epoch seconds. */
  createdAt: number;
  createdBy: string;
}

/** Drawers of earlier days, and payments of a day, that are listed. */
const MAX_EARLIER = 14;
const MAX_CASH_ROWS = 40;

const COLUMNS =
  sql.raw(`d.id, d.business_type AS businessType, d.day, d.float_cents AS floatCents, d.opened_by AS openedBy,
  d.opened_at AS openedAt, d.expected_cents AS expectedCents, d.counted_cents AS countedCents, d.reason,
  d.closed_by AS closedBy, d.closed_at AS closedAt`);
/** Sum of the cash expenses of a drawer `d`. */
const CASH_EXPENSES = `coalesce((SELECT sum(amount_cents) FROM expenses INDEXED BY expenses_cash
  WHERE day = d.day AND business_type = d.business_type AND payment_mode = 'CASH'), 0)`;
/** Payments of a drawer `d` by mode. */
const PAYMENTS = `(SELECT json_group_array(json_object('mode', mode, 'amountCents', amount_cents, 'count', payments))
  FROM payment_sums WHERE day = d.day AND business_type = d.business_type)`;
/** Cash that should be in a drawer `d` now. */
const EXPECTED = sql.raw(`(d.float_cents - ${CASH_EXPENSES} + coalesce((SELECT amount_cents FROM payment_sums
  WHERE day = d.day AND business_type = d.business_type AND mode = 'CASH'), 0))`);
const SUMS = sql.raw(`${PAYMENTS} AS sums, ${CASH_EXPENSES} AS cashExpensesCents,
  d.closed_sums AS closedSums, d.closed_expenses_cents AS closedExpensesCents`);

function toDrawer(row: Record<string, unknown>): DrawerOfDay {
  const { sums, closedSums, closedExpensesCents, ...drawer } = row as unknown as Omit<DrawerOfDay, "sums"> & {
    sums: string;
    closedSums: string | null;
    closedExpensesCents: number | null;
  };
  const current = { ...drawer, sums: JSON.parse(sums) as ModeSum[] };
  if (drawer.closedAt === null) return { ...current, later: [] };
  const closed = closedSums === null ? null : (JSON.parse(closedSums) as ModeSum[]);
  const atClosing = sumsAtClosing(drawer, closed, closedExpensesCents);
  return { ...current, ...atClosing, later: laterAmounts(current, atClosing) };
}

/** Selects the open drawer of a business, else the one of a day. */
const selectDrawer = (business: Business, day: string): SQL =>
  sql`SELECT ${COLUMNS}, ${SUMS} FROM drawers AS d WHERE d.business_type = ${business} AND (d.closed_at IS NULL OR d.day = ${day})
    ORDER BY d.closed_at IS NOT NULL LIMIT 1`;

/** Finds the open drawer of a business, else the one of a day. */
export async function findDrawer(db: Db, business: Business, day: string): Promise<DrawerOfDay | undefined> {
  const [row] = await db.all<Record<string, unknown>>(selectDrawer(business, day));
  return row && toDrawer(row);
}

/** Open drawer with the cash that should be in it now. */
type OpenDrawer = Pick<DrawerRow, "businessType" | "day" | "openedAt"> & { expectedCents: number };

/** Lists the drawers that are open, of each business. */
export const findOpenDrawers = (db: Db): Promise<OpenDrawer[]> =>
  db.all(sql`SELECT d.business_type AS businessType, d.day, d.opened_at AS openedAt, ${EXPECTED} AS expectedCents FROM drawers AS d
    WHERE d.business_type IN ('EMPORIA', 'LASER') AND d.closed_at IS NULL ORDER BY d.business_type`);

/** Finds a drawer that the author named. */
export async function findDrawerById(db: Db, id: string): Promise<DrawerOfDay | undefined> {
  const [row] = await db.all<Record<string, unknown>>(
    sql`SELECT ${COLUMNS}, ${SUMS} FROM drawers AS d WHERE d.id = ${id}`,
  );
  return row && toDrawer(row);
}

export type NewDrawer = Pick<DrawerRow, "id" | "day" | "floatCents" | "openedBy" | "openedAt"> & {
  businessType: Business;
};

/** Opens a drawer, unless the business has an open one or one of that day, or the id is used. @returns the stored one */
export async function insertDrawer(db: Db, drawer: NewDrawer): Promise<DrawerOfDay | undefined> {
  const { id, businessType, day, floatCents, openedBy, openedAt } = drawer;
  const where = sql`NOT EXISTS (SELECT 1 FROM drawers WHERE id = ${id} OR (business_type = ${businessType}
    AND (closed_at IS NULL OR day = ${day})))`;
  const [, , rows = []] = await runBatch(db, [
    recorded(db, {
      object: "drawer",
      action: "opened",
      id: businessType,
      changes: { day: added(day), floatCents: added(floatCents) },
      rows: sql`WHERE ${where}`,
    }),
    sql`INSERT INTO drawers (id, business_type, day, float_cents, opened_by, opened_at)
      SELECT ${id}, ${businessType}, ${day}, ${floatCents}, ${openedBy}, ${openedAt} WHERE ${where}`,
    sql`SELECT ${COLUMNS}, ${SUMS} FROM drawers AS d WHERE d.id = ${id}`,
  ]);
  return rows[0] && toDrawer(rows[0]);
}

/** Count of a drawer. */
export interface Count {
  business: Business;
  /** Drawer that the author has seen; null for the open one. */
  id: string | null;
  countedCents: number;
  /** Cash that the author saw as expected; null where nobody looked. */
  expectedCents: number | null;
  reason: string;
  by: string;
  /** Epoch seconds. */
  at: number;
}

/**
 * Closes the open drawer of a business, with what is expected in that moment.
 *
 * @returns it; undefined when none is open, another sum is expected than the author saw, or a difference has no reason
 */
export async function closeDrawer(
  db: Db,
  { business, id, countedCents, expectedCents, reason, by, at }: Count,
): Promise<DrawerOfDay | undefined> {
  const isUnexplained = sql`${reason} = '' AND ${countedCents} <> ${EXPECTED}`;
  const open = sql`d.business_type = ${business} AND d.closed_at IS NULL AND (${id} IS NULL OR d.id = ${id})
    AND (${expectedCents} IS NULL OR ${expectedCents} = ${EXPECTED}) AND NOT (${isUnexplained})`;
  const [, closed = []] = await runBatch(db, [
    recorded(db, {
      object: "drawer",
      action: "closed",
      id: business,
      changes: { expectedCents: added(EXPECTED), countedCents: added(countedCents), reason: added(reason) },
      rows: sql`FROM drawers AS d WHERE ${open}`,
    }),
    sql`UPDATE drawers AS d SET expected_cents = ${EXPECTED}, counted_cents = ${countedCents}, reason = ${reason},
      closed_sums = ${sql.raw(PAYMENTS)}, closed_expenses_cents = ${sql.raw(CASH_EXPENSES)},
      closed_by = ${by}, closed_at = ${at} WHERE ${open} RETURNING id`,
  ]);
  const closedId = closed[0]?.id;
  return closedId === undefined ? undefined : findDrawerById(db, String(closedId));
}

interface DrawerReopening {
  id: string;
  business: Business;
  /** YYYY-MM-DD. */
  day: string;
  /** Closing that the author has seen, epoch seconds; null for whichever there is. */
  closedAt: number | null;
  reason: string;
}

/**
 * Opens the closed drawer of a day again; the audit log keeps its count.
 *
 * @returns it; undefined where it is not that day's, is open, or another one of the business is
 */
export async function reopenDrawer(
  db: Db,
  { id, business, day, closedAt, reason }: DrawerReopening,
): Promise<DrawerOfDay | undefined> {
  const where = sql`id = ${id} AND business_type = ${business} AND day = ${day} AND closed_at = coalesce(${closedAt}, closed_at)
    AND NOT EXISTS (SELECT 1 FROM drawers WHERE business_type = ${business} AND closed_at IS NULL)`;
  const [, reopened = []] = await runBatch(db, [
    recorded(db, {
      object: "drawer",
      action: "reopened",
      id: business,
      changes: {
        expectedCents: removed(sql`expected_cents`),
        countedCents: removed(sql`counted_cents`),
        reason: difference(sql`reason`, reason),
      },
      rows: sql`FROM drawers WHERE ${where}`,
    }),
    sql`UPDATE drawers SET expected_cents = NULL, counted_cents = NULL, reason = '', closed_by = '', closed_at = NULL,
      closed_sums = NULL, closed_expenses_cents = NULL WHERE ${where} RETURNING id`,
  ]);
  return reopened.length > 0 ? findDrawerById(db, id) : undefined;
}

/**
 * Reads the page of a business's drawer: the drawer, what moved cash on its day, and earlier ones.
 *
 * @param asked day of a closed one; null for the open one, else that of today
 */
export async function readDrawerPage(db: Db, business: Business, asked: string | null, today: string) {
  const named = sql`WITH of AS (SELECT coalesce(${asked}, (SELECT day FROM drawers WHERE business_type = ${business} AND closed_at IS NULL), ${today}) AS day)`;
  const [drawer = [], payments = [], expenses = [], earlier = []] = await runBatch(db, [
    asked === null
      ? selectDrawer(business, today)
      : sql`SELECT ${COLUMNS}, ${SUMS} FROM drawers AS d WHERE d.business_type = ${business} AND d.day = ${asked}`,
    sql`${named} SELECT p.id, coalesce(d.number, p.number) AS number, coalesce(d.customer_name, q.title, '') AS label,
      p.document_id AS documentId, p.quote_id AS quoteId, p.amount_cents AS amountCents, p.created_at AS createdAt, p.created_by AS createdBy
      FROM payments AS p LEFT JOIN documents AS d ON d.id = p.document_id LEFT JOIN quotes AS q ON q.id = p.quote_id
      WHERE p.day = (SELECT day FROM of) AND p.business_type = ${business} AND p.mode = 'CASH' AND (p.quote_id IS NULL OR p.document_id IS NULL)
      ORDER BY p."row" DESC LIMIT ${MAX_CASH_ROWS}`,
    sql`${named} SELECT id, '' AS number, description AS label, NULL AS documentId, NULL AS quoteId, -amount_cents AS amountCents,
      created_at AS createdAt, '' AS createdBy FROM expenses INDEXED BY expenses_cash
      WHERE day = (SELECT day FROM of) AND business_type = ${business} AND payment_mode = 'CASH' ORDER BY created_at DESC LIMIT ${MAX_CASH_ROWS}`,
    sql`SELECT ${COLUMNS} FROM drawers AS d WHERE d.business_type = ${business} AND d.closed_at IS NOT NULL
      ORDER BY d.day DESC LIMIT ${MAX_EARLIER}`,
  ]);
  return {
    drawer: drawer[0] && toDrawer(drawer[0]),
    rows: [...payments, ...expenses] as unknown as CashRow[],
    /** More moved cash than is listed. */
    isCut: [payments, expenses].some((list) => list.length === MAX_CASH_ROWS),
    earlier: earlier as unknown as DrawerRow[],
  };
}
