import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { BUSINESSES, type Business } from "~/domain/enums";

/** Products of each list. */
const MAX_RANKED = 5;

/** Measures by which products are ranked. */
export const MEASURES = ["revenue", "pieces"] as const;
export type Measure = (typeof MEASURES)[number];

const COLUMNS: Record<Measure, { column: string; index: string }> = {
  revenue: { column: "amount_cents", index: "product_sales_amount" },
  pieces: { column: "pieces", index: "product_sales_pieces" },
};

/** What a product sold in a period. */
export interface ProductSale {
  id: string;
  /** Null for a deleted product. */
  name: string | null;
  pieces: number;
  amountCents: number;
}

interface RankedRow extends ProductSale {
  measure: Measure;
  isBest: 0 | 1;
}

/** Products that sold most and least by each measure. */
export type RankedProducts = Record<Measure, { best: ProductSale[]; weakest: ProductSale[] }>;

/**
 * Ranks the products that sold something in a period. Each list is read from the end of an index, of each business.
 *
 * @param period as `product_sales` names it
 */
export async function findRankedProducts(
  db: Db,
  period: string,
  business: Business | null,
): Promise<RankedProducts> {
  const businesses = business ? [business] : BUSINESSES;
  const lists = MEASURES.flatMap((measure) =>
    businesses.flatMap((each) => [1, 0].map((isBest) => listOf(period, each, measure, isBest === 1))),
  );
  // D1 joins five of them at most.
  const rows = (await Promise.all(lists.map((list) => db.all<RankedRow>(list)))).flat();
  const ranked = (measure: Measure) => {
    const value = ({ pieces, amountCents }: ProductSale) => (measure === "pieces" ? pieces : amountCents);
    const of = (isBest: 0 | 1) =>
      rows
        .filter((row) => row.measure === measure && row.isBest === isBest)
        .sort((a, b) => (isBest ? value(b) - value(a) : value(a) - value(b)))
        .map(({ id, name, pieces, amountCents }) => ({ id, name, pieces, amountCents }));
    const best = of(1).slice(0, MAX_RANKED);
    const weakest = of(0).filter(({ id }) => !best.some((other) => other.id === id));
    return { best, weakest: weakest.slice(0, MAX_RANKED) };
  };
  return { revenue: ranked("revenue"), pieces: ranked("pieces") };
}

/** Selects the products of a business that sold most, or least. */
function listOf(period: string, business: Business, measure: Measure, isBest: boolean) {
  const { column, index } = COLUMNS[measure];
  const [value, direction] = [sql.identifier(column), isBest ? sql`DESC` : sql`ASC`];
  return sql`SELECT ${measure} AS measure, ${sql.raw(isBest ? "1" : "0")} AS isBest, s.product_id AS id, p.name, s.pieces,
      s.amount_cents AS amountCents
    FROM (SELECT * FROM product_sales INDEXED BY ${sql.identifier(index)}
      WHERE period = ${period} AND business_type = ${business} AND ${value} > 0
      ORDER BY ${value} ${direction} LIMIT ${sql.raw(String(2 * MAX_RANKED))}) AS s
    LEFT JOIN products AS p ON p.id = s.product_id`;
}
