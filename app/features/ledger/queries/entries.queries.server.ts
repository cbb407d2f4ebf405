import { type SQL, sql } from "drizzle-orm";
import { batched, type Db } from "~/db/client.server";
import { entryColumns } from "./list.queries.server";
import type { EntryTable } from "./tables.server";

/** What an entry says, by the names of the book's columns; `descriptionKey` goes with `description`. */
export type Content = Record<string, string | number>;

const name = sql.identifier;
const list = (parts: SQL[]) => sql.join(parts, sql`, `);

/** Columns and values that a content is written as. */
function written(book: EntryTable, content: Content): { column: SQL; value: SQL }[] {
  return Object.entries({ ...book.columns, descriptionKey: "description_key" }).flatMap(([as, column]) => {
    const value = content[as];
    return value === undefined ? [] : [{ column: sql`${name(column)}`, value: sql`${value}` }];
  });
}

function selectById(book: EntryTable, id: string): SQL {
  return sql`SELECT ${entryColumns(book)} FROM ${name(book.table)} WHERE id = ${id}`;
}

/** One entry, or undefined. */
export async function findEntry<Row>(db: Db, book: EntryTable, id: string): Promise<Row | undefined> {
  const rows = await db.all<Row>(selectById(book, id));
  return rows[0];
}

/**
 * Stores a new entry, unless its id is taken or belonged to one that was deleted.
 *
 * @returns the entry that has the id now, and whether it was stored just now; undefined for a deleted one
 */
export async function insertEntry<Row>(
  db: Db,
  book: EntryTable,
  id: string,
  content: Content,
  now: number,
): Promise<{ entry: Row | undefined; isNew: boolean }> {
  const parts = written(book, content);
  const [inserted = [], stored = []] = await batched(db, [
    sql`INSERT INTO ${name(book.table)} (id, version, updated_at, ${list(parts.map(({ column }) => column))})
      SELECT ${id}, 1, ${now}, ${list(parts.map(({ value }) => value))}
      WHERE NOT EXISTS (SELECT 1 FROM ${name(book.table)} WHERE id = ${id})
        AND NOT EXISTS (SELECT 1 FROM deleted_entries WHERE kind = ${book.kind} AND id = ${id})
      RETURNING id`,
    selectById(book, id),
  ]);
  return { entry: stored[0] as Row | undefined, isNew: inserted.length > 0 };
}

/** What an edit writes. */
export interface Edit {
  id: string;
  /** Only written over this version; null writes over any. */
  version: number | null;
  content: Content;
  /** Whether an entry that is of the edit's day already keeps its time of that day. */
  keepsTime: boolean;
}

/**
 * Writes an edit.
 *
 * @returns the entry as it stands now (undefined: there is none), and whether the edit was written
 */
export async function updateEntry<Row>(
  db: Db,
  book: EntryTable,
  { id, version, content, keepsTime }: Edit,
  now: number,
): Promise<{ entry: Row | undefined; isWritten: boolean }> {
  const { createdAt, ...rest } = content;
  const set = written(book, rest).map(({ column, value }) => sql`${column} = ${value}`);
  if (createdAt !== undefined) {
    const kept = sql`CASE WHEN day = ${content.day} THEN created_at ELSE ${createdAt} END`;
    set.push(sql`created_at = ${keepsTime ? kept : sql`${createdAt}`}`);
  }
  const only = version === null ? sql`` : sql`AND version = ${version}`;
  const [updated = [], stored = []] = await batched(db, [
    sql`UPDATE ${name(book.table)} SET ${list([...set, sql`version = version + 1`, sql`updated_at = ${now}`])}
      WHERE id = ${id} ${only} RETURNING id`,
    selectById(book, id),
  ]);
  return { entry: stored[0] as Row | undefined, isWritten: updated.length > 0 };
}

/** Every stored column but the row's number, for moving an entry whole. */
const wholeColumns = (book: EntryTable): string[] => [
  "id",
  "description_key",
  "version",
  "updated_at",
  ...Object.values(book.columns),
];

/**
 * Deletes an entry; it is kept aside for Undo.
 *
 * @returns the entry as it was; undefined when there was none
 */
export async function removeEntry<Row>(
  db: Db,
  book: EntryTable,
  id: string,
  now: number,
): Promise<Row | undefined> {
  const pairs = ["row", ...wholeColumns(book)].map((column) => sql`${column}, ${name(column)}`);
  const [, removed = []] = await batched(db, [
    sql`INSERT INTO deleted_entries (kind, id, content, deleted_at)
      SELECT ${book.kind}, id, json_object(${list(pairs)}), ${now} FROM ${name(book.table)} WHERE id = ${id}
      ON CONFLICT (kind, id) DO UPDATE SET content = excluded.content, deleted_at = excluded.deleted_at`,
    sql`DELETE FROM ${name(book.table)} WHERE id = ${id} RETURNING ${entryColumns(book)}`,
  ]);
  return removed[0] as Row | undefined;
}

/**
 * Puts a deleted entry back as it was, with its id and number.
 *
 * @returns the entry that has the id now; undefined when it is gone for good
 */
export async function restoreEntry<Row>(db: Db, book: EntryTable, id: string): Promise<Row | undefined> {
  const columns = ["row", ...wholeColumns(book)];
  const values = columns.map((column) => sql`content ->> ${column}`);
  const [, , stored = []] = await batched(db, [
    sql`INSERT INTO ${name(book.table)} (${list(columns.map((column) => sql`${name(column)}`))})
      SELECT ${list(values)} FROM deleted_entries
      WHERE kind = ${book.kind} AND id = ${id}
        AND NOT EXISTS (SELECT 1 FROM ${name(book.table)} WHERE id = ${id})`,
    sql`DELETE FROM deleted_entries WHERE kind = ${book.kind} AND id = ${id}`,
    selectById(book, id),
  ]);
  return stored[0] as Row | undefined;
}

/** Forgets what was deleted up to a time (epoch seconds). */
export async function purgeDeleted(db: Db, until: number): Promise<void> {
  await db.run(sql`DELETE FROM deleted_entries WHERE deleted_at <= ${until}`);
}
