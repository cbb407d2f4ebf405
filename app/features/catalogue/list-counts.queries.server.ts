import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { MAX_CENTS } from "~/domain/money";
import { type BucketRange, coverPrices, PRICE_RANGES } from "./price-bands";
import { FREED } from "./queries.server";
import type { Facets, ListFilter } from "./schema";

/** Figures of a list without a search, from `price_counts`. */
export interface ListCounts extends Facets {
  /** Products without the price range and the stock, which a walk through the list meets. */
  listed: number;
  /** Rows of the list's products that are available again, which its indexes have as sold out (`FREED`). */
  freed: number[];
  /** Price bands with products in the range, at most. */
  bands: number;
  /** Parts of the price range that are no whole bands, with their products. */
  ends: { from: number; to: number; products: number }[];
}

/** Counts the products of a category (or all) beside the filters. Reads twenty to fifty rows, for any catalogue. */
export async function countList(
  db: Db,
  { category, min, max, inStock, sort }: ListFilter,
): Promise<ListCounts> {
  const ranges = [{ min: null, max: null }, { min, max }, ...PRICE_RANGES.slice(0, -1)];
  const covers = ranges.map((range) => coverPrices(range.min ?? 0, range.max ?? MAX_CENTS));
  const { countOf, freed } = await countBuckets(db, category ?? "", covers.flat());
  const freedOf = ({ min: from, max: to }: (typeof ranges)[number]) =>
    freed.filter(
      (each) =>
        (!category || each.category === category) &&
        each.cents >= (from ?? 0) &&
        each.cents <= (to ?? MAX_CENTS),
    );
  const [all = NONE, range = NONE, ...steps] = ranges.map((each, at) =>
    (covers[at] ?? []).map(countOf).reduce(add, { ...NONE, available: freedOf(each).length }),
  );
  const matching = (row: typeof NONE) => (inStock ? row.available : row.products);
  const below = steps.map(matching);
  return {
    total: matching(range),
    inStock: range.available,
    anyStock: range.products,
    // The steps are all prices: the last one is what the others leave.
    prices: [...below, matching(all) - below.reduce((sum, count) => sum + count, 0)],
    // The default order begins with what is in stock.
    listed: sort === "default" ? matching(all) : all.products,
    freed: freedOf({ min, max }).map(({ row }) => row),
    bands: range.bands,
    ends: (covers[1] ?? [])
      .filter(({ level }) => level === PRICES)
      .map((bucket) => ({ from: bucket.from, to: bucket.to, products: countOf(bucket).products })),
  };
}

const NONE = { products: 0, available: 0, bands: 0 };
/** Level of single prices in `price_counts`. */
const PRICES = 3;
/** Bands of a bucket of each other level. */
const BANDS = [90, 10, 1];

const add = (a: typeof NONE, b: typeof NONE) => ({
  products: a.products + b.products,
  available: a.available + b.available,
  bands: a.bands + b.bands,
});

interface FreedProduct {
  row: number;
  category: string;
  cents: number;
}

/** Sums ranges of buckets, each once, as columns of one row: rows of a list of ranges would be read, and read again to sort. */
async function countBuckets(db: Db, category: string, buckets: BucketRange[]) {
  const distinct = [...new Map(buckets.map((bucket) => [JSON.stringify(bucket), bucket]))];
  const columns = distinct.map(
    ([
      ,
      { level, from, to },
    ]) => sql`(SELECT json_array(coalesce(sum(products), 0), coalesce(sum(available), 0), count(*) FILTER (WHERE products > 0))
      FROM price_counts WHERE category = ${category} AND level = ${level} AND bucket BETWEEN ${from} AND ${to})`,
  );
  const [row] = await db.all<{
    counts: string;
    freed: string;
  }>(sql`SELECT json_array(${sql.join(columns, sql`, `)}) AS counts, (SELECT json_group_array(
    json_object('row', "row", 'category', category, 'cents', price_cents)) FROM ${FREED}) AS freed`);
  const sums = JSON.parse(row?.counts ?? "[]") as [number, number, number][];
  const found = new Map(distinct.map(([key], index) => [key, sums[index]]));
  const countOf = (bucket: BucketRange) => {
    const [products = 0, available = 0, filled = 0] = found.get(JSON.stringify(bucket)) ?? [];
    const bands = bucket.level === PRICES ? Math.min(1, filled) : filled * (BANDS[bucket.level] ?? 1);
    return { products, available, bands: Math.min(products, bands) };
  };
  return { countOf, freed: JSON.parse(row?.freed ?? "[]") as FreedProduct[] };
}
