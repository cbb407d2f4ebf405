import { type SQL, sql } from "drizzle-orm";
import { added, changedFact, difference, INSERTED, isLogged, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { type Difference, LEDGER_CHECKS } from "./check";
import { entryColumns, listedColumns, withJoined } from "./list.server";
import type { EntryTable } from "./tables.server";

/** Fields of an entry by the names of EntryTable.columns; a folded text is named as `foldedName` says. */
export type Content = Record<string, string | number>;

/** Names the folded text that accompanies a text. */
export const foldedName = (text: string) => `${text}Key`;

const identifier = sql.identifier;
const list = (parts: SQL[]) => sql.join(parts, sql`, `);

/** Pairs the fields with their columns. */
function assignments(table: EntryTable, content: Content): { column: SQL; value: SQL }[] {
  const folded = Object.entries(table.folded).map(([text, column]) => [foldedName(text), column] as const);
  return [...Object.entries(table.columns), ...folded].flatMap(([as, column]) => {
    const value = content[as];
    return value === undefined ? [] : [{ column: sql`${identifier(column)}`, value: sql`${value}` }];
  });
}

function selectById(table: EntryTable, id: string): SQL {
  return sql`SELECT ${listedColumns(table)} FROM ${identifier(table.name)} WHERE id = ${id}`;
}

/** Reads the row of a statement; undefined for none. */
const rowOf = <Row>(table: EntryTable, [stored]: unknown[]) =>
  stored === undefined ? undefined : withJoined<Row>(table, stored as Record<string, unknown>);

export async function findEntry<Row>(db: Db, table: EntryTable, id: string): Promise<Row | undefined> {
  return rowOf<Row>(table, await db.all(selectById(table, id)));
}

/** Finds the number of the document that a sale belongs to. */
export async function findDocumentNumber(db: Db, invoiceId: string): Promise<string | null> {
  const [row] = await db.all<{ number: string }>(sql`SELECT number FROM documents
    WHERE id = (SELECT document_id FROM invoices WHERE id = ${invoiceId})`);
  return row?.number ?? null;
}

/** Fields in the audit log with their values. */
const auditedFields = (table: EntryTable) =>
  Object.entries(table.columns).filter(([name]) => name !== "createdAt" && !table.facts.has(name));

/** Selects the audit log's fields of an entry that is new or goes. */
const auditedContent = (table: EntryTable, as: typeof added | typeof removed) =>
  Object.fromEntries(auditedFields(table).map(([name, column]) => [name, as(identifier(column))]));

/** Compares the audit log's fields with an edit. */
function auditedChanges(table: EntryTable, content: Content): Record<string, SQL> {
  const { createdAt: _, ...columns } = table.columns;
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => {
      const after = content[name];
      if (after === undefined) return [];
      const compare = table.facts.has(name) ? changedFact : difference;
      return [[name, compare(identifier(column), after)] as const];
    }),
  );
}

/**
 * Inserts an entry unless its id is in use or belongs to a deleted entry.
 *
 * @returns the entry with that id and whether this call inserted it; undefined for a deleted one
 */
export async function insertEntry<Row>(
  db: Db,
  table: EntryTable,
  id: string,
  content: Content,
  now: number,
): Promise<{ entry: Row | undefined; isNew: boolean }> {
  const parts = assignments(table, content);
  const [inserted = [], , stored = []] = await runBatch(db, [
    sql`INSERT INTO ${identifier(table.name)} (id, version, updated_at, ${list(parts.map(({ column }) => column))})
      SELECT ${id}, 1, ${now}, ${list(parts.map(({ value }) => value))}
      WHERE NOT EXISTS (SELECT 1 FROM ${identifier(table.name)} WHERE id = ${id})
        AND NOT ${isLogged(table.kind, id, "deleted")}
      RETURNING id`,
    recorded(db, {
      object: table.kind,
      action: "created",
      id,
      changes: auditedContent(table, added),
      rows: sql`FROM ${identifier(table.name)} WHERE id = ${id} AND ${INSERTED}`,
    }),
    selectById(table, id),
  ]);
  return { entry: rowOf<Row>(table, stored), isNew: inserted.length > 0 };
}

export interface Edit {
  id: string;
  /** Version to replace; null replaces any. */
  version: number | null;
  content: Content;
  /** Keeps the time of an entry that already has the edit's day. */
  keepsTime: boolean;
}

/** Requires that the tax fits into the amount after an edit, which may send only one of them. */
function taxFits({ columns }: EntryTable, { taxCents, amountCents }: Content): SQL {
  if (columns.taxCents === undefined || (taxCents === undefined && amountCents === undefined)) return sql``;
  const [tax, amount] = [taxCents ?? identifier("tax_cents"), amountCents ?? identifier("amount_cents")];
  return sql`AND (${tax} = 0 OR ${tax} <= ${amount})`;
}

/** Updates an entry. @returns the stored entry (undefined when there is none) and whether the edit was written */
export async function updateEntry<Row>(
  db: Db,
  table: EntryTable,
  { id, version, content, keepsTime }: Edit,
  now: number,
): Promise<{ entry: Row | undefined; isWritten: boolean }> {
  const { createdAt, ...rest } = content;
  const set = assignments(table, rest).map(({ column, value }) => sql`${column} = ${value}`);
  if (createdAt !== undefined) {
    const unchanged = sql`CASE WHEN day = ${content.day} THEN created_at ELSE ${createdAt} END`;
    set.push(sql`created_at = ${keepsTime ? unchanged : sql`${createdAt}`}`);
  }
  const isCurrent = version === null ? sql`` : sql`AND version = ${version}`;
  const where = sql`id = ${id} ${isCurrent} ${taxFits(table, content)}`;
  const [, updated = [], stored = []] = await runBatch(db, [
    recorded(db, {
      object: table.kind,
      action: "changed",
      id,
      changes: auditedChanges(table, content),
      rows: sql`FROM ${identifier(table.name)} WHERE ${where}`,
    }),
    sql`UPDATE ${identifier(table.name)} SET ${list([...set, sql`version = version + 1`, sql`updated_at = ${now}`])}
      WHERE ${where} RETURNING id`,
    selectById(table, id),
  ]);
  return { entry: rowOf<Row>(table, stored), isWritten: updated.length > 0 };
}

/** Lists every column except the row number. */
const allColumns = (table: EntryTable): string[] => [
  "id",
  ...Object.values(table.folded),
  "version",
  "updated_at",
  ...Object.values(table.columns),
];

/** Moves an entry to deleted_entries, for Undo. @returns the entry; undefined when there was none */
export async function removeEntry<Row>(
  db: Db,
  table: EntryTable,
  id: string,
  now: number,
): Promise<Row | undefined> {
  const pairs = ["row", ...allColumns(table)].map((column) => sql`${column}, ${identifier(column)}`);
  const [, , entries = []] = await runBatch(db, [
    recorded(db, {
      object: table.kind,
      action: "deleted",
      id,
      changes: auditedContent(table, removed),
      rows: sql`FROM ${identifier(table.name)} WHERE id = ${id}`,
    }),
    sql`INSERT INTO deleted_entries (kind, id, content, deleted_at)
      SELECT ${table.kind}, id, json_object(${list(pairs)}), ${now} FROM ${identifier(table.name)} WHERE id = ${id}
      ON CONFLICT (kind, id) DO UPDATE SET content = excluded.content, deleted_at = excluded.deleted_at`,
    sql`DELETE FROM ${identifier(table.name)} WHERE id = ${id} RETURNING ${entryColumns(table)}`,
  ]);
  return rowOf<Row>(table, entries);
}

/**
 * Restores a deleted entry with its id and row number. A column that was added since then takes its default.
 *
 * @returns the entry with that id; undefined when it was purged
 */
export async function restoreEntry<Row>(db: Db, table: EntryTable, id: string): Promise<Row | undefined> {
  const kept = await db.all<{
    key: string;
  }>(sql`SELECT field.key FROM deleted_entries, json_each(content) AS field
    WHERE kind = ${table.kind} AND deleted_entries.id = ${id}`);
  const columns = ["row", ...allColumns(table)].filter((column) => kept.some(({ key }) => key === column));
  if (columns.length === 0) return findEntry<Row>(db, table, id);
  const values = columns.map((column) => sql`content ->> ${column}`);
  const [, , , stored = []] = await runBatch(db, [
    sql`INSERT INTO ${identifier(table.name)} (${list(columns.map((column) => sql`${identifier(column)}`))})
      SELECT ${list(values)} FROM deleted_entries
      WHERE kind = ${table.kind} AND id = ${id}
        AND NOT EXISTS (SELECT 1 FROM ${identifier(table.name)} WHERE id = ${id})`,
    recorded(db, {
      object: table.kind,
      action: "restored",
      id,
      changes: auditedContent(table, added),
      rows: sql`FROM ${identifier(table.name)} WHERE id = ${id} AND ${INSERTED}`,
    }),
    sql`DELETE FROM deleted_entries WHERE kind = ${table.kind} AND id = ${id}`,
    selectById(table, id),
  ]);
  return rowOf<Row>(table, stored);
}

/** Deletes the entries, and the files of expenses, that were deleted until a time, for good. @param until epoch seconds */
export async function purgeDeleted(db: Db, until: number): Promise<void> {
  const expired = sql`deleted_entries WHERE deleted_at <= ${until}`;
  await runBatch(db, [
    recorded(db, {
      object: sql`deleted_entries.kind`,
      action: "purged",
      id: sql`deleted_entries.id`,
      changes: {},
      rows: sql`FROM ${expired}`,
    }),
    sql`DELETE FROM expense_files WHERE removed_at <= ${until}`,
    sql`DELETE FROM expense_files WHERE expense_id IN (SELECT id FROM ${expired} AND kind = 'expense')`,
    sql`DELETE FROM ${expired}`,
  ]);
}

/** Compares the ledger's sums with its rows; at most 100 differences of each table of sums. */
export async function findDifferences(db: Db): Promise<Difference[]> {
  const found = await Promise.all(LEDGER_CHECKS.map((check) => db.all<Difference>(sql.raw(check))));
  return found.flat();
}
