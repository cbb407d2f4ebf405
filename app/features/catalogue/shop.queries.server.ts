import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/sqlite-core";
import { type Db, preparedQuery } from "~/db/client.server";
import { categoryCounts, IS_SHOWN, products } from "~/db/schema";
import { CATEGORIES, type CategoryTile } from "~/domain/categories";
import { MAX_CENTS } from "~/domain/money";
import type { ListCounts } from "./list-counts.queries.server";
import { priceBand } from "./price-bands";
import {
  asExpressions,
  type CardRow,
  filteredListOf,
  indexOf,
  type ListWindow,
  noLimit,
  ORDER,
  productsBy,
  rowCard,
  rowsOf,
  shopIndex,
} from "./queries.server";
import { type ListFilter, NO_FILTER, SORTS, type Sort } from "./schema";

/** Prepared queries per sort, for all products and for one category. */
const ALL = queriesBySort(false);
const ONE_CATEGORY = queriesBySort(true);

/** Card with its row, as D1 sends it. */
type StoredCard = Omit<CardRow, "isFrom"> & { isFrom: number; row: number };

/** Finds a page of cards, of all products or one category, of any price and stock. */
export async function findCards(
  db: Db,
  { category, sort }: ListFilter,
  { limit = noLimit, offset }: ListWindow,
): Promise<(CardRow & { row: number })[]> {
  const queries = category ? ONE_CATEGORY : ALL;
  const rows = (await queries.get(sort)?.(db, { category, limit, offset })) ?? [];
  return rows.map((row) => ({ ...row, isFrom: row.isFrom === 1 }));
}

function queriesBySort(ofCategory: boolean) {
  const category = ofCategory ? CATEGORIES[0] : null;
  const where = ofCategory ? eq(products.category, sql.placeholder("category")) : undefined;
  const find = (sort: Sort) =>
    preparedQuery<StoredCard>((db) =>
      db
        .select(asExpressions(rowCard) as typeof rowCard)
        .from(productsBy(indexOf({ ...NO_FILTER, category, sort })))
        .where(and(IS_SHOWN, where))
        .orderBy(...ORDER[sort])
        .limit(sql.placeholder("limit"))
        .offset(sql.placeholder("offset")),
    );
  return new Map(SORTS.map((sort) => [sort, find(sort)]));
}

/** An order by date or name: its key, its direction, and the end of its indexes' names. */
function orderOf(sort: Sort) {
  const isDefault = sort === "default";
  const isDescending = isDefault || sort === "name-desc";
  return {
    key: sql.raw(isDefault ? "created_at" : "sort_key"),
    /** The key as a text of the same order, with the stock that the default order begins with. */
    text: isDefault ? sql`printf('%d%012d', p.stock > p.held, p.created_at)` : sql`p.sort_key`,
    /** Reverses `text`. */
    keyOf: (text: SQL) => (isDefault ? sql`cast(substr(${text}, 2) AS INTEGER)` : text),
    direction: sql.raw(isDescending ? "DESC" : "ASC"),
    after: sql.raw(isDescending ? "<" : ">"),
    /** The default order begins with what is in stock. */
    stockFirst: isDefault,
    index: isDefault ? "default" : "sorted",
  };
}

/**
 * Finds a page of a filtered list in the order by date or name, by the cheapest of three ways. The orders by price have an
 * index that begins with the range.
 */
export function filteredOf<Row>(columns: SelectedFields) {
  const [list, found] = [filteredListOf<Row>(columns), rowsOf<Row>(columns)];
  return (db: Db, filter: ListFilter, counts: ListCounts, window: ListWindow): Promise<Row[]> => {
    const { limit = noLimit, offset } = window;
    const { stockFirst, index } = orderOf(filter.sort);
    const end = limit + offset;
    // Only the default order, and its indexes, begin with the stock.
    const stocks = filter.inStock || !stockFirst || counts.inStock >= end ? [1] : [1, 0];
    const way = cheapestWay(filter, counts, { end, stocks: stocks.length });
    if (way === "sort")
      return list(db, filter, window, shopIndex(filter, filter.inStock ? "available_price" : "price"));
    if (way === "walk") return list(db, filter, window, shopIndex(filter, index));
    // The few products of an end are sorted where they are far apart among those of its band.
    const distance = counts.total / counts.bands;
    const ends = counts.ends.filter(({ products }) => 2.3 * products < distance / products);
    return found(db, mergedRows(filter, { stocks, ends, filled: counts.bands }, { limit, offset }));
  };
}

/** Chooses between sorting all matches, following the order and merging the bands, by the rows that each reads, as measured. */
function cheapestWay(
  filter: ListFilter,
  { total, listed, inStock, anyStock, ...counts }: ListCounts,
  { end, stocks }: { end: number; stocks: number },
): "sort" | "walk" | "merge" {
  // Half of the products have a unit with its own price, for which a card reads two rows.
  const units = end;
  // A walk may meet fewer matches than there are on average.
  const walk = ((end + 2 * Math.sqrt(end)) * listed) / Math.max(1, total) + units;
  const bands = Math.min(filledBands(filter, total), 2 * counts.bands) * stocks;
  // The order by name has no index with the stock.
  const skipped = filter.inStock && filter.sort !== "default" ? anyStock / Math.max(1, inStock) : 1;
  const merge = (bands + end) * skipped + 3 * end + units;
  // What is sorted is read with its units.
  const sort = 3 * total;
  if (sort <= Math.min(walk, merge)) return "sort";
  return walk <= merge ? "walk" : "merge";
}

/** Estimates the bands of the range that have products, as if these lay anywhere; a band without any is no row. */
function filledBands(range: ListFilter, total: number): number {
  const bands = bandsOf(range).length;
  return bands === 0 ? 0 : bands * (1 - Math.exp(-total / bands));
}

/** Conditions on the table `p`, of products that are not hidden. */
function rowConditions({ category, min, max, inStock }: ListFilter): SQL {
  const stocked = inStock ? sql` AND (p.stock > p.held) = 1` : sql``;
  const ofCategory = category ? sql` AND p.category = ${category}` : sql``;
  return sql`p.is_hidden = 0 AND p.price_cents BETWEEN ${min ?? 0} AND ${max ?? MAX_CENTS}${stocked}${ofCategory}`;
}

/** Expression of the indexes products_shown_band_… (migrations/0084_product_hidden.sql), of the table `p`. */
const BAND = sql.raw(
  `CASE WHEN p.price_cents < 100 THEN p.price_cents ${[1, 2, 3, 4, 5, 6, 7]
    .map((n) => `WHEN p.price_cents < ${10 ** (n + 2)} THEN ${n * 100} + p.price_cents / ${10 ** n}`)
    .join(" ")} ELSE 800 + p.price_cents / 100000000 END`,
);

interface Bands {
  /** Bands with products, at most. */
  filled: number;
  /** 1 for bands of what is in stock, 0 for the others, unless the window does not reach them. */
  stocks: number[];
  /** Parts of bands that are sorted instead. */
  ends: ListCounts["ends"];
}

/** Ends a part of a place: the lowest character, which names and ids do not contain. */
const END = sql.raw("char(1)");
const partOf = (text: SQL) => sql`substr(${text}, 1, instr(${text}, ${END}) - 1)`;
const restOf = (text: SQL) => sql`substr(${text}, instr(${text}, ${END}) + 1)`;
/** Key, id and row of the table `p` as one text in the order of the list: a subquery for each would read each row thrice. */
const placeOf = (key: SQL) => sql`${key} || ${END} || p.id || ${END} || p."row"`;

/**
 * Merges the bands of the range; an index has the order of each: a queue holds the next place of every band,
 * and the one that leaves it is replaced by its successor, or by NULL at the end of its band. The places of the ends are in
 * the queue from the beginning, as of no band, so that nothing follows them.
 */
function mergedRows(filter: ListFilter, bands: Bands, { limit, offset }: Required<ListWindow>): SQL {
  const { key, keyOf, text, direction, after, stockFirst, index } = orderOf(filter.sort);
  const range = rowConditions({ ...filter, inStock: filter.inStock && !stockFirst });
  // The plus hides that the other side is a column, without which SQLite would not use the index.
  const next = (stocked: SQL, band: SQL, condition = sql``) => sql`(SELECT ${placeOf(text)} FROM products AS p
    INDEXED BY ${shopIndex(filter, `band_${index}`)}
    WHERE ${range}${stockFirst ? sql` AND (p.stock > p.held) = +${stocked}` : sql``} AND (${BAND}) = +${band}${condition}
    ORDER BY p.${key} ${direction}, p.id ${direction} LIMIT 1)`;
  const sorted = bands.ends
    .filter(({ products }) => products > 0)
    .map(({ from, to }) => endRows({ ...filter, min: from, max: to }, text));
  const [place, id] = [sql`merged.place`, partOf(restOf(sql`merged.place`))];
  return sql`(WITH RECURSIVE bands(band, stocked) AS (${bandRows(filter, bands)}),
    merged(place, stocked, band) AS (
      SELECT ${next(sql`bands.stocked`, sql`bands.band`)}, bands.stocked, bands.band FROM bands${sql.join(sorted)}
      UNION ALL
      SELECT ${next(sql`merged.stocked`, sql`merged.band`, sql` AND (p.${key}, p.id) ${after} (${keyOf(partOf(place))}, ${id})`)},
        merged.stocked, merged.band FROM merged WHERE ${place} IS NOT NULL
      ORDER BY 1 ${direction} NULLS LAST LIMIT ${limit} OFFSET ${offset}
    ) SELECT cast(${restOf(restOf(sql`place`))} AS INTEGER) AS "row" FROM merged WHERE place IS NOT NULL) AS found`;
}

/** Numbers of the bands of a price range. */
function bandsOf({ min, max }: Pick<ListFilter, "min" | "max">): number[] {
  const [first, last] = [priceBand(min ?? 0), priceBand(max ?? MAX_CENTS)];
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return numbers.filter((band) => band < 100 || band % 100 >= 10);
}

/** Table of bands: a list, which costs nothing, or where most are empty, those of `price_counts` that have products. */
function bandRows(filter: ListFilter, { stocks, ends, filled }: Bands): SQL {
  const bands = bandsOf(filter).filter((band) => !ends.some(({ from }) => priceBand(from) === band));
  if (bands.length > 0 && bands.length <= 2 * filled) {
    const rows = stocks.flatMap((stocked) => bands.map((band) => `(${band}, ${stocked})`));
    return sql.raw(`VALUES ${rows.join(", ")}`);
  }
  const count =
    filter.sort === "default"
      ? sql`CASE s.value WHEN 1 THEN c.available ELSE c.products - c.available END`
      : sql`c.products`;
  return sql`SELECT c.bucket, s.value FROM json_each(${JSON.stringify(stocks)}) AS s CROSS JOIN price_counts AS c
    WHERE c.category = ${filter.category ?? ""} AND c.level = 2 AND ${count} > 0
      AND c.bucket BETWEEN ${bands[0] ?? 0} AND ${bands.at(-1) ?? -1}`;
}

/** Reads the places of a part of a band. */
const endRows = (filter: ListFilter, text: SQL) => sql` UNION ALL
  SELECT ${placeOf(text)}, NULL, NULL FROM products AS p INDEXED BY ${shopIndex(filter, "price")}
  WHERE ${rowConditions(filter)}`;

const categoryRows = preparedQuery<CategoryTile>((db) => {
  // Drizzle omits the table name in a single-table select, so the subquery needs an alias.
  const image = sql<
    string | null
  >`(select p.image_urls ->> 0 from ${products} p indexed by products_shown_category_newest
    where p.category = ${categoryCounts}.category and p.is_hidden = 0
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
