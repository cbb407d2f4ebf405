import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Author, added, contents, difference, differences, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { changedForm, SEARCHED_TEXTS } from "~/db/columns";
import { importRuns, productChanges, productKeys, products, units } from "~/db/schema";
import { HELD, stockChange } from "~/db/stock";
import { LOW_STOCK, MAX_STOCK, SHOP_LOW_STOCK } from "~/domain/stock-levels";
import { PRODUCT } from "~/features/catalogue/product";
import { SHUFFLE_RANGE } from "~/features/catalogue/queries.server";
import { choicesDifference } from "~/features/catalogue/units.queries.server";
import {
  CONTENT,
  jsonObject,
  KEPT_COLUMNS,
  KEPT_FIELDS,
  LAST_MOVEMENT,
  ownValue,
  type ProductColumn,
  stored,
} from "./changes.server";
import { CHANGED_UNITS, CHANGES, CHOICES_RETURNED, CHOICES_RETURNING, returnChoices } from "./choices.server";
import { KEPT_BY, SOLD } from "./created.server";

/** Value of a column before and after the change `c`; null where the run wrote none. */
const was = (column: string) => sql.raw(`c.before ->> '${column}'`);
const wrote = (column: string) => sql.raw(`c.after ->> '${column}'`);

/** Pieces that the run added, and those that came and went since its change, other than by sales and returns. */
const ADDED = sql`(${wrote("stock")} - ${was("stock")})`;
const MOVED = sql`coalesce((SELECT sum(m.quantity) FROM stock_movements AS m
  WHERE m.product_id = products.id AND m."row" > c.movement AND m.reason NOT IN ('sale', 'return')), 0)`;
const STOCK_BEFORE = sql`(products.stock - ${ADDED})`;

/** Pieces that were sold since go on counting: the undo takes what the run added, unless somebody else has moved the stock. */
const STOCK_RETURNS = sql`(${ADDED} IS NOT NULL AND ${MOVED} = ${ADDED}
  AND (${ADDED} < 0 OR ${STOCK_BEFORE} >= ${HELD}) AND ${STOCK_BEFORE} <= ${sql.raw(String(MAX_STOCK))})`;
const STOCK_STAYS = sql`(${ADDED} IS NOT NULL AND NOT (products.options = '[]' AND ${STOCK_RETURNS})
  AND (${MOVED} = ${ADDED} OR products.stock IS NOT ${was("stock")}))`;

const OF_PRODUCT = sql`(products.options = '[]' AND products.base_cents IS NULL)`;
/** Condition that the colors go back: the product has them itself, or they are those of choices that go back. */
const COLORS_RETURN = sql`iif(c.before ->> 'stocks' IS NULL, ${OF_PRODUCT}, c.choices_return)`;

/** Condition that a field goes back: it still has what the run wrote. */
const returns = (column: ProductColumn) =>
  column === "stock"
    ? sql`(${OF_PRODUCT} AND ${STOCK_RETURNS})`
    : sql`(${ownValue(column)} IS ${wrote(column)} AND ${column === "colors" ? COLORS_RETURN : sql`true`})`;

/** Condition that a field stays: somebody has changed it since, and not back. */
const stays = (column: ProductColumn) =>
  column === "stock"
    ? STOCK_STAYS
    : sql`(${wrote(column)} IS NOT NULL AND NOT ${returns(column)} AND ${ownValue(column)} IS NOT ${was(column)})`;

/** JSON of the fields that go back, by column, with the columns beside them. */
const returning = (read: (column: ProductColumn) => SQL) =>
  Object.fromEntries(
    KEPT_FIELDS.flatMap(({ column, beside }) =>
      [column, ...beside].map((each) => [each, sql`CASE WHEN ${returns(column)} THEN ${read(each)} END`]),
    ),
  );

/** Keys that the run wrote and the product still has. */
const KEYS_NOW = sql`(SELECT nullif(json_group_object(k.system, k.key), '{}') FROM json_each(c.after -> 'keys') AS written
  CROSS JOIN ${productKeys} AS k WHERE k.system = written.key AND k.key = written.value AND k.product_id = products.id)`;

/** Parts of the choices of a product, where they go back. */
const choicesReturning = (parts: Record<string, SQL>) => ({
  otherUnits: sql`iif(c.choices_return, 1, NULL)`,
  ...Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, sql`iif(c.choices_return, ${part}, NULL)`]),
  ),
});

const RETURNING = jsonObject({ ...returning(ownValue), ...choicesReturning(CHOICES_RETURNING) });
const RETURNED = jsonObject({
  ...returning((column) => (column === "stock" ? STOCK_BEFORE : sql`(${was(column)})`)),
  ...choicesReturning(CHOICES_RETURNED),
});
const STAYING = jsonObject({
  ...Object.fromEntries(
    KEPT_FIELDS.map(({ column }) => [column, sql`CASE WHEN ${stays(column)} THEN ${ownValue(column)} END`]),
  ),
  choices: sql.raw("iif(c.after ->> 'otherUnits' AND NOT c.choices_return AND NOT c.choices_same, 1, NULL)"),
});

/** Change, its product as it is now, and what an undo does with it. */
type Judged = Record<"outcome" | "before" | "after" | "stayed", SQL>;

const nothing = (outcome: string, stayed: string): Judged => ({
  outcome: sql.raw(`'${outcome}'`),
  before: sql`'{}'`,
  after: sql`'{}'`,
  stayed: sql.raw(`'${stayed}'`),
});

/** Cases of an undo; the first that applies counts. */
const CASES: [condition: SQL, judged: Judged][] = [
  [sql`c.after IS NULL AND products.id IS NOT NULL`, nothing("stayed", '{"there":1}')],
  [
    sql`c.after IS NULL`,
    { outcome: sql`'created'`, before: sql`NULL`, after: sql`c.before`, stayed: sql`NULL` },
  ],
  [sql`products.id IS NULL`, nothing("stayed", '{"deleted":1}')],
  [
    sql`c.before IS NULL AND c.kept_by <> '{}'`,
    {
      outcome: sql`'hidden'`,
      before: sql`json_object('isHidden', products.is_hidden)`,
      after: sql`'{"isHidden":1}'`,
      stayed: sql`c.kept_by`,
    },
  ],
  [sql`c.before IS NULL`, { outcome: sql`'removed'`, before: CONTENT, after: sql`NULL`, stayed: sql`NULL` }],
];

/** Writes one part of what an undo does, by case. @param otherwise for a change of a product that is there */
const byCase = (part: keyof Judged, otherwise: SQL) =>
  sql`CASE ${sql.join(
    CASES.map(([condition, judged]) => sql`WHEN ${condition} THEN ${judged[part]}`),
    sql` `,
  )} ELSE ${otherwise} END`;

const STAYED = byCase("stayed", sql`nullif(c.staying, '{}')`);
const OUTCOME = byCase(
  "outcome",
  sql`CASE WHEN c.choices_return OR ${sql.join(
    KEPT_FIELDS.map(({ column }) => returns(column)),
    sql` OR `,
  )} THEN iif(c.staying = '{}', 'updated', 'partial') WHEN c.staying = '{}' THEN 'unchanged' ELSE 'stayed' END`,
);
const BEFORE = byCase("before", sql`json_patch(${RETURNING}, json_object('keys', json(${KEYS_NOW})))`);
const AFTER = byCase("after", sql`json_patch(${RETURNED}, json_object('keys', json(c.before -> 'keys')))`);

const WITH_PRODUCTS = sql`LEFT JOIN products ON products.id = c.product_id`;

/**
 * Begins a statement that selects from `JUDGED`: computes once for each change what keeps its product, and what stays of it.
 *
 * @param rows `… JOIN products` and `WHERE …` of the changes `c`
 */
const judging = (rows: SQL) => sql`WITH judged AS MATERIALIZED (SELECT c.*,
    iif(c.before IS NULL AND products.id IS NOT NULL, ${KEPT_BY}, NULL) AS kept_by,
    iif(c.before IS NOT NULL AND c.after IS NOT NULL, ${STAYING}, NULL) AS staying FROM ${rows})`;
const JUDGED = sql`judged AS c ${WITH_PRODUCTS}`;

/** Changes of a run, each with the product as it is now. */
const changesOf = (run: string, where: SQL = sql`true`) =>
  sql`${CHANGES} ${WITH_PRODUCTS} WHERE c.run_id = ${run} AND ${where}`;

/** Row of a run's changes, or of what an undo would do with them. */
export interface ChangeRow {
  row: number;
  productId: string;
  outcome: (typeof productChanges.$inferSelect)["outcome"];
  /** JSON by column. */
  before: string | null;
  after: string | null;
  stayed: string | null;
  /** Name of the product now; null for one that is gone. */
  name: string | null;
  movement: number;
  /** Epoch seconds of the run's change. */
  createdAt: number;
}

/** Finds the rows of changes by what an undo would do with them, by outcome in the given order. */
export async function findJudged(
  db: Db,
  run: string,
  outcomes: readonly string[],
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  const rank = sql`(SELECT key FROM json_each(${JSON.stringify(outcomes)}) WHERE value = ranked.outcome)`;
  const rows = await db.all<{ row: number }>(
    sql`${judging(changesOf(run))} SELECT row FROM (SELECT c.row, ${OUTCOME} AS outcome FROM ${JUDGED}) AS ranked
      WHERE ${rank} IS NOT NULL ORDER BY ${rank}, row LIMIT ${limit} OFFSET ${offset}`,
  );
  return rows.map(({ row }) => row);
}

/** Change, with the pieces that were sold since, without those that came back. */
export type JudgedChange = ChangeRow & { sold: number };

/** Reads what an undo would do with changes of a run, in the order of their rows. */
export function judgeChanges(db: Db, rows: number[]): Promise<JudgedChange[]> {
  const sought = sql`json_each(${JSON.stringify(rows)}) AS sought CROSS JOIN ${CHANGES} ${WITH_PRODUCTS}
    WHERE c.row = sought.value ORDER BY sought.key`;
  return db.all<JudgedChange>(
    sql`${judging(sought)} SELECT c.row, c.product_id AS productId, ${OUTCOME} AS outcome, ${BEFORE} AS before, ${AFTER} AS after,
      ${STAYED} AS stayed, products.name AS name, c.movement, c.created_at AS createdAt,
      iif(products.id IS NULL, 0, -${SOLD}) AS sold FROM ${JUDGED}`,
  );
}

/**
 * Finds changes that a run made, by outcome in the given order, then in the order of the run; `movement` is the last one
 * before the run, of an undo the one before the run that it took back.
 */
export function findChanges(
  db: Db,
  run: string,
  outcomes: readonly string[],
  window: { limit: number; offset: number },
): Promise<ChangeRow[]> {
  const parts = outcomes.map(
    (outcome) => sql`SELECT * FROM (SELECT * FROM product_changes INDEXED BY product_changes_outcome
      WHERE run_id = ${run} AND outcome = ${outcome} ORDER BY "row" LIMIT ${window.offset + window.limit})`,
  );
  return db.all<ChangeRow>(
    sql`SELECT c.row, c.product_id AS productId, c.outcome, c.before, c.after, c.stayed,
      (SELECT name FROM products WHERE id = c.product_id) AS name, coalesce(undone.movement, c.movement) AS movement,
      c.created_at AS createdAt
      FROM (SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) LIMIT ${window.limit} OFFSET ${window.offset}) AS c
      LEFT JOIN ${productChanges} AS undone ON undone.product_id = c.product_id
        AND undone.run_id = (SELECT undoes FROM import_runs WHERE id = ${run})`,
  );
}

/** Counts a run's changes by what an undo would do with them. */
export function countJudged(db: Db, run: string): Promise<{ outcome: string; products: number }[]> {
  return db.all(
    sql`${judging(changesOf(run))} SELECT outcome, count(*) AS products
      FROM (SELECT ${OUTCOME} AS outcome FROM ${JUDGED}) GROUP BY outcome`,
  );
}

/** Changes per transaction of an undo, whose statements read them where they are stored. */
const SLICE = 500;

/** Finds the last row of each slice of a run's changes, after a row. */
export async function findSlices(db: Db, run: string, after: number): Promise<number[]> {
  const rows = await db.all<{ row: number }>(
    sql`SELECT max("row") AS row FROM (SELECT c.row, (row_number() OVER (ORDER BY c.row) - 1) / ${sql.raw(String(SLICE))} AS slice
      FROM ${productChanges} AS c WHERE c.run_id = ${run} AND c.row > ${after}) GROUP BY slice ORDER BY slice`,
  );
  return rows.map(({ row }) => row);
}

/** Undo of a run, of the changes after a row up to another. */
export interface UndoSlice {
  undo: string;
  run: string;
  after: number;
  upTo: number;
  actor: string;
  author: Author;
}

/** Takes a slice of a run back, in one transaction; one that was taken back already changes nothing. @param now epoch seconds */
export async function undoSlice(db: Db, slice: UndoSlice, now: number): Promise<void> {
  const { undo, run, after, upTo, author } = slice;
  const isNext = sql`(SELECT position FROM import_runs WHERE id = ${undo}) = ${after}`;
  const range = sql`c.row > ${after} AND c.row <= ${upTo} AND ${isNext}`;
  // What the first statement has stored decides what the others write.
  const u = sql`(SELECT done.* FROM ${productChanges} AS c CROSS JOIN ${productChanges} AS done
    WHERE c.run_id = ${run} AND ${range} AND done.run_id = ${undo} AND done.product_id = c.product_id) AS u`;
  const change = stockChange({ reason: "import", actor: slice.actor });
  await runBatch(db, [
    db.insert(productChanges).select(
      sql`${judging(changesOf(run, range))}
        SELECT NULL, ${undo}, c.product_id, ${OUTCOME}, ${BEFORE}, ${AFTER}, ${STAYED}, ${LAST_MOVEMENT}, unixepoch()
        FROM ${JUDGED} ORDER BY c.row`,
    ),
    ...putBack(db, u, change, now, author),
    ...removeCreated(db, u, change, author),
    ...createRemoved(db, u, change, now, author),
    ...returnKeys(db, u),
    db
      .update(importRuns)
      .set({ position: upTo })
      .where(sql`${importRuns.id} = ${undo} AND ${importRuns.position} = ${after}`),
  ]);
}

/** Value that an undo writes to a column; null where it writes none. */
const written = (column: ProductColumn) => sql.raw(`u.after ->> '${column}'`);
const FORMS = SEARCHED_TEXTS.products.texts;

/** Price of a product, which follows from its own and those of its units where they have any. */
const PRICE = sql`iif(products.base_cents IS NULL, coalesce(${written("priceCents")}, products.price_cents), products.price_cents)`;
/** Values of the products that an undo changes, by column. */
const PUT_BACK = Object.fromEntries(
  KEPT_FIELDS.flatMap(({ column, beside }) => [
    [column, column === "priceCents" ? PRICE : sql`coalesce(${written(column)}, ${stored(column)})`],
    ...beside.map((each) => {
      const value = products[each].name in FORMS ? changedForm(products[each], written(each)) : written(each);
      return [each, sql`iif(${written(column)} IS NULL, ${stored(each)}, ${value})`];
    }),
  ]),
) as Record<ProductColumn, SQL>;

const OPTIONS = sql`coalesce(json_extract(u.after ->> 'choices', '$.options'), products.options)`;

function putBack(db: Db, u: SQL, change: SQL, now: number, author: Author) {
  const isChanged = sql`u.product_id = products.id AND u.outcome IN ('updated', 'partial', 'hidden')`;
  const changes = {
    ...differences(products, PRODUCT.audited, PUT_BACK),
    priceCents: difference(
      ownValue("priceCents"),
      sql`coalesce(${written("priceCents")}, ${ownValue("priceCents")})`,
    ),
    ...choicesDifference(OPTIONS, sql`iif(u.after ->> 'choices' IS NULL, NULL, ${CHANGED_UNITS})`),
  };
  const rows = sql`FROM ${u} CROSS JOIN products WHERE ${isChanged}`;
  return [
    recorded(db, { object: "product", action: "changed", id: products.id, changes, rows }, author),
    db
      .update(products)
      .set({ ...PUT_BACK, options: OPTIONS, stockChange: change, updatedAt: now })
      .from(u)
      .where(isChanged),
    ...returnChoices(u, isChanged, change, now),
  ];
}

function removeCreated(db: Db, u: SQL, change: SQL, author: Author) {
  const isRemoved = sql`products.id IN (SELECT u.product_id FROM ${u} WHERE u.outcome = 'removed')`;
  const changes = contents(products, PRODUCT.audited, removed);
  const rows = sql`FROM products WHERE ${isRemoved}`;
  return [
    recorded(db, { object: "product", action: "deleted", id: products.id, changes, rows }, author),
    db
      .update(units)
      .set({ stock: 0, stockChange: change })
      .where(
        sql`units.product_id IN (SELECT u.product_id FROM ${u} WHERE u.outcome = 'removed') AND units.stock <> 0`,
      ),
    db.delete(products).where(isRemoved),
  ];
}

function createRemoved(db: Db, u: SQL, change: SQL, now: number, author: Author) {
  const values: Record<string, SQL> = {
    ...Object.fromEntries(KEPT_COLUMNS.map((column) => [column, written(column)])),
    row: sql`NULL`,
    id: sql`u.product_id`,
    shuffle: sql`abs(random()) % ${sql.raw(String(SHUFFLE_RANGE))}`,
    updatedAt: sql`${now}`,
    held: sql`0`,
    // A run of the previous version kept none.
    lowStock: sql`coalesce(${written("lowStock")}, ${SHOP_LOW_STOCK})`,
    options: sql`coalesce(${written("options")}, '[]')`,
    stock: sql`iif(coalesce(${written("options")}, '[]') = '[]', ${written("stock")}, 0)`,
    stockChange: change,
  };
  const changes = contents(products, PRODUCT.audited, added);
  return [
    db.insert(products).select(
      sql`SELECT ${sql.join(
        Object.keys(getTableColumns(products)).map((name) => values[name] ?? sql`NULL`),
        sql`, `,
      )} FROM ${u} WHERE u.outcome = 'created'`,
    ),
    createUnits(db, u, change, now),
    recorded(
      db,
      {
        object: "product",
        action: "created",
        id: products.id,
        changes,
        rows: sql`FROM ${u} CROSS JOIN products WHERE products.id = u.product_id AND u.outcome = 'created'`,
      },
      author,
    ),
  ];
}

/** Creates the units of removed products again; that of a product without options is there already. */
const createUnits = (db: Db, u: SQL, change: SQL, now: number) =>
  db
    .insert(units)
    .select(
      sql`SELECT v.value ->> 'id', u.product_id, v.value ->> 'position', v.value -> 'values', v.value ->> 'sku',
        v.value ->> 'barcode', v.value ->> 'priceCents', v.value ->> 'image', v.value ->> 'stock', 0, ${change}, ${now}, ${LOW_STOCK}, 0
      FROM ${u} CROSS JOIN json_each(u.after -> 'units') AS v WHERE u.outcome = 'created'`,
    )
    .onConflictDoUpdate({
      target: units.id,
      set: { sku: sql`excluded.sku`, barcode: sql`excluded.barcode` },
    });

function returnKeys(db: Db, u: SQL) {
  return [
    db.delete(productKeys).where(
      sql`(${productKeys.system}, ${productKeys.key}) IN (SELECT taken.key, taken.value
        FROM ${u} CROSS JOIN json_each(u.before -> 'keys') AS taken WHERE u.after IS NOT NULL)`,
    ),
    db
      .insert(productKeys)
      .select(
        sql`SELECT given.key, given.value, u.product_id FROM ${u} CROSS JOIN json_each(u.after -> 'keys') AS given
          WHERE EXISTS (SELECT 1 FROM products AS p WHERE p.id = u.product_id)`,
      )
      .onConflictDoNothing(),
  ];
}
