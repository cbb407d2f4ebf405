import { RESTORING } from "~/db/metered-d1.server";
import type { DamagedChat } from "./archive";
import { pathOf, shopTables, shopTriggers, type Trigger } from "./snapshot.queries.server";

/** Tables with rows of an empty shop, which a restore replaces: the migrations', and the keys of notifications. */
const FILLED_WHEN_EMPTY = [
  "push_keys",
  ...["user_counts", "customer_counts", "hold_quote_counts", "search_synonyms", "search_synonym_keys"],
  "sqlite_sequence",
];

/** Restore under way. */
export interface RestoreState {
  archive: string;
  token: string;
  next: number;
  slices: number;
  activeAt: number;
}

export async function findRestore(db: D1Database): Promise<RestoreState | null> {
  return db
    .prepare("SELECT archive, token, next, slices, active_at AS activeAt FROM restores")
    .first<RestoreState>();
}

async function emptyTables(db: D1Database): Promise<string[]> {
  const names = (await shopTables(db)).map(({ name }) => name);
  return names.filter((name) => !FILLED_WHEN_EMPTY.includes(name));
}

/** Lists tables with rows that an empty shop does not have. */
export async function filledTables(db: D1Database): Promise<string[]> {
  const names = await emptyTables(db);
  const results = await db.batch<{ filled: number }>(
    names.map((name) => db.prepare(`SELECT EXISTS (SELECT 1 FROM "${name}") AS filled`)),
  );
  return names.filter((_, i) => results[i]?.results[0]?.filled === 1);
}

/** Statement that breaks a CHECK constraint, so that its batch changes nothing. @param condition with `?` for values */
const abortIf = (condition: string) =>
  `INSERT INTO restores (one, archive, token, next, slices, triggers, active_at)
   SELECT 0, '', '', 0, 0, '', 0 WHERE ${condition}`;

/** Number of the next slice while the batch of a slice runs, which no other connection sees. */
const STORING = -1;

/**
 * Triggers that refuse every write but the restore's own, in any isolate and of any version of the Worker. They exist
 * during a restore alone, so that other writes pay nothing for them.
 */
const guards = (table: string) =>
  ["INSERT", "UPDATE", "DELETE"].map(
    (event) => `CREATE TRIGGER "restore_guard_${event.toLowerCase()}_${table}" BEFORE ${event} ON "${table}"
      WHEN (SELECT next FROM restores) <> ${STORING} BEGIN SELECT RAISE(ABORT, '${RESTORING}'); END`,
  );

/**
 * Begins a restore: rows will be stored exactly as they were, so that only triggers that fill full-text tables stay.
 *
 * @throws Error recognised by hasRestoreBegun when another restore has begun, or when a table has rows
 */
export async function startRestore(
  db: D1Database,
  { archive, token, slices, now }: { archive: string; token: string; slices: number; now: number },
): Promise<void> {
  const [triggers, tables, empty] = await Promise.all([shopTriggers(db), shopTables(db), emptyTables(db)]);
  // An archive of an older version is restored before the later migrations are applied.
  const filled = FILLED_WHEN_EMPTY.filter((name) => tables.some((table) => table.name === name));
  const guarded = tables.filter(({ name }) => !name.startsWith("sqlite_"));
  const stored = JSON.stringify(triggers.map(({ name, sql, index }) => ({ name, sql, index })));
  await db.batch([
    db
      .prepare(
        "INSERT INTO restores (one, archive, token, next, slices, triggers, active_at) VALUES (1, ?, ?, 0, ?, ?, ?)",
      )
      .bind(archive, token, slices, stored, now),
    // Again in this transaction: a row may have come since the shop was found empty.
    ...empty.map((name) => db.prepare(abortIf(`EXISTS (SELECT 1 FROM "${name}")`))),
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER "${name}"`)),
    ...triggers.flatMap(({ index }) => (index ? [db.prepare(index)] : [])),
    ...filled.map((name) => db.prepare(`DELETE FROM ${name}`)),
    ...guarded.flatMap(({ name }) => guards(name).map((guard) => db.prepare(guard))),
  ]);
}

/** Recognises the beginning of a restore that failed because another one is under way or a table has rows. */
export const hasRestoreBegun = (error: unknown): boolean =>
  error instanceof Error && /constraint failed: restores/.test(error.message);

/** Continues a restore in another process. @returns false when it was active since */
export async function takeOver(
  db: D1Database,
  token: string,
  staleBefore: number,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare("UPDATE restores SET token = ?, active_at = ? WHERE active_at < ?")
    .bind(token, now, staleBefore)
    .run();
  return meta.changes === 1;
}

/** Rows of one table, one JSON text a line. */
export interface TablePage {
  table: string;
  lines: string;
}

/** Chat of the archive without a complete room: deleted while the backup was made, or damaged. */
export type IncompleteChat = Pick<DamagedChat, "id"> & Partial<DamagedChat>;

/** Bytes of the rows that are bound as one value (D1 takes 2 MB); a larger row is bound alone. */
const MAX_BOUND_BYTES = 1_000_000;

/** Joins lines of JSON to arrays that can be bound. */
function boundArrays(lines: string): string[] {
  const groups: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines.trimEnd().split("\n")) {
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > MAX_BOUND_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(line);
    bytes += size;
  }
  return groups.map((group) => `[${group.join(",")}]`);
}

/**
 * Stores the rows of a slice, or of a part of it, in one transaction; the last part moves on to the next slice.
 *
 * @throws Error for another slice or process than the expected one (a CHECK constraint)
 */
export async function storeSlice(
  db: D1Database,
  step: {
    token: string;
    slice: number;
    isLastPart: boolean;
    pages: TablePage[];
    incomplete: IncompleteChat[];
    now: number;
  },
): Promise<void> {
  const { token, slice, isLastPart, pages, incomplete, now } = step;
  const tables = new Map((await shopTables(db)).map((table) => [table.name, table.columns]));
  const inserts = pages.flatMap(({ table, lines }) => {
    const columns = tables.get(table);
    if (!columns) throw new Error(`The shop has no table ${table}.`);
    const names = columns.map((name) => `"${name}"`).join(", ");
    const values = columns.map((_, i) => `value ->> '${pathOf(i)}'`).join(", ");
    const insert = db.prepare(`INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?)`);
    const bound = boundArrays(lines).map((rows) => insert.bind(rows));
    // Inserts into the other tables have filled it.
    return table === "sqlite_sequence" ? [db.prepare("DELETE FROM sqlite_sequence"), ...bound] : bound;
  });
  await db.batch([
    db
      .prepare(abortIf("NOT EXISTS (SELECT 1 FROM restores WHERE token = ? AND next = ?)"))
      .bind(token, slice),
    db.prepare(`UPDATE restores SET next = ${STORING}`),
    ...inserts,
    db
      .prepare(
        `UPDATE restores SET next = ?, active_at = ?, missing_chats = (SELECT json_group_array(json(value))
           FROM (SELECT value FROM json_each(missing_chats) UNION SELECT value FROM json_each(?)))`,
      )
      .bind(isLastPart ? slice + 1 : slice, now, JSON.stringify(incomplete)),
  ]);
}

/** Chats of an archive that are not restored whole. */
export interface UnrestoredChats {
  damaged: DamagedChat[];
  /** Ids of those that were listed and had no room, as when they were deleted while the backup was made. */
  missing: string[];
}

/**
 * Ends a restore: removes its own triggers, recreates the shop's, and removes the chats that had no room when the backup was
 * made.
 *
 * @param keepsMissing leaves these listed, for a comparison with the archive
 */
export async function endRestore(
  db: D1Database,
  { keepsMissing }: { keepsMissing: boolean },
): Promise<UnrestoredChats> {
  const row = await db
    .prepare("SELECT triggers, missing_chats AS missing FROM restores")
    .first<{ triggers: string; missing: string }>();
  if (!row) return { damaged: [], missing: [] };
  const triggers = JSON.parse(row.triggers) as Trigger[];
  const incomplete = JSON.parse(row.missing) as IncompleteChat[];
  const own = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'restore_%'")
    .all<{ name: string }>();
  const isMissing = `id IN (SELECT value ->> 'id' FROM json_each(?) WHERE value ->> 'error' IS NULL)
    AND id NOT IN (SELECT chat_id FROM chat_imports)`;
  const missing = await db
    .prepare(`SELECT id FROM chats WHERE ${isMissing} ORDER BY id`)
    .bind(row.missing)
    .all<{ id: string }>();
  await db.batch([
    ...own.results.map(({ name }) => db.prepare(`DROP TRIGGER "${name}"`)),
    ...triggers.map(({ sql }) => db.prepare(sql)),
    ...(keepsMissing ? [] : [db.prepare(`DELETE FROM chats WHERE ${isMissing}`).bind(row.missing)]),
    db.prepare("DELETE FROM restores"),
  ]);
  const damaged = incomplete.flatMap(({ id, error }) => (error === undefined ? [] : { id, error }));
  return { damaged, missing: missing.results.map(({ id }) => id) };
}
