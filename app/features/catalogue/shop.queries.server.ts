import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, preparedQuery } from "~/db/client.server";
import { categoryCounts, products } from "~/db/schema";
import { CATEGORIES, type Category, type CategoryTile } from "./categories";
import { coverPrices, MAX_PRICE, PRICE_STEPS, priceBand } from "./price-bands";
import { type CardRow, card, type ListWindow, noLimit, ORDER } from "./queries.server";
import { type Facets, type ListFilter, SORTS, type Sort } from "./schema";

/** Prepared queries per sort, for all products and for one category. */
const ALL = queriesBySort(undefined);
const ONE_CATEGORY = queriesBySort(eq(products.category, sql.placeholder("category")));

/** Finds a page of cards, of all products or one category, of any price and stock. */
export async function findCards(
  db: Db,
  { category, sort }: ListFilter,
  { limit = noLimit, offset }: ListWindow,
): Promise<CardRow[]> {
  const queries = category ? ONE_CATEGORY : ALL;
  return (await queries.get(sort)?.(db, { category, limit, offset })) ?? [];
}

function queriesBySort(where: SQL | undefined) {
  const find = (sort: Sort) =>
    preparedQuery<CardRow>((db) =>
      db
        .select(card)
        .from(products)
        .where(where)
        .orderBy(...ORDER[sort])
        .limit(sql.placeholder("limit"))
        .offset(sql.placeholder("offset")),
    );
  return new Map(SORTS.map((sort) => [sort, find(sort)]));
}

/** Figures of a list without a search, from `price_counts`. */
export interface ListCounts extends Facets {
  /** Products without the price range and the stock, which a walk through the list meets. */
  listed: number;
  /** A hold has ended that `products.held` still contains, so that IN_STOCK is behind. */
  hasEndedHolds: boolean;
  /** Parts of the price range that are no whole bands, with their products. */
  ends: { from: number; to: number; products: number }[];
}

/** Counts the products of a category (or all) beside the filters. Reads about a hundred rows, for any catalogue. */
export async function countList(
  db: Db,
  { category, min, max, inStock, sort }: ListFilter,
): Promise<ListCounts> {
  const ranges = [{ min: null, max: null }, { min, max }, ...PRICE_STEPS.slice(0, -1)];
  // A range that is the same as an earlier one is counted with it.
  const sameAs = ranges.map((range) => ranges.findIndex(isSame(range)));
  const cover = ranges.flatMap((range, index) =>
    sameAs[index] === index
      ? coverPrices(range.min ?? 0, range.max ?? MAX_PRICE).map((buckets) => ({ index, ...buckets }))
      : [],
  );
  const rows = await db.all<{ counts: string; ended: number }>(sql`
    SELECT (SELECT json_array(coalesce(sum(c.products), 0), coalesce(sum(c.available), 0)) FROM price_counts AS c
        WHERE c.category = ${category ?? ""} AND c.level = wanted.value ->> 'level'
          AND c.bucket BETWEEN wanted.value ->> 'from' AND wanted.value ->> 'to') AS counts,
      EXISTS (SELECT 1 FROM hold_lines WHERE counted = 1 AND until <= unixepoch()) AS ended
    FROM json_each(${JSON.stringify(cover)}) AS wanted ORDER BY wanted.key`);
  const buckets = rows.map((row, at) => {
    const [products, available] = JSON.parse(row.counts) as [number, number];
    return { ...(cover[at] ?? NO_BUCKETS), products, available };
  });
  const [all = NONE, range = NONE, ...steps] = sameAs.map((same) =>
    buckets.filter(({ index }) => index === same).reduce(add, NONE),
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
    hasEndedHolds: rows[0]?.ended === 1,
    ends: buckets.filter(({ index, level }) => index === sameAs[1] && level === PRICES),
  };
}

type Range = Pick<ListFilter, "min" | "max">;
const isSame = (range: Range) => (other: Range) => range.min === other.min && range.max === other.max;
const NONE = { products: 0, available: 0 };
const NO_BUCKETS = { index: -1, level: 0, from: 0, to: 0 };
/** Level of single prices in `price_counts`. */
const PRICES = 3;

const add = (a: typeof NONE, b: typeof NONE) => ({
  products: a.products + b.products,
  available: a.available + b.available,
});

/** Key of an order by date or name, its direction, and the end of its indexes' names. */
function orderOf(sort: Sort) {
  const isDefault = sort === "default";
  const isDescending = isDefault || sort === "name-desc";
  return {
    key: sql.raw(isDefault ? "created_at" : "name_key"),
    direction: sql.raw(isDescending ? "DESC" : "ASC"),
    after: sql.raw(isDescending ? "<" : ">"),
    /** The default order begins with what is in stock. */
    stockFirst: isDefault,
    index: isDefault ? "default" : "name",
  };
}

/**
 * Builds the table `found` with the rows of a page, in its order, by the cheapest of three ways. For
 * the orders by date and name: those by price have an index that begins with the range.
 *
 * @param counts of the same filter
 */
export function pageRows(
  filter: ListFilter,
  counts: ListCounts,
  { limit = noLimit, offset }: ListWindow,
): SQL {
  const end = limit + offset;
  const { key, direction, stockFirst } = orderOf(filter.sort);
  const first = sql.raw(stockFirst && !filter.inStock ? "(p.stock > p.held) DESC, " : "");
  const sorted = sql`ORDER BY ${first}p.${key} ${direction}, p.id ${direction} LIMIT ${limit} OFFSET ${offset}`;
  const bands = priceBand(filter.max ?? MAX_PRICE) - priceBand(filter.min ?? 0) + 1;
  // Only the default order, and its indexes, begin with the stock.
  const stocks = filter.inStock || !stockFirst || counts.inStock >= end ? [1] : [1, 0];
  // Rows that each way reads, as measured.
  const costs = {
    walk: (1.1 * end * counts.listed) / Math.max(1, counts.total) + end,
    merge: 3 * bands * stocks.length + 5 * end,
    sort: 2.3 * counts.total,
  };
  const cheapest = Math.min(costs.walk, costs.merge, costs.sort);
  if (cheapest === costs.sort) return sql`(${sortedRows(filter)} ${sorted}) AS found`;
  if (cheapest === costs.walk) return sql`(${walkedRows(filter)} ${sorted}) AS found`;
  // The few products of an end are sorted where they are far apart among those of its band.
  const distance = counts.total / bands;
  const ends = counts.ends.filter(({ products }) => 2.3 * products + end < distance / products);
  return mergedRows(filter, { stocks, ends }, { limit, offset });
}

const indexName = (category: Category | null, rest: string) =>
  sql.raw(`products_${category ? "category_" : ""}${rest}`);

/** Conditions on the table `p`. */
function rowConditions({ category, min, max, inStock }: ListFilter, price: SQL): SQL {
  const stocked = inStock ? sql` AND (p.stock > p.held) = 1` : sql``;
  const ofCategory = category ? sql` AND p.category = ${category}` : sql``;
  return sql`${price} BETWEEN ${min ?? 0} AND ${max ?? MAX_PRICE}${stocked}${ofCategory}`;
}

/** Reads all that match, for few. */
function sortedRows(filter: ListFilter): SQL {
  const index = indexName(filter.category, filter.inStock ? "available_price" : "price");
  return sql`SELECT p."row" FROM products AS p INDEXED BY ${index} WHERE ${rowConditions(filter, sql`p.price_cents`)}`;
}

/** Follows the order and skips what does not match, for filters that much of the list matches. */
function walkedRows(filter: ListFilter): SQL {
  const { index, stockFirst } = orderOf(filter.sort);
  const name = indexName(filter.category, stockFirst ? `available_${index}` : index);
  return sql`SELECT p."row" FROM products AS p INDEXED BY ${name} WHERE ${rowConditions(filter, sql`+p.price_cents`)}`;
}

/** Expression of the indexes products_band_… (migrations/0022_shop_filters.sql), of the table `p`. */
const BAND = sql.raw(
  `CASE WHEN p.price_cents < 100 THEN p.price_cents ${[1, 2, 3, 4, 5, 6, 7]
    .map((n) => `WHEN p.price_cents < ${10 ** (n + 2)} THEN ${n * 100} + p.price_cents / ${10 ** n}`)
    .join(" ")} ELSE 800 + p.price_cents / 100000000 END`,
);

/** Reads a part of a band, as rows of the queue of mergedRows. */
const endRows = (filter: ListFilter, key: SQL) => sql` UNION ALL
  SELECT p."row", 0, p.stock > p.held, p.${key}, p.id FROM products AS p
  INDEXED BY ${indexName(filter.category, "price")} WHERE ${rowConditions(filter, sql`p.price_cents`)}`;

interface Bands {
  /** 1 for bands of what is in stock, 0 for the others, unless the window does not reach them. */
  stocks: number[];
  /** Parts of bands that are sorted instead. */
  ends: ListCounts["ends"];
}

/**
 * Merges the bands of the range, of each of which an index has the order: a queue holds the next product of every band,
 * and the one that leaves it is replaced by its successor.
 */
function mergedRows(
  filter: ListFilter,
  { stocks, ends }: Bands,
  { limit, offset }: Required<ListWindow>,
): SQL {
  const { category, min, max, sort } = filter;
  const { key, direction, after, stockFirst, index } = orderOf(sort);
  const range = rowConditions({ ...filter, inStock: filter.inStock && !stockFirst }, sql`p.price_cents`);
  const ofStock = (of: SQL) => (stockFirst ? sql` AND (p.stock > p.held) = +${of}.stocked` : sql``);
  // The plus hides that the other side is a column, without which SQLite would not use the index.
  const next = (of: SQL, condition: SQL) => sql`products AS r ON r."row" = (SELECT p."row" FROM products AS p
    INDEXED BY ${indexName(category, `band_${index}`)}
    WHERE ${range}${ofStock(of)} AND (${BAND}) = +${of}.band${condition}
    ORDER BY p.${key} ${direction}, p.id ${direction} LIMIT 1)`;
  const columns = (of: SQL) => sql`r."row", ${of}.band, ${of}.stocked, r.${key}, r.id`;
  const order = sql.raw(`ORDER BY ${stockFirst ? "3 DESC, " : ""}4`);
  const page = sql`${order} ${direction}, 5 ${direction} LIMIT ${limit} OFFSET ${offset}`;
  const sorted = ends
    .filter(({ products }) => products > 0)
    .map((one) => endRows({ ...filter, min: one.from, max: one.to }, key));
  const cut = JSON.stringify(ends.map(({ from }) => priceBand(from)));
  return sql`(WITH RECURSIVE bands(band, stocked) AS (
      SELECT c.bucket, s.value FROM json_each(${JSON.stringify(stocks)}) AS s CROSS JOIN price_counts AS c
      WHERE c.category = ${category ?? ""} AND c.level = 2
        AND c.bucket BETWEEN ${priceBand(min ?? 0)} AND ${priceBand(max ?? MAX_PRICE)}
        AND c.bucket NOT IN (SELECT value FROM json_each(${cut}))
        AND ${stockFirst ? sql`CASE s.value WHEN 1 THEN c.available ELSE c.products - c.available END` : sql`c.products`} > 0
    ), merged("row", band, stocked, key, id) AS (
      SELECT ${columns(sql`bands`)} FROM bands CROSS JOIN ${next(sql`bands`, sql``)}
      UNION ALL
      SELECT ${columns(sql`merged`)} FROM merged
      CROSS JOIN ${next(sql`merged`, sql` AND (p.${key}, p.id) ${after} (merged.key, merged.id)`)}
      ${sorted.length > 0 ? sql`${order} ${direction}, 5 ${direction} LIMIT ${limit + offset}` : page}
    ) ${sorted.length > 0 ? sql`SELECT "row" FROM (SELECT * FROM merged${sql.join(sorted)} ${page})` : sql`SELECT "row" FROM merged`}
    ) AS found`;
}

const categoryRows = preparedQuery<CategoryTile>((db) => {
  // Drizzle omits the table name in a single-table select, so the subquery needs an alias.
  const image = sql<string | null>`(select p.image_urls ->> 0 from ${products} p
    where p.category = ${categoryCounts}.category
    order by p.created_at desc, p.id desc limit 1)`.as("image");
  return db
    .select({ category: categoryCounts.category, products: categoryCounts.products, image })
    .from(categoryCounts);
});

/** Finds the categories that have products, in display order. Reads two rows each. */
export async function findCategories(db: Db): Promise<CategoryTile[]> {
  const found = new Map((await categoryRows(db)).map((row) => [row.category, row]));
  return CATEGORIES.flatMap((category) => {
    const row = found.get(category);
    return row && row.products > 0 ? [row] : [];
  });
}
