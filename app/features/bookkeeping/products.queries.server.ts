import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import type { DateSpan } from "~/domain/days";
import { DAY_SECONDS } from "~/domain/durations";
import type { Business } from "~/domain/enums";
import type { Period } from "~/domain/periods";
import { splitDays } from "./report-days";

export interface ReportFilter {
  /** Null for both. */
  business: Business | null;
  /** Null for all. */
  days: Period["days"];
}

/** Products of each list. */
const MAX_RANKED = 5;

/** Measures by which products are ranked, with their columns. */
const MEASURES = { revenue: "amount_cents", pieces: "pieces" } as const;
type Measure = keyof typeof MEASURES;

/** Sales of a product in a business, in a period. */
export interface ProductSale {
  id: string;
  business: Business;
  /** Name of the product, or of a line that sold it when it is deleted. */
  name: string;
  isDeleted: boolean;
  pieces: number;
  amountCents: number;
}

interface RankedRow extends Omit<ProductSale, "isDeleted"> {
  measure: Measure;
  isBest: 0 | 1;
  isDeleted: 0 | 1;
}

/** Products that sold most and least by each measure; none of the best is among the weakest. */
export type RankedProducts = Record<Measure, { best: ProductSale[]; weakest: ProductSale[] }>;

/**
 * Ranks the products that sold something in a period. Whole months and years are read as sums, the days before and after
 * them as lines, so that the cost follows the number of products.
 */
export async function findRankedProducts(db: Db, filter: ReportFilter): Promise<RankedProducts> {
  const lists = Object.entries(MEASURES).flatMap(([measure, column]) => [
    listOf(measure, column, 1),
    listOf(measure, column, 0),
  ]);
  const rows = await db.all<RankedRow>(
    sql`WITH sold AS MATERIALIZED (${productSums(filter)}) ${sql.join(lists, sql` UNION ALL `)}`,
  );
  const ranked = (measure: Measure) => {
    const of = (isBest: 0 | 1) =>
      rows
        .filter((row) => row.measure === measure && row.isBest === isBest)
        .map(({ measure: _, isBest: __, isDeleted, ...sale }) => ({ ...sale, isDeleted: isDeleted === 1 }));
    const best = of(1);
    const isBest = ({ id, business }: ProductSale) =>
      best.some((other) => other.id === id && other.business === business);
    return {
      best,
      weakest: of(0)
        .filter((sale) => !isBest(sale))
        .slice(0, MAX_RANKED),
    };
  };
  return { revenue: ranked("revenue"), pieces: ranked("pieces") };
}

/** Selects pieces and amount of each product and business. */
function productSums({ business, days }: ReportFilter): SQL {
  const { sums, rest } = splitDays(days ?? { from: FIRST_DAY, to: LAST_DAY });
  const ofBusiness = (column: string) => (business ? sql`AND ${sql.raw(column)} = ${business}` : sql.raw(""));
  const lines = sql`UNION ALL SELECT l.product_id, d.business_type, l.quantity, l.amount_cents
      FROM json_each(${JSON.stringify(rest.map((span) => [...span, ...timesAround(span)]))}) AS span
      CROSS JOIN documents AS d INDEXED BY documents_created
        ON d.created_at BETWEEN span.value ->> 2 AND span.value ->> 3
        AND d.day BETWEEN span.value ->> 0 AND span.value ->> 1 ${ofBusiness("d.business_type")}
      CROSS JOIN document_lines AS l ON l.document_id = d.id AND l.product_id IS NOT NULL`;
  return sql`SELECT product_id, business_type, sum(pieces) AS pieces, sum(amount_cents) AS amount_cents FROM (
      SELECT s.product_id, s.business_type, s.pieces, s.amount_cents FROM json_each(${JSON.stringify(sums)}) AS span
      CROSS JOIN product_sales AS s ON s.unit = span.value ->> 0
        AND s.period BETWEEN span.value ->> 1 AND span.value ->> 2 ${ofBusiness("s.business_type")}
      ${rest.length > 0 ? lines : sql.raw("")}
    ) GROUP BY product_id, business_type`;
}

/** Selects the products that sold most, or least, from the sums. */
function listOf(measure: string, column: string, isBest: 0 | 1): SQL {
  const value = sql.raw(`s.${column}`);
  const direction = sql.raw(isBest === 1 ? "DESC" : "ASC");
  // Among those that sold least may be all of the best.
  const limit = sql.raw(String(isBest === 1 ? MAX_RANKED : 2 * MAX_RANKED));
  return sql`SELECT * FROM (SELECT ${sql.raw(`'${measure}'`)} AS measure, ${sql.raw(String(isBest))} AS isBest,
      s.product_id AS id, s.business_type AS business, p.id IS NULL AS isDeleted,
      coalesce(p.name, (SELECT description FROM document_lines WHERE product_id = s.product_id LIMIT 1)) AS name,
      s.pieces, s.amount_cents AS amountCents
    FROM (SELECT * FROM sold AS s WHERE ${value} > 0 ORDER BY ${value} ${direction}, s.product_id LIMIT ${limit}) AS s
    LEFT JOIN products AS p ON p.id = s.product_id ORDER BY ${value} ${direction}, s.product_id)`;
}

/** Returns times, in epoch seconds, between which these days are in every time zone. */
function timesAround([from, to]: DateSpan): [earliest: number, latest: number] {
  const midnight = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;
  return [midnight(from) - DAY_SECONDS, midnight(to) + 2 * DAY_SECONDS];
}
