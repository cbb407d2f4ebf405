import { pathOf, shopTables, shopTriggers, type Trigger } from "./snapshot.queries.server";

/** Tables in which the migrations store rows. */
const FILLED_BY_MIGRATIONS = ["user_counts", "customer_counts", "search_synonyms", "sqlite_sequence"];

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

/** Lists tables with rows that no migration has stored. */
export async function filledTables(db: D1Database): Promise<string[]> {
  const names = (await shopTables(db))
    .map(({ name }) => name)
    .filter((name) => !FILLED_BY_MIGRATIONS.includes(name));
  const results = await db.batch<{ filled: number }>(
    names.map((name) => db.prepare(`SELECT EXISTS (SELECT 1 FROM "${name}") AS filled`)),
  );
  return names.filter((_, i) => results[i]?.results[0]?.filled === 1);
}

/**
 * Begins a restore: rows will be stored exactly as they were, so that only triggers that fill full-text tables stay.
 *
 * @throws Error recognised by hasRestoreBegun when another restore has begun
 */
export async function startRestore(
  db: D1Database,
  { archive, token, slices, now }: { archive: string; token: string; slices: number; now: number },
): Promise<void> {
  const [triggers, tables] = await Promise.all([shopTriggers(db), shopTables(db)]);
  // An archive of an older version is restored before the later migrations are applied.
  const filled = FILLED_BY_MIGRATIONS.filter((name) => tables.some((table) => table.name === name));
  const stored = JSON.stringify(triggers.map(({ name, sql, index }) => ({ name, sql, index })));
  await db.batch([
    db
      .prepare(
        "INSERT INTO restores (one, archive, token, next, slices, triggers, active_at) VALUES (1, ?, ?, 0, ?, ?, ?)",
      )
      .bind(archive, token, slices, stored, now),
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER "${name}"`)),
    ...triggers.flatMap(({ index }) => (index ? [db.prepare(index)] : [])),
    ...filled.map((name) => db.prepare(`DELETE FROM ${name}`)),
  ]);
}

/** Recognises a write that failed because a restore is under way. */
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

/**
 * Stores the rows of a slice and moves on to the next one, in one transaction.
 *
 * @param missingChats chats that were deleted while the backup was made
 * @throws Error for another slice or process than the expected one (a CHECK constraint)
 */
export async function storeSlice(
  db: D1Database,
  step: { token: string; slice: number; pages: TablePage[]; missingChats: string[]; now: number },
): Promise<void> {
  const { token, slice, pages, missingChats, now } = step;
  const tables = new Map((await shopTables(db)).map((table) => [table.name, table.columns]));
  const inserts = pages.flatMap(({ table, lines }) => {
    const columns = tables.get(table);
    if (!columns) throw new Error(`The shop has no table ${table}.`);
    const names = columns.map((name) => `"${name}"`).join(", ");
    const values = columns.map((_, i) => `value ->> '${pathOf(i)}'`).join(", ");
    const rows = `[${lines.trimEnd().replaceAll("\n", ",")}]`;
    const insert = db
      .prepare(`INSERT INTO "${table}" (${names}) SELECT ${values} FROM json_each(?)`)
      .bind(rows);
    // Inserts into the other tables have filled it.
    return table === "sqlite_sequence" ? [db.prepare("DELETE FROM sqlite_sequence"), insert] : [insert];
  });
  await db.batch([
    db
      .prepare(
        `INSERT INTO restores (one, archive, token, next, slices, triggers, active_at)
         SELECT 0, '', '', 0, 0, '', 0 WHERE NOT EXISTS (SELECT 1 FROM restores WHERE token = ? AND next = ?)`,
      )
      .bind(token, slice),
    ...inserts,
    db
      .prepare(
        `UPDATE restores SET next = next + 1, active_at = ?, missing_chats = (
           SELECT json_group_array(value) FROM (SELECT value FROM json_each(missing_chats) UNION ALL SELECT value FROM json_each(?)))`,
      )
      .bind(now, JSON.stringify(missingChats)),
  ]);
}

/** Ends a restore: recreates the triggers and removes the chats that are missing. */
export async function endRestore(db: D1Database): Promise<void> {
  const row = await db
    .prepare("SELECT triggers, missing_chats AS missing FROM restores")
    .first<{ triggers: string; missing: string }>();
  if (!row) return;
  const triggers = JSON.parse(row.triggers) as Trigger[];
  await db.batch([
    ...triggers.filter(({ index }) => index).map(({ name }) => db.prepare(`DROP TRIGGER "restore_${name}"`)),
    ...triggers.map(({ sql }) => db.prepare(sql)),
    db
      .prepare(
        `DELETE FROM chats WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT chat_id FROM chat_imports)`,
      )
      .bind(row.missing),
    db.prepare("DELETE FROM restores"),
  ]);
}
