import { DAY_SECONDS } from "~/domain/durations";

/** Tables of this installation, which no backup contains, and those of D1 itself. */
const LEFT_OUT = new Set([
  "backup_rows",
  "backups",
  "restores",
  "nightly_runs",
  "incidents",
  "error_hours",
  "slow_routes",
  "sent_mails",
  "received_mails",
  "alerts",
  "d1_migrations",
]);
/** Numbers of the next rows of tables with AUTOINCREMENT, which SQLite keeps in a table of its own. */
const SEQUENCES: Table = { name: "sqlite_sequence", columns: ["name", "seq"], order: "rowid" };
/** D1's largest number of arguments of an SQL function is 32. */
const GROUP_SIZE = 30;
/** Limits of a page: rows and bytes, well under D1's limit of 2 MB for a value. */
const PAGE_ROWS = 2000;
export const PAGE_BYTES = 1_000_000;

/** Table of the shop. */
export interface Table {
  name: string;
  columns: string[];
  /** Order of the rows, which is the same in a restored shop. */
  order: string;
}

interface ColumnInfo {
  name: string;
  hidden: number;
  /** Position in the primary key, from 1; 0 for others. */
  pk: number;
}

/** Lists the names of the applied migrations. @throws Error for a database without any */
export async function appliedMigrations(db: D1Database): Promise<string[]> {
  const { results } = await db.prepare("SELECT name FROM d1_migrations ORDER BY id").all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** Lists the shop's tables, each after those that its foreign keys and its search index refer to. */
export async function shopTables(db: D1Database): Promise<Table[]> {
  const { results } = await db
    .prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
    .all<{ name: string; wr: number }>();
  const infos = results.filter(({ name }) => !LEFT_OUT.has(name) && !/^(?:sqlite_|_cf_)/.test(name));
  const ask = (pragma: string) =>
    db.batch(infos.map(({ name }) => db.prepare(`PRAGMA ${pragma}(${quoted(name)})`)));
  const [columns, references, triggers] = await Promise.all([
    ask("table_xinfo") as Promise<D1Result<ColumnInfo>[]>,
    ask("foreign_key_list") as Promise<D1Result<{ table: string }>[]>,
    shopTriggers(db),
  ]);
  const tables = infos.map(({ name, wr }, i) => {
    const names = (columns[i]?.results ?? [])
      .filter(({ hidden }) => hidden === 0)
      .map((column) => column.name);
    const indexes = triggers.filter(({ table }) => table === name).map(({ index }) => index ?? "");
    const read = [...indexes.join().matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].map(([, source = ""]) => source);
    const needs = [...(references[i]?.results ?? []).map(({ table }) => table), ...read];
    const order = wr === 1 ? primaryKey(columns[i]?.results ?? []) : "rowid";
    return { name, columns: names, order, needs };
  });
  return [...inOrder(tables), SEQUENCES];
}

const primaryKey = (columns: ColumnInfo[]) =>
  columns
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => quoted(name))
    .join(", ");

function inOrder(tables: (Table & { needs: string[] })[]): Table[] {
  const ordered: Table[] = [];
  const add = (table: Table & { needs: string[] }, above: string[]) => {
    if (above.includes(table.name) || ordered.some(({ name }) => name === table.name)) return;
    for (const other of tables) if (table.needs.includes(other.name)) add(other, [...above, table.name]);
    const { name, columns, order } = table;
    ordered.push({ name, columns, order });
  };
  for (const table of tables) add(table, []);
  return ordered;
}

/** Trigger of the shop. */
export interface Trigger {
  name: string;
  table: string;
  sql: string;
  /** Trigger that only writes full-text tables; null where this one writes none after an insert. */
  index: string | null;
}

/** Lists all triggers, with what a restore needs of them: full-text tables are the only ones that no row restores. */
export async function shopTriggers(db: D1Database): Promise<Trigger[]> {
  const [triggers, virtual] = await db.batch<{ name: string; tbl_name: string; sql: string }>([
    db.prepare(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE 'restore_%' ORDER BY rowid",
    ),
    db.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'"),
  ]);
  const names = (virtual?.results ?? []).map(({ name }) => name).join("|");
  const writesIndex = new RegExp(`^\\s*INSERT INTO (?:${names}) `, "i");
  return (triggers?.results ?? []).map(({ name, tbl_name, sql }) => {
    const [, head = "", body = ""] =
      /^CREATE TRIGGER\s+\S+\s+(AFTER INSERT ON .*?)\bBEGIN\b(.*)END\s*$/is.exec(sql) ?? [];
    const writes = body.split(";").filter((statement) => writesIndex.test(statement));
    const index =
      writes.length > 0 ? `CREATE TRIGGER restore_${name} ${head}BEGIN ${writes.join(";")}; END` : null;
    return { name, table: tbl_name, sql, index };
  });
}

/**
 * Copies all rows as they are now, in one transaction, so that a backup of a shop in use is consistent.
 *
 * @param id of the backup
 * @param staleBefore epoch seconds; a backup without activity since then has ended
 * @returns false while another backup is being made
 */
export async function takeSnapshot(
  db: D1Database,
  {
    id,
    kind,
    now,
    staleBefore,
  }: { id: string; kind: "nightly" | "manual"; now: number; staleBefore: number },
): Promise<boolean> {
  await db
    .prepare(
      "UPDATE backups SET state = 'failed', result = 'It broke off.' WHERE state = 'running' AND active_at < ?",
    )
    .bind(staleBefore)
    .run();
  const started = await db
    .prepare(
      `INSERT INTO backups (id, kind, state, started_at, active_at) SELECT ?, ?, 'running', ?3, ?3
       WHERE NOT EXISTS (SELECT 1 FROM backups WHERE state = 'running')`,
    )
    .bind(id, kind, now)
    .run();
  if (started.meta.changes === 0) return false;
  const copies = (await shopTables(db)).map(({ name, columns, order }) =>
    db.prepare(
      `INSERT INTO backup_rows (source, row) SELECT '${name}', ${rowAsJson(columns)} FROM ${quoted(name)} ORDER BY ${order}`,
    ),
  );
  await db.batch([db.prepare("DELETE FROM backup_rows"), ...copies]);
  return true;
}

/** Groups columns, because of D1's limit of arguments. */
function groups(columns: string[]): string[][] {
  return Array.from({ length: Math.ceil(columns.length / GROUP_SIZE) }, (_, i) =>
    columns.slice(i * GROUP_SIZE, (i + 1) * GROUP_SIZE),
  );
}

const rowAsJson = (columns: string[]) =>
  `json_array(${groups(columns)
    .map((group) => `json_array(${group.map(quoted).join(", ")})`)
    .join(", ")})`;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Rows of one table, one JSON text a line. */
export interface Page {
  source: string;
  rows: string[];
  /** Number of the last row. */
  last: number;
}

/** Reads the next rows of the copy, all of one table. @returns null at the end */
export async function readPage(db: D1Database, after: number): Promise<Page | null> {
  const { results } = await db
    .prepare(
      `SELECT number, source, row FROM (
         SELECT number, source, row, sum(octet_length(row)) OVER (ORDER BY number) - octet_length(row) AS before,
           first_value(source) OVER (ORDER BY number) AS first
         FROM (SELECT number, source, row FROM backup_rows WHERE number > ? ORDER BY number LIMIT ${PAGE_ROWS})
       ) WHERE before < ${PAGE_BYTES} AND source = first ORDER BY number`,
    )
    .bind(after)
    .all<{ number: number; source: string; row: string }>();
  const last = results.at(-1);
  return last ? { source: last.source, rows: results.map(({ row }) => row), last: last.number } : null;
}

/** Chat of the copy. */
export interface CopiedChat {
  number: number;
  id: string;
}

/** Lists the next chats of the copy. @param idColumn position of their id among the columns */
export async function readChats(
  db: D1Database,
  after: number,
  limit: number,
  idColumn: number,
): Promise<CopiedChat[]> {
  const { results } = await db
    .prepare(
      `SELECT number, row ->> '${pathOf(idColumn)}' AS id FROM backup_rows
       WHERE number > ? AND source = 'chats' ORDER BY number LIMIT ?`,
    )
    .bind(after, limit)
    .all<CopiedChat>();
  return results;
}

/** Returns the JSON path of a column's value in a row. */
export const pathOf = (column: number) => `$[${Math.floor(column / GROUP_SIZE)}][${column % GROUP_SIZE}]`;

/** Records that a backup is being made. @returns false for one that was given up */
export async function touchBackup(db: D1Database, id: string, bytes: number, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare("UPDATE backups SET active_at = ?, bytes = ? WHERE id = ? AND state = 'running'")
    .bind(now, bytes, id)
    .run();
  return meta.changes === 1;
}

/** Ends a backup and empties the copy. */
export async function endBackup(
  db: D1Database,
  {
    id,
    state,
    bytes,
    result,
    now,
  }: { id: string; state: "done" | "failed"; bytes: number; result: string; now: number },
): Promise<void> {
  await db.batch([
    db
      .prepare(
        "UPDATE backups SET state = ?, bytes = ?, result = ?, active_at = ?4, finished_at = ?4 WHERE id = ?5 AND state <> 'failed'",
      )
      .bind(state, bytes, result, now, id),
    // Those of a backup that has taken over stay.
    db.prepare("DELETE FROM backup_rows WHERE NOT EXISTS (SELECT 1 FROM backups WHERE state = 'running')"),
    db.prepare("DELETE FROM backups WHERE finished_at < ?").bind(now - 400 * DAY_SECONDS),
  ]);
}
