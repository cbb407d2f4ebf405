import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { CATEGORIES } from "~/domain/categories";
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

/**
 * Counts the products of a category (or all) beside the filters, and by category where a filter changes those numbers. Reads
 * twenty to fifty rows, for any catalogue.
 */
export async function countList(
  db: Db,
  { category, min, max, inStock, sort }: ListFilter,
  countsCategories: boolean,
): Promise<ListCounts> {
  const ranges = [ALL_PRICES, { min, max }, ...STEPS];
  const covers = [WHOLE_COVER, coverOf({ min, max }), ...STEP_COVERS];
  const isFiltered = inStock || min !== null || max !== null;
  const ofCategories = countsCategories && isFiltered ? (covers[1] ?? []) : [];
  const { countOf, freed, byCategory } = await countBuckets(db, category ?? "", covers.flat(), ofCategories);
  const freedOf = ({ min: from, max: to }: (typeof ranges)[number], of = category) =>
    freed.filter(
      (each) => (!of || each.category === of) && each.cents >= (from ?? 0) && each.cents <= (to ?? MAX_CENTS),
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
    ...(ofCategories.length > 0 && {
      categories: CATEGORIES.map((name) => ({
        category: name,
        products: matching(byCategory(name, freedOf({ min, max }, name).length)),
      })),
    }),
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

const ALL_PRICES = { min: null, max: null };
/** The price ranges that the shop offers, but for the last one. */
const STEPS = PRICE_RANGES.slice(0, -1);

const coverOf = ({ min, max }: Pick<ListFilter, "min" | "max">) => coverPrices(min ?? 0, max ?? MAX_CENTS);
const WHOLE_COVER = coverOf(ALL_PRICES);
const STEP_COVERS = STEPS.map(coverOf);

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

/** Row of `price_categories`: products, and those in stock, by category. */
type CategoryRow = Record<string, [products: number, available: number]>;

/** Sums rows of a category, or of all (""). */
function sumRows(rows: CategoryRow[], category: string): Sums {
  const counts = rows.map((row) => (category ? [row[category] ?? [0, 0]] : Object.values(row)));
  const sum = (at: 0 | 1) => counts.flat().reduce((total, count) => total + count[at], 0);
  return [sum(0), sum(1), counts.filter((row) => row.some(([products]) => products > 0)).length];
}

/**
 * Sums ranges of buckets, each once.
 *
 * @param category "" for all
 * @param ofCategories those of the ranges that are counted by category as well
 */
async function countBuckets(db: Db, category: string, buckets: BucketRange[], ofCategories: BucketRange[]) {
  const keyed = (ranges: BucketRange[]) => new Map(ranges.map((range) => [JSON.stringify(range), range]));
  const rowsOf = keyed(ofCategories);
  const sumsOf = new Map([...keyed(buckets)].filter(([key]) => !rowsOf.has(key)));
  const found = await readBuckets(db, category, [...sumsOf.values()], [...rowsOf.values()]);
  const sums = new Map([...sumsOf.keys()].map((key, i) => [key, found.sums[i]]));
  const rows = new Map([...rowsOf.keys()].map((key, i) => [key, found.rows[i] ?? []]));
  const countOf = (bucket: BucketRange) => {
    const key = JSON.stringify(bucket);
    const list = rows.get(key);
    const [products, available, filled] = (list ? sumRows(list, category) : sums.get(key)) ?? [0, 0, 0];
    const bands = bucket.level === PRICES ? Math.min(1, filled) : filled * (BANDS[bucket.level] ?? 1);
    return { products, available, bands: Math.min(products, bands) };
  };
  const byCategory = (name: string, freed: number) => {
    const [products, available] = sumRows([...rows.values()].flat(), name);
    return { products, available: available + freed, bands: 0 };
  };
  return { countOf, byCategory, freed: found.freed };
}

/** Products of buckets: all, those in stock, and the buckets with products. */
type Sums = [products: number, available: number, filled: number];

/** Reads ranges as columns of one row: rows of a list of ranges would be read, and read again to sort. */
async function readBuckets(db: Db, category: string, sums: BucketRange[], rows: BucketRange[]) {
  const ofRange = ({ level, from, to }: BucketRange) =>
    sql`level = ${level} AND bucket BETWEEN ${from} AND ${to}`;
  const sumColumns = sums.map(
    (
      range,
    ) => sql`(SELECT json_array(coalesce(sum(products), 0), coalesce(sum(available), 0), count(*) FILTER (WHERE products > 0))
      FROM price_counts WHERE category = ${category} AND ${ofRange(range)})`,
  );
  const rowColumns = rows.map(
    (range) => sql`(SELECT json_group_array(json(counts)) FROM price_categories WHERE ${ofRange(range)})`,
  );
  const [row] = await db.all<Record<"sums" | "lists" | "freed", string>>(sql`SELECT
    json_array(${sql.join(sumColumns, sql`, `)}) AS sums, json_array(${sql.join(rowColumns, sql`, `)}) AS lists,
    (SELECT json_group_array(json_object('row', "row", 'category', category, 'cents', price_cents)) FROM ${FREED}) AS freed`);
  const read = <T>(json: string | undefined): T[] => JSON.parse(json ?? "[]");
  return {
    sums: read<Sums>(row?.sums),
    rows: read<CategoryRow[]>(row?.lists),
    freed: read<FreedProduct>(row?.freed),
  };
}
