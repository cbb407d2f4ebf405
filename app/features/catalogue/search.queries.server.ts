import { and, between, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SelectedFields } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { products } from "~/db/schema";
import { CATEGORIES } from "~/domain/categories";
import { MAX_CENTS } from "~/domain/money";
import { PRICE_RANGES } from "./price-bands";
import type { FoundCard } from "./product-views.server";
import {
  type CardRow,
  card,
  colouredCard,
  conditions,
  IS_AVAILABLE,
  type ListWindow,
  noLimit,
  ORDER,
  onMatch,
} from "./queries.server";
import type { Facets, ListFilter } from "./schema";
import { type ColourMatches, ownExpression, type SearchPlan, wantedColours } from "./search";
import { numberForms } from "./search-words";

/** SQL that picks the expression: `wide` where `typed` finds too little, one of nothing where `unless` finds something. */
function expression({ typed, wide, enough, unless }: SearchPlan): SQL {
  const matches = (text: string) => sql`SELECT 1 FROM product_search WHERE product_search MATCH ${text}`;
  const picked = sql`(SELECT CASE WHEN count(*) < ${enough} THEN ${wide} ELSE ${typed} END
    FROM (${matches(typed)} LIMIT ${enough}))`;
  return unless ? sql`(SELECT CASE WHEN EXISTS (${matches(unless)}) THEN '""' ELSE ${picked} END)` : picked;
}

/** Products that a search finds: those of the shop, or the hidden ones too. */
export type SearchScope = "shop" | "all";

/** Full-text indexes of a scope. */
const INDEXES: Record<SearchScope, SQL[]> = {
  shop: [sql.raw("product_search")],
  all: [sql.raw("product_search"), sql.raw("hidden_search")],
};

/** Table `found` of the rows that `select` finds in each index of a scope. */
const foundIn = (scope: SearchScope, select: (index: SQL) => SQL): SQL =>
  sql`(${sql.join(INDEXES[scope].map(select), sql` UNION ALL `)}) AS found`;

/**
 * Table `found` of matching row ids, to be joined by `.crossJoin(products).where(and(onMatch, …))`. With an inner join,
 * SQLite would scan an index of all products and look each up among the matches.
 */
export const matching = (plan: SearchPlan, scope: SearchScope): SQL =>
  foundIn(
    scope,
    (index) => sql`SELECT rowid AS "row" FROM ${index} WHERE ${index} MATCH ${expression(plan)}`,
  );

/** Table `found` of what matches one of several plans, each row once. */
const matchingAny = (plans: SearchPlan[], scope: SearchScope): SQL =>
  sql`(${sql.join(
    plans.map((plan) => sql`SELECT "row" FROM ${matching(plan, scope)}`),
    sql` UNION `,
  )}) AS found`;

/**
 * Table `found` with the columns of `byRank`: words of the name, then of name and category, then beginnings of these, then
 * all words anywhere, then typos; bm25 among equals, weighing the name most.
 */
export function rankedMatches(plan: SearchPlan, scope: SearchScope): SQL {
  return foundIn(scope, (index) => {
    const tiers = plan.tiers.map(
      (tier, rank) =>
        sql`WHEN rowid IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${tier}) THEN ${sql.raw(String(rank))}`,
    );
    return sql`SELECT rowid AS "row", CASE ${sql.join(tiers, sql` `)} ELSE ${sql.raw(String(tiers.length))} END AS tier,
      bm25(${index}, 10, 4, 1) AS score FROM ${index} WHERE ${index} MATCH ${expression(plan)}`;
  });
}

/** SQL for the number of colours that no option of a product has, of the matches from a tier on. */
function lackedOptions({ tier, forms }: SearchPlan["colours"]): SQL {
  // Forms are words of a list, and no text that somebody typed. Options are a JSON array of texts.
  const starts = (form: string) =>
    [`'%"${form}%'`, `'% ${form}%'`].map((pattern) => sql`${products.colors} LIKE ${sql.raw(pattern)}`);
  const lacked = forms.map((colour) => sql`NOT (${sql.join(colour.flatMap(starts), sql` OR `)})`);
  return sql`iif(found.tier < ${sql.raw(String(tier))}, 0, ${sql.join(lacked, sql` + `)})`;
}

/**
 * Order of `rankedMatches`: a name that is the whole query, the tier, the query's colours among the options, what is in
 * stock, the score; deterministic.
 */
export const byRank = ({ nameKey, colours }: SearchPlan): SQL[] => [
  sql`${products.nameKey} <> ${nameKey}`,
  sql`found.tier`,
  ...(colours.forms.length > 0 ? [lackedOptions(colours)] : []),
  desc(IS_AVAILABLE),
  sql`found.score`,
  sql`found."row"`,
];

/** Order of a search; of one for what costs least, matches by name or category come before the others. */
function orderOf(plan: SearchPlan, sort: ListFilter["sort"]): SQL[] {
  if (sort === "default") return byRank(plan);
  if (sort !== "price-asc" || !plan.isCheapestFirst) return ORDER[sort];
  const isNamed = sql`found."row" IN (SELECT rowid FROM product_search WHERE product_search MATCH ${plan.named})`;
  return [desc(isNamed), ...ORDER[sort]];
}

/** Finds products that match a search, by default the best match first. */
export function searchOf<Row>(columns: SelectedFields, scope: SearchScope = "shop") {
  return (db: Db, plan: SearchPlan, filter: ListFilter, window: ListWindow): Promise<Row[]> => {
    const isRanked = filter.sort === "default";
    return db
      .select(columns)
      .from(isRanked ? rankedMatches(plan, scope) : matching(plan, scope))
      .crossJoin(products)
      .where(and(onMatch, conditions(filter, IS_AVAILABLE)))
      .orderBy(...orderOf(plan, filter.sort))
      .limit(window.limit ?? noLimit)
      .offset(window.offset) as unknown as Promise<Row[]>;
  };
}

const COUNTED_CARD = {
  ...card,
  total: sql<number>`count(*) OVER ()`.as("total"),
  tier: sql<number>`found.tier`.as("tier"),
};

/** Finds the first cards of a search, with the number of all, and whether the first has the search in name or category. */
export async function findCountedCards(
  db: Db,
  plan: SearchPlan,
  filter: ListFilter,
  limit: number,
): Promise<{ cards: CardRow[]; total: number; areNamed: boolean }> {
  const find = searchOf<CardRow & { total: number; tier: number }>(COUNTED_CARD);
  const rows = await find(db, plan, filter, { limit, offset: 0 });
  const { total = 0, tier = Number.POSITIVE_INFINITY } = rows[0] ?? {};
  const cards = rows.map(({ total: _total, tier: _tier, ...one }) => one);
  return { cards, total, areNamed: tier < plan.colours.tier };
}

/** Counts the matches of searches beside the filters, each once. Reads every match. */
export const countFound = (
  db: Db,
  plans: SearchPlan[],
  filter: ListFilter,
  scope: SearchScope = "shop",
): Promise<Facets> => countIn(db, matchingAny(plans, scope), filter);

/** Counts products beside the filters, by their rows. */
export const countRows = (db: Db, rows: number[], filter: ListFilter): Promise<Facets> =>
  countIn(db, sql`(SELECT value AS "row" FROM json_each(${JSON.stringify(rows)})) AS found`, filter);

/** Counts the products of a table `found` beside the filters. */
async function countIn(db: Db, found: SQL, filter: ListFilter): Promise<Facets> {
  const count = (name: string, ...conditions: (SQL | undefined)[]) =>
    sql<number>`count(*) FILTER (WHERE ${and(sql`true`, ...conditions)})`.as(name);
  const category = filter.category ? eq(products.category, filter.category) : undefined;
  const range = conditions({ ...filter, category: null, inStock: false });
  const stock = filter.inStock ? eq(IS_AVAILABLE, 1) : undefined;
  const counts = [
    count("total", category, range, stock),
    count("inStock", category, range, eq(IS_AVAILABLE, 1)),
    count("anyStock", category, range),
    count("unfiltered"),
    ...PRICE_RANGES.map(({ min, max }, at) =>
      count(`price${at}`, category, between(products.priceCents, min ?? 0, max ?? MAX_CENTS), stock),
    ),
    ...CATEGORIES.map((name) => count(name, eq(products.category, name), range, stock)),
  ];
  const rows = await db
    .select(Object.fromEntries(counts.map((column) => [column.fieldAlias, column])))
    .from(found)
    .crossJoin(products)
    .where(onMatch);
  const row = (rows[0] ?? {}) as Record<string, number>;
  const { total = 0, inStock = 0, anyStock = 0, unfiltered = 0 } = row;
  const prices = PRICE_RANGES.map((_, at) => row[`price${at}`] ?? 0);
  const categories = CATEGORIES.map((name) => ({ category: name, products: row[name] ?? 0 }));
  return { total, inStock, anyStock, prices, unfiltered, categories };
}

/** Finds the shades that stand for a colour of a search. @returns none where a match has the colour by its own name */
export async function findShades(
  db: Db,
  { own, shades }: ColourMatches,
  filter: ListFilter,
): Promise<string[]> {
  const matches = (match: SQL) => sql`EXISTS (
    SELECT 1 FROM (SELECT rowid AS "row" FROM product_search WHERE product_search MATCH ${match}) AS found
    CROSS JOIN ${products} WHERE ${and(onMatch, conditions(filter, IS_AVAILABLE))})`;
  const rows = await db.all<{ shade: string }>(sql`SELECT named.value ->> 'shade' AS shade
    FROM json_each(${JSON.stringify(shades)}) AS named
    WHERE NOT ${matches(sql`${own}`)} AND ${matches(sql`(named.value ->> 'match')`)} ORDER BY named.key`);
  return rows.map(({ shade }) => shade);
}

/** Matches of a word of the catalogue, by itself and by what it means, up to a limit. */
const MAX_COUNTED = 1000;

/** Counts what searches for words of the catalogue find. @returns those that a product has in its name or category */
export async function countSearches(db: Db, words: string[]): Promise<{ word: string; products: number }[]> {
  const named = words.map((word) => ({ word, forms: numberForms(word), match: ownExpression(word) }));
  const meanings = sql`SELECT s.meaning FROM json_each(named.value, '$.forms') AS form
      CROSS JOIN search_synonyms AS s ON s.word = form.value
    UNION SELECT s.word FROM json_each(named.value, '$.forms') AS form
      CROSS JOIN search_synonyms AS s ON s.meaning = form.value AND s.both_ways`;
  // Forms that are no words match nothing.
  const inBothNumbers = sql`SELECT '"' || meaning || '" OR "' || meaning || 's" OR "' || meaning || 'es" OR "'
    || rtrim(meaning, 's') || '"' AS phrases FROM (${meanings})`;
  const expression = sql`named.value ->> 'match' || coalesce(
    (SELECT ' OR {name category} : (' || group_concat(phrases, ' OR ') || ')' FROM (${inBothNumbers})), '')`;
  return db.all<{
    word: string;
    products: number;
  }>(sql`SELECT named.value ->> 'word' AS word, (SELECT count(*) FROM (
      SELECT 1 FROM product_search WHERE product_search MATCH ${expression} LIMIT ${MAX_COUNTED})) AS products
    FROM json_each(${JSON.stringify(named)}) AS named
    WHERE EXISTS (SELECT 1 FROM product_search
      WHERE product_search MATCH '{name category} : "' || (named.value ->> 'word') || '"')
    ORDER BY named.key`);
}

/** Columns of a search's cards, with those that a picture is picked by where it is for a colour. */
export const foundCard = (plan: SearchPlan) => (wantedColours(plan).length > 0 ? colouredCard : card);

/** Candidates of a suggestion per tier. */
const MAX_CANDIDATES = 40;

/** Card of a suggestion: its tier, and whether its name is the whole query. */
export type Candidate = FoundCard & { tier: number; isName: number };

/** Finds the newest cards of each tier of a search, at most 40 of each; a card may be in several. Scores would read every match. */
export function findCandidates(db: Db, plan: SearchPlan, filter: ListFilter): Promise<Candidate[]> {
  const arms = plan.suggested.map(
    (
      tier,
      rank,
    ) => sql`SELECT * FROM (SELECT rowid AS "row", ${sql.raw(String(rank))} AS tier FROM product_search
      WHERE product_search MATCH ${tier} ORDER BY rowid DESC LIMIT ${MAX_CANDIDATES})`,
  );
  return db
    .select({
      ...foundCard(plan),
      tier: sql<number>`found.tier`.as("tier"),
      isName: sql<number>`${products.nameKey} = ${plan.nameKey}`.as("isName"),
    })
    .from(sql`(${sql.join(arms, sql` UNION ALL `)}) AS found`)
    .crossJoin(products)
    .where(and(onMatch, conditions(filter))) as unknown as Promise<Candidate[]>;
}
