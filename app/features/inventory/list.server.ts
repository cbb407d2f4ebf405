import type { Db } from "~/db/client.server";
import { parseCategory } from "~/features/catalogue/categories";
import type { SearchPlan } from "~/features/catalogue/search";
import { planSearch } from "~/features/catalogue/search.queries.server";
import { LEVELS, LOW_OR_OUT } from "./levels";
import { type ListParams, STOCK_SORTS } from "./list-params";
import {
  countLevels,
  findStock,
  type KeyedStockRow,
  type StockFilter,
  type StockRow,
} from "./queries.server";

/** How many products match, in all and by level, whatever level is looked at. */
export interface LevelCounts {
  all: number;
  low: number;
  out: number;
}

export const NO_COUNTS: LevelCounts = { all: 0, low: 0, out: 0 };

/** One page of the inventory. */
export interface StockList {
  /** Its page never lies past the last one. */
  params: ListParams;
  rows: StockRow[];
  total: number;
  counts: LevelCounts;
}

/** Reads a page of the inventory: one D1 round trip, two with a search, one more past the last page. */
export async function listStock(db: Db, params: ListParams): Promise<StockList> {
  const { page, size } = params;
  const plan = await planOf(db, params);
  if (plan === NOTHING) return { params: { ...params, page: 1 }, rows: [], total: 0, counts: NO_COUNTS };
  const filter = filterOf(params);
  const read = (from: number) =>
    findStock(db, plan, filter, { limit: size, offset: (from - 1) * size }).then((rows) => rows.map(asShown));
  const [rows, levels] = await Promise.all([read(page), countLevels(db, plan, filter.category)]);
  const counts = countsOf(levels);
  const total = counts[filter.level ?? "all"];
  const last = Math.max(1, Math.ceil(total / size));
  if (page <= last) return { params, rows, total, counts };
  return { params: { ...params, page: last }, rows: await read(last), total, counts };
}

/** Rows that are read at a time where all are wanted. */
const CHUNK = 2000;

/** All that a place shows, page after page, each read from where the one before ended. */
export async function* readAllStock(db: Db, params: ListParams): AsyncGenerator<StockRow[]> {
  const plan = await planOf(db, params);
  if (plan === NOTHING) return;
  let after: KeyedStockRow | null = null;
  for (;;) {
    const rows: KeyedStockRow[] = await findStock(
      db,
      plan,
      filterOf(params),
      { limit: CHUNK, offset: 0 },
      after,
    );
    yield rows.map(asShown);
    after = rows.at(-1) ?? null;
    if (rows.length < CHUNK) return;
  }
}

/** A search without a letter or digit, which nothing matches. */
const NOTHING = "nothing";

async function planOf(db: Db, { q }: ListParams): Promise<SearchPlan | null | typeof NOTHING> {
  if (!q) return null;
  return (await planSearch(db, q)) ?? NOTHING;
}

function filterOf({ sort, dir, filters }: ListParams): StockFilter {
  return {
    category: parseCategory(filters.category ?? ""),
    level: LOW_OR_OUT.find((level) => level === filters.level) ?? null,
    sort: STOCK_SORTS.find((name) => name === sort) ?? "name",
    dir,
  };
}

function countsOf(levels: { level: number; total: number }[]): LevelCounts {
  const counts = { out: 0, low: 0, enough: 0 };
  for (const { level, total } of levels) {
    const name = LEVELS[level];
    if (name) counts[name] = total;
  }
  const { out, low, enough } = counts;
  return { all: out + low + enough, low, out };
}

function asShown({ id, name, category, priceCents, stock }: KeyedStockRow): StockRow {
  return { id, name, category, priceCents, stock };
}
