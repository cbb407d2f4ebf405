import { and, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { listOf } from "~/db/list-of";
import { textMatches } from "~/db/search";
import { searchKey } from "~/db/text";
import { searchedCents } from "~/domain/typed-amount";
import type { DocumentKind, SaleDocument } from "../document";

/** Row of the list of documents. */
export interface DocumentRow {
  id: string;
  kind: DocumentKind;
  number: string;
  businessType: SaleDocument["businessType"];
  customerId: string | null;
  /** Empty when nobody asked for it. */
  customerName: string;
  chatId: string | null;
  paymentMode: SaleDocument["paymentMode"];
  /** The business was registered for tax. */
  isTaxed: boolean;
  taxCents: number;
  totalCents: number;
  /** YYYY-MM-DD. */
  day: string;
  originalId: string | null;
  originalNumber: string | null;
  /** Sum of the credit notes, 0 or less. */
  creditedCents: number;
  /** Everything was taken back. */
  isVoided: boolean;
  /** The first lines. */
  items: { quantity: number; description: string }[];
  /** Number of all lines. */
  lines: number;
}

/** Lines that a row of the list names. */
const NAMED_LINES = 4;

/** Columns of a row of the screen, for `toRow`. */
export const ROW_COLUMNS =
  sql.raw(`d.id, d.kind, d.number, d.business_type AS businessType, d.customer_id AS customerId,
  d.customer_name AS customerName, d.chat_id AS chatId, d.payment_mode AS paymentMode, d.tax_number <> '' AS isTaxed,
  d.tax_cents AS taxCents, d.total_cents AS totalCents, d.day, d.original_id AS originalId,
  (SELECT o.number FROM documents AS o WHERE o.id = d.original_id) AS originalNumber,
  (SELECT coalesce(sum(c.total_cents), 0) FROM documents AS c WHERE c.original_id = d.id) AS creditedCents,
  d.kind = 'sale' AND NOT EXISTS (
    SELECT 1 FROM document_lines AS l WHERE l.document_id = d.id AND l.returned < l.quantity
      AND (l.product_id IS NOT NULL OR l.credited_cents = 0 OR l.credited_cents < l.amount_cents)) AS isVoided,
  (SELECT iif(d.kind = 'sale', max(line), count(*)) FROM document_lines WHERE document_id = d.id) AS lines,
  (SELECT json_group_array(json_object('quantity', abs(named.quantity), 'description', named.description)) FROM (
    SELECT quantity, description FROM document_lines WHERE document_id = d.id ORDER BY line LIMIT ${NAMED_LINES}
  ) AS named) AS items`);

/** Range of periods in `document_sums`: days or months, both ends included. */
export type Periods = [from: string, to: string][];

/** Filter of documents; what is missing or empty does not filter. */
export interface ListFilter {
  /** NFC, lower case. */
  q: string;
  business?: string | undefined;
  kind?: string | undefined;
  source?: string | undefined;
  customerId?: string | undefined;
  chatId?: string | undefined;
  /** Local days, both included, and a wider range of epoch seconds for the index. */
  days?: { from: string; to: string; earliest: number; latest: number };
  /** The days as periods of the sums. */
  periods?: Periods;
}

/** Sums of all matching documents. */
export interface DocumentSums {
  sales: number;
  credits: number;
  totalCents: number;
  taxCents: number;
  /** Given on sales, without those of pieces that were taken back. */
  discountCents: number;
}

const DOCUMENTS = listOf({
  table: "documents",
  as: "d",
  sorts: { createdAt: ["created_at", "row"] },
  isWide: true,
});

/** Returns how the documents that match a filter are read, by time. @param columns of `documents AS d`, for `view` */
export const documentReads = <View>(
  db: Db,
  filter: ListFilter,
  columns: SQL,
  view: (row: Record<string, unknown>) => View,
) =>
  DOCUMENTS.reads(db, { sort: "createdAt", columns, view, ...matching(filter) }, async () => {
    const sums = toSums(await db.all(sumsStatement(filter)));
    return { sums, total: sums.sales + sums.credits };
  });

/** Conditions on columns that documents and their sums share. */
const sharedConditions = ({ business, kind, source }: ListFilter) => [
  business ? sql`d.business_type = ${business}` : undefined,
  kind ? sql`d.kind = ${kind}` : undefined,
  source ? sql`d.source = ${source}` : undefined,
];

function matching(filter: ListFilter) {
  const { q, customerId, chatId, days } = filter;
  const where = [
    ...sharedConditions(filter),
    customerId ? sql`d.customer_id = ${customerId}` : undefined,
    chatId ? sql`d.chat_id = ${chatId}` : undefined,
    days && sql`d.created_at BETWEEN ${days.earliest} AND ${days.latest}`,
    days && sql`d.day BETWEEN ${days.from} AND ${days.to}`,
  ];
  const cents = searchedCents(searchKey(q));
  const ofAmount =
    cents === null
      ? undefined
      : sql`SELECT "row" FROM documents INDEXED BY documents_total WHERE total_cents IN ${cents}
        UNION SELECT d."row" FROM document_lines AS l INDEXED BY document_lines_amount
          CROSS JOIN documents AS d ON d.id = l.document_id WHERE l.amount_cents IN ${cents}`;
  return { found: q ? textMatches("document", q, ofAmount) : undefined, where };
}

/** Sums by kind: of the matching documents, or of whole periods where nothing else filters. */
function sumsStatement(filter: ListFilter): SQL {
  if (filter.q || filter.customerId || filter.chatId)
    return sql`SELECT d.kind, count(*) AS documents, sum(d.total_cents) AS totalCents, sum(d.tax_cents) AS taxCents,
      sum(d.discount_cents) AS discountCents ${DOCUMENTS.from(matching(filter))} GROUP BY d.kind`;
  const where = and(periodCondition(filter.periods), ...sharedConditions(filter));
  return sql`SELECT d.kind, sum(d.documents) AS documents, sum(d.total_cents) AS totalCents, sum(d.tax_cents) AS taxCents,
      sum(d.discount_cents) AS discountCents FROM document_sums AS d WHERE ${where} GROUP BY d.kind`;
}

/** Days and months share a column; their lengths tell them apart. */
function periodCondition(periods: Periods | undefined): SQL {
  if (!periods) return sql`d.period = 'all'`;
  const ranges = periods.map(
    ([from, to]) => sql`(d.period BETWEEN ${from} AND ${to} AND length(d.period) = ${from.length})`,
  );
  return sql`(${sql.join(ranges, sql` OR `)})`;
}

export function toRow(row: Record<string, unknown>): DocumentRow {
  const stored = row as unknown as Omit<DocumentRow, "items"> & { items: string };
  return {
    ...stored,
    isTaxed: Boolean(stored.isTaxed),
    isVoided: Boolean(stored.isVoided),
    items: JSON.parse(stored.items),
  };
}

function toSums(rows: Record<string, unknown>[]): DocumentSums {
  const total = (column: string, kind?: DocumentKind) =>
    rows
      .filter((row) => kind === undefined || row.kind === kind)
      .reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
  return {
    sales: total("documents", "sale"),
    credits: total("documents", "credit"),
    totalCents: total("totalCents"),
    taxCents: total("taxCents"),
    discountCents: total("discountCents"),
  };
}
