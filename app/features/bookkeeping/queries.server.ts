import { and, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import type { Category } from "~/domain/categories";
import { BUSINESSES, type Business, type ExpenseType } from "~/domain/enums";
import type { Period } from "~/domain/periods";
import { type SumSpan, splitDays } from "./report-days";
import type { BusinessFigures, HeldDeposits } from "./schema";

interface PeriodSum {
  business: Business;
  kind: "sale" | "expense" | "discount";
  amountCents: number;
  taxCents: number;
  entries: number;
  /** Entries that state a tax, and their amounts. */
  taxed: number;
  taxedCents: number;
}

/**
 * Sums sales, their discounts, expenses and taxes of each business. Rows are added here, because GROUP BY would read each twice.
 */
export async function findFigures(
  db: Db,
  { months, days }: Pick<Period, "months" | "days">,
): Promise<BusinessFigures[]> {
  const rows = await findSums(db, sumSpans({ months, days }));
  const sum = (business: Business, kind: PeriodSum["kind"]) => {
    const own = rows.filter((row) => row.business === business && row.kind === kind);
    const of = (value: (row: PeriodSum) => number) => own.reduce((total, row) => total + value(row), 0);
    return {
      amountCents: of((row) => row.amountCents),
      taxCents: of((row) => row.taxCents),
      entries: of((row) => row.entries),
      untaxed: of((row) => row.entries - row.taxed),
      untaxedCents: of((row) => row.amountCents - row.taxedCents),
    };
  };
  return BUSINESSES.map((business) => {
    const [sales, expenses] = [sum(business, "sale"), sum(business, "expense")];
    return {
      business,
      sales: sales.amountCents,
      expenses: expenses.amountCents,
      taxCollected: sales.taxCents,
      taxPaid: expenses.taxCents,
      discounts: sum(business, "discount").amountCents,
      saleEntries: sales.entries,
      untaxedSales: sales.untaxed,
      untaxedSalesCents: sales.untaxedCents,
      expenseEntries: expenses.entries,
      untaxedExpenses: expenses.untaxed,
      untaxedExpensesCents: expenses.untaxedCents,
    };
  });
}

/** Lists spans as a table, which are VALUES: rows of json_each would count as read. */
function withSpans(spans: SumSpan[]): SQL {
  const values = spans.map(([unit, from, to]) => sql`(${unit}, ${from}, ${to})`);
  return sql`WITH span(of, first, last) AS NOT MATERIALIZED (VALUES ${sql.join(values, sql`, `)})`;
}

/** Condition of sums that belong to a span. */
const WITHIN = sql.raw("unit = span.of AND period BETWEEN span.first AND span.last");

/** Finds the sums of spans. */
function findSums(db: Db, spans: SumSpan[]): Promise<PeriodSum[]> {
  return db.all(sql`${withSpans(spans)}
    SELECT business_type AS business, kind, amount_cents AS amountCents,
      tax_cents AS taxCents, entries, taxed, taxed_cents AS taxedCents
    FROM span CROSS JOIN ledger_periods ON kind IN ('sale', 'expense') AND ${WITHIN}
    UNION ALL SELECT business_type, 'discount', amount_cents, 0, 0, 0, 0
    FROM span CROSS JOIN discount_sums ON ${WITHIN}`);
}

/** Adds up the deposits of each business that are neither sold nor paid back at the end of days; null for now. */
export async function findHeldDeposits(
  db: Db,
  days: Period["days"],
): Promise<Record<Business, HeldDeposits>> {
  const spans = sumSpans({ months: null, days: days && { from: FIRST_DAY, to: days.to } });
  const rows = await db.all<{ business: Business; cents: number }>(
    sql`${withSpans(spans)} SELECT business_type AS business, amount_cents AS cents FROM span CROSS JOIN deposit_sums ON ${WITHIN}`,
  );
  const sum = (own: Business) =>
    rows.reduce((total, { business, cents }) => total + (business === own ? cents : 0), 0);
  return { EMPORIA: heldOf(sum("EMPORIA")), LASER: heldOf(sum("LASER")) };
}

const heldOf = (cents: number): HeldDeposits => ({
  heldCents: Math.max(0, cents),
  laterCents: Math.max(0, -cents),
});

/** Finds the drawers of a business up to a day that nobody has closed. */
export const findOpenDrawerDays = (db: Db, business: Business, until: string): Promise<{ day: string }[]> =>
  db.all(
    sql`SELECT day FROM drawers WHERE business_type = ${business} AND closed_at IS NULL AND day <= ${until}`,
  );

/** Lists the spans whose sums add up to a period. */
function sumSpans({ months, days }: Pick<Period, "months" | "days">): SumSpan[] {
  if (months) return [["month", months.from, months.to]];
  if (!days) return [["all", "all", "all"]];
  const { sums, rest } = splitDays(days);
  return [...sums, ...rest.map((span): SumSpan => ["day", ...span])];
}

/** Row of the accountant's file; an expense has negative amounts, so that the columns add up to profit and tax due. */
export interface AccountantFileRow {
  row: number;
  createdAt: number;
  type: "Sale" | "Credit note" | "Expense";
  number: string | null;
  day: string;
  business: Business;
  customer: string | null;
  item: string;
  category: Category | ExpenseType;
  quantity: number | null;
  amountCents: number;
  taxCents: number;
  taxName: string | null;
  taxRate: number | null;
  paymentMode: string | null;
  originalNumber: string | null;
  /** Of an expense; null for sales. */
  supplier: string | null;
  /** 1 for a part of a line that several modes paid. */
  isDivided: number;
  /** Taken off the price of the line; null for what has no document. */
  discountCents: number | null;
}

/** Filter of a file's rows. */
export interface AccountantFileFilter {
  business: Business | null;
  days: Period["days"];
  /** Epoch seconds, one day beyond both ends of `days`, so that the index on created_at applies. */
  earliest: number;
  latest: number;
}

type Cursor = Pick<AccountantFileRow, "createdAt" | "row">;

/** Finds ledger rows of a period with their documents, oldest first, after a cursor. */
export function findSaleRows(
  db: Db,
  filter: AccountantFileFilter,
  after: Cursor | null,
  limit: number,
): Promise<AccountantFileRow[]> {
  return db.all(sql`SELECT i.row, i.created_at AS createdAt,
      CASE d.kind WHEN 'credit' THEN 'Credit note' ELSE 'Sale' END AS type, d.number, i.day, i.business_type AS business,
      d.customer_name AS customer, i.description AS item, i.category, i.quantity, i.amount_cents AS amountCents,
      i.tax_cents AS taxCents,
      -- Cash rounding is not taxed.
      nullif(iif(i.quantity = 0 AND i.tax_cents = 0 AND i.amount_cents = d.rounding_cents, '', d.tax_name), '') AS taxName, d.tax_rate AS taxRate, i.payment_mode AS paymentMode,
      (SELECT o.number FROM documents AS o WHERE o.id = d.original_id) AS originalNumber, NULL AS supplier,
      iif(d.is_paid_in_parts, EXISTS (SELECT 1 FROM document_lines AS l
        WHERE l.document_id = d.id AND l.invoice_id = i.id AND l.amount_cents <> i.amount_cents), 0) AS isDivided,
      -- The first part of a divided line has all of it.
      iif(d.discount_cents = 0, 0, coalesce((SELECT l.discount_cents FROM document_lines AS l
        WHERE l.document_id = d.id AND l.invoice_id = i.id), 0)) AS discountCents
    FROM invoices AS i INDEXED BY invoices_created LEFT JOIN documents AS d ON d.id = i.document_id
    WHERE ${conditions("i", filter, after)} ORDER BY i.created_at, i.row LIMIT ${limit}`);
}

/** Finds expenses of a period, oldest first, after a cursor. */
export function findExpenseRows(
  db: Db,
  filter: AccountantFileFilter,
  after: Cursor | null,
  limit: number,
): Promise<AccountantFileRow[]> {
  return db.all(sql`SELECT e.row, e.created_at AS createdAt, 'Expense' AS type, NULL AS number, e.day,
      e.business_type AS business, NULL AS customer, e.description AS item, e.expense_type AS category, NULL AS quantity,
      -e.amount_cents AS amountCents, -e.tax_cents AS taxCents, NULL AS taxName, NULL AS taxRate,
      nullif(e.payment_mode, '') AS paymentMode, NULL AS originalNumber, e.supplier, 0 AS isDivided, NULL AS discountCents
    FROM expenses AS e INDEXED BY expenses_created
    WHERE ${conditions("e", filter, after)} ORDER BY e.created_at, e.row LIMIT ${limit}`);
}

/** Payment that moved money; of a deposit with the documents towards which its quote's deposits count. */
export interface PaymentRow {
  row: number;
  day: string;
  /** Of the document or the deposit. */
  number: string;
  kind: "sale" | "credit" | "deposit";
  business: Business;
  mode: string;
  amountCents: number;
  customer: string;
  /** Title of the quote; null without one, and where it was deleted. */
  quote: string | null;
  /** Numbers of documents, separated by spaces; null for none. */
  documents: string | null;
  /** Note of a deposit. */
  note: string;
  createdBy: string;
}

/** Finds the payments of a period that moved money, by day and order, after a cursor. */
export function findPaymentRows(
  db: Db,
  { business, days }: Pick<AccountantFileFilter, "business" | "days">,
  after: Pick<PaymentRow, "day" | "row"> | null,
  limit: number,
): Promise<PaymentRow[]> {
  const conditions = and(
    sql`p.day BETWEEN ${days?.from ?? FIRST_DAY} AND ${days?.to ?? LAST_DAY}`,
    business ? sql`p.business_type = ${business}` : undefined,
    after ? sql`(p.day, p."row") > (${after.day}, ${after.row})` : undefined,
    sql`(p.quote_id IS NULL OR p.document_id IS NULL)`,
  );
  return db.all(sql`SELECT p."row", p.day, coalesce(d.number, p.number) AS number, coalesce(d.kind, 'deposit') AS kind,
      p.business_type AS business, p.mode, p.amount_cents AS amountCents, coalesce(d.customer_name, p.customer_name) AS customer,
      (SELECT title FROM quotes WHERE id = p.quote_id) AS quote,
      (SELECT group_concat(number, ' ') FROM (SELECT DISTINCT o.number FROM payments AS c INDEXED BY payments_quote
        CROSS JOIN documents AS o ON o.id = c.document_id WHERE c.quote_id = p.quote_id ORDER BY o.number)) AS documents,
      p.note, p.created_by AS createdBy
    FROM payments AS p INDEXED BY payments_day LEFT JOIN documents AS d ON d.id = p.document_id
    WHERE ${conditions} ORDER BY p.day, p."row" LIMIT ${limit}`);
}

function conditions(
  alias: "i" | "e",
  { business, days, earliest, latest }: AccountantFileFilter,
  after: Cursor | null,
): SQL | undefined {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  return and(
    sql`${column("created_at")} BETWEEN ${earliest} AND ${latest}`,
    days ? sql`${column("day")} BETWEEN ${days.from} AND ${days.to}` : undefined,
    business ? sql`${column("business_type")} = ${business}` : undefined,
    after ? sql`(${column("created_at")}, ${column("row")}) > (${after.createdAt}, ${after.row})` : undefined,
  );
}
