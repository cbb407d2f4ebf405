import { sql } from "drizzle-orm";
import { INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import type { HashedCard } from "../views";

/** Files of an expense. */
export const MAX_FILES_OF_EXPENSE = 20;

const CARD = `json_patch(json_object('type', 'file', 'key', key, 'name', name, 'contentType', content_type, 'size', size),
  json_object('width', width, 'height', height))`;

/** Builds the expression for the cards of an expense's files, as a JSON array; null for none. @param id its column */
export const cardsOf = (id: string) =>
  `(SELECT nullif(json_group_array(json(card)), '[]') FROM (SELECT ${CARD} AS card
    FROM expense_files INDEXED BY expense_files_expense WHERE expense_id = ${id} AND removed_at IS NULL ORDER BY row))`;

const count = (expenseId: string) =>
  sql`(SELECT count(*) FROM expense_files WHERE expense_id = ${expenseId} AND removed_at IS NULL)`;

interface StoredFiles {
  isExpense: boolean;
  files: HashedCard[];
}

/** Reads the files of an expense that is not deleted. */
export async function findFiles(db: Db, expenseId: string): Promise<StoredFiles> {
  const rows = await db.all<{ hash: string | null; card: string }>(sql`SELECT hash, ${sql.raw(CARD)} AS card
    FROM expenses LEFT JOIN expense_files ON expense_id = expenses.id AND removed_at IS NULL
    WHERE expenses.id = ${expenseId} ORDER BY expense_files.row`);
  return {
    isExpense: rows.length > 0,
    files: rows.flatMap(({ hash, card }) => (hash === null ? [] : [{ ...JSON.parse(card), hash }])),
  };
}

/** Tests for a file of an expense that is not deleted. */
export async function isAttached(db: Db, key: string): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM expense_files
    WHERE key = ${key} AND removed_at IS NULL AND EXISTS (SELECT 1 FROM expenses WHERE id = expense_id)`);
  return rows.length > 0;
}

/** Attaches files to an expense, all or none; one that it had before is put back. @returns the files of the expense */
export async function insertFiles(
  db: Db,
  expenseId: string,
  files: HashedCard[],
  now: number,
): Promise<StoredFiles> {
  const field = (name: string) => sql`file.value ->> ${name}`;
  await runBatch(db, [
    sql`INSERT INTO expense_files (key, expense_id, hash, name, content_type, size, width, height, created_at)
      SELECT ${field("key")}, ${expenseId}, ${field("hash")}, ${field("name")}, ${field("contentType")}, ${field("size")},
        ${field("width")}, ${field("height")}, ${now}
      FROM json_each(${JSON.stringify(files)}) AS file
      WHERE EXISTS (SELECT 1 FROM expenses WHERE id = ${expenseId})
        AND ${count(expenseId)} + ${files.length} <= ${MAX_FILES_OF_EXPENSE}
      ON CONFLICT (expense_id, hash) DO UPDATE SET removed_at = NULL WHERE removed_at IS NOT NULL`,
    recordCount(db, expenseId, sql`${count(expenseId)} - changes()`),
  ]);
  return findFiles(db, expenseId);
}

/** Builds the statement that records how many files an expense has, after one that changed some. @param before number of them */
const recordCount = (db: Db, expenseId: string, before: ReturnType<typeof sql>) =>
  recorded(db, {
    object: "expense",
    action: "changed",
    id: expenseId,
    changes: { files: sql`json_array(${before}, ${count(expenseId)})` },
    rows: sql`WHERE ${INSERTED}`,
  });

/** Removes a file, or puts it back. @returns the expense and name of the file; undefined when there is none */
export async function setRemoved(
  db: Db,
  key: string,
  removedAt: number | null,
): Promise<{ expenseId: string; name: string } | undefined> {
  const [file] = await db.all<{ expenseId: string; name: string }>(sql`SELECT expense_id AS expenseId, name
    FROM expense_files WHERE key = ${key} AND EXISTS (SELECT 1 FROM expenses WHERE id = expense_id)`);
  if (!file) return undefined;
  const sign = removedAt === null ? sql`-` : sql`+`;
  await runBatch(db, [
    sql`UPDATE expense_files SET removed_at = ${removedAt}
      WHERE key = ${key} AND (removed_at IS NULL) <> (${removedAt} IS NULL)`,
    recordCount(db, file.expenseId, sql`${count(file.expenseId)} ${sign} changes()`),
  ]);
  return file;
}

/** Selects the stored keys that no file of an expense has. */
export async function unusedKeys(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db.all<{ key: string }>(sql`SELECT value AS key FROM json_each(${JSON.stringify(keys)})
    WHERE value NOT IN (SELECT key FROM expense_files WHERE key IN (SELECT value FROM json_each(${JSON.stringify(keys)})))`);
  return rows.map(({ key }) => key);
}

/** Expenses among whose suppliers a form suggests. */
const SUGGESTED_FROM = 150;

/** Lists the suppliers of the latest expenses, the latest first. */
export async function findSuppliers(db: Db): Promise<string[]> {
  const rows = await db.all<{
    supplier: string;
  }>(sql`SELECT supplier FROM expenses INDEXED BY expenses_supplied
    WHERE supplier <> '' ORDER BY created_at DESC LIMIT ${SUGGESTED_FROM}`);
  return [...new Set(rows.map(({ supplier }) => supplier))];
}
