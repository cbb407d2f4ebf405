/** Statements that D1 applies as one transaction, with their values. */
export type Batch = [sql: string, values: unknown[]][];

/** Values that the primary made by its clock or its random numbers in a transaction, which no replay makes again. */
export interface MadeValues {
  /** Order of the writes of one database. */
  changes: number;
  /** Epoch seconds. */
  now: number;
  /** Rows by table, each with its number first. */
  rows: Record<string, unknown[][]>;
}

/** Columns with such values, by table; those of a product are in the row of its movement. */
const MADE_COLUMNS = {
  stock_movements: ["id", "created_at"],
  audit_log: ["at"],
  documents: ["recorded_at"],
  webhook_deliveries: ["id", "created_at", "due_at"],
};
type MadeTable = keyof typeof MADE_COLUMNS;
const TABLES = Object.keys(MADE_COLUMNS) as MadeTable[];

/** The change of a stock stays beside it, with its movement's id. */
const STOCK_CHANGE = "(SELECT stock_change FROM products WHERE id = product_id)";
const madeColumns = (table: MadeTable) =>
  [...MADE_COLUMNS[table], ...(table === "stock_movements" ? ["product_id", STOCK_CHANGE] : [])].join(", ");
const madeRows = TABLES.map(
  (table, i) =>
    `'${table}', (SELECT json_group_array(json_array(rowid, ${madeColumns(table)})) FROM ${table} WHERE rowid > ?${i + 1})`,
);

/** Statement behind those of a transaction that reads what it made. Migrations make nothing, on tables that may be missing. */
export class MadeValuesReader {
  /** Last row of each table that was read. */
  #last = TABLES.map(() => 0);

  statement(batch: Batch): Batch[number] {
    const order = "SELECT total_changes() AS changes, unixepoch() AS now";
    return batch.some(([sql]) => isSchema(sql))
      ? [order, []]
      : [`${order}, json_object(${madeRows.join(", ")}) AS made`, [...this.#last]];
  }

  read({ changes, now, made }: Record<string, unknown>): MadeValues {
    const rows = JSON.parse(String(made ?? "{}")) as MadeValues["rows"];
    this.#last = this.#last.map((last, i) =>
      Math.max(last, ...(rows[TABLES[i] ?? ""] ?? []).map(([row]) => Number(row))),
    );
    return { changes: Number(changes), now: Number(now), rows };
  }

  /** Begins anew with an emptied database. */
  restart(): void {
    this.#last = TABLES.map(() => 0);
  }
}

const isSchema = (sql: string) =>
  /\b(?:create|drop|alter)\s+(?:table|trigger|index|virtual|view)\b/i.test(sql);

/** Removes the refusals of a trigger: the primary has accepted what is replayed, and the replay sets rows that are final. */
export const withoutRefusals = (sql: string): string =>
  sql.replaceAll(/\braise\s*\(\s*abort\s*,\s*'(?:[^']|'')*'\s*\)/gi, "NULL");

/** Builds the statements by which a replica gets the rows that a transaction left at the primary. */
export function replayed(batch: Batch, { now, rows }: MadeValues): Batch {
  const statements = batch.map(([sql, values]): Batch[number] => [
    isSchema(sql) ? withoutRefusals(sql) : sql.replaceAll(/\bunixepoch\(\)/gi, String(now)),
    values,
  ]);
  const made = TABLES.filter((table) => (rows[table] ?? []).length > 0);
  return [...statements, ...made.flatMap((table) => madeAgain(table, JSON.stringify(rows[table])))];
}

function madeAgain(table: MadeTable, rows: string): Batch {
  const columns = MADE_COLUMNS[table].map((name, i) => `${name} = value ->> ${i + 1}`);
  const update: Batch[number] = [
    `UPDATE ${table} SET ${columns.join(", ")} FROM json_each(?) WHERE ${table}.rowid = value ->> 0`,
    [rows],
  ];
  if (table !== "stock_movements") return [update];
  const change = `UPDATE products SET stock_change = value ->> 4 FROM json_each(?) WHERE products.id = value ->> 3`;
  return [update, [change, [rows]]];
}
