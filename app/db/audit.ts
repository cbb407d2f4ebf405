import { getTableColumns, is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server";
import { type AuthorKind, auditLog } from "./records.schema";

/** Author of a change. */
export interface Author {
  kind: AuthorKind;
  /** User, also of an import or key; null for visitors and the system. */
  userId: string | null;
  /** Run of the import, or API key. */
  sourceId: string | null;
}

/** Returns the author of a request's changes. @param keyId API key with which the user calls */
export function authorOf(
  user: { id: string; isAdmin: boolean; isManager: boolean } | null,
  keyId: string | null = null,
): Author {
  if (!user) return { kind: "visitor", userId: null, sourceId: null };
  if (keyId) return { kind: "key", userId: user.id, sourceId: keyId };
  return {
    kind: user.isAdmin || user.isManager ? "staff" : "customer",
    userId: user.id,
    sourceId: null,
  };
}

/** Objects whose changes are recorded. */
export type AuditedObject =
  | "apiKey"
  | "auditLog"
  | "chat"
  | "chatSettings"
  | "customer"
  | "document"
  | "expense"
  | "hold"
  | "import"
  | "invoice"
  | "product"
  | "quote"
  | "receipt"
  | "response"
  | "taxSettings"
  | "user"
  | "webhook";

/** Change of one object, or of all that `rows` selects. */
export interface RecordedChange {
  object: AuditedObject | SQL;
  /** Past tense, such as `created`. */
  action: string | SQL;
  id: SQLWrapper | string;
  /** JSON by field, as `difference` and its like make it; null leaves a field out. */
  changes: Record<string, SQL>;
  /** `FROM … WHERE …` of the rows; without it one change is recorded. */
  rows?: SQL;
  /** Records a change without any field, as of a password alone. */
  isAlways?: boolean;
}

/**
 * Builds the statement that records a change, for the batch of the change. Before an update or deletion it reads the
 * values from the row that is about to change; after an insert, from the row that is new.
 *
 * @param author of the change, by default of the request
 */
export function recorded(db: Db, change: RecordedChange, author: Author = db.author) {
  const { object, action, id, changes, rows = sql``, isAlways = action !== "changed" } = change;
  const fields = Object.entries(changes).flatMap(([name, value]) => [sql`${name}`, value]);
  const content = sql`json_patch('{}', json_object(${sql.join(fields, sql`, `)}))`;
  return db
    .insert(auditLog)
    .select(sql`SELECT NULL, unixepoch(), ${author.kind}, ${author.userId}, ${author.sourceId}, recorded.action,
      recorded.object, recorded.id, recorded.changes
      FROM (SELECT ${action} AS action, ${object} AS object, ${id} AS id, ${content} AS changes ${rows}) AS recorded
      WHERE ${isAlways ? sql`true` : sql`recorded.changes <> '{}'`}`);
}

/** Condition of a row that the statement before has inserted. */
export const INSERTED = sql.raw("changes() > 0");

/** Condition that the log has an object, or an action of it. The plus keeps SQLite from reading all objects of the kind. */
export const isLogged = (object: AuditedObject, id: string, action?: string): SQL =>
  sql`EXISTS (SELECT 1 FROM audit_log WHERE object_id = ${id} AND +object = ${object}
    ${action === undefined ? sql`` : sql`AND action = ${action}`})`;

/** Field before and after; left out when it stays. */
export const difference = (before: SQLWrapper, after: unknown): SQL =>
  sql`CASE WHEN ${before} IS NOT ${after} THEN json_array(${before}, ${after}) END`;

/** Fact that a field changes, for what the log must not hold: persons' data, texts, secrets. */
export const changedFact = (before: SQLWrapper, after: unknown): SQL =>
  sql`CASE WHEN ${before} IS NOT ${after} THEN json('true') END`;

/** Field of a new object, and of a deleted one. */
export const added = (after: unknown): SQL => sql`json_array(NULL, ${after})`;
export const removed = (before: unknown): SQL => sql`json_array(${before}, NULL)`;

/** Fields of a table that are recorded with their values, or as the fact that they changed. */
export type RecordedFields<T extends SQLiteTable> = {
  [K in keyof T["_"]["columns"]]?: "value" | "fact";
};

/** Columns of the fields, with the expression of their values. */
function columnsOf<T extends SQLiteTable>(table: T, fields: RecordedFields<T>) {
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
  return Object.entries(fields).flatMap(([name, kind]) => {
    const column = columns[name];
    return column ? [{ name, kind, column, isJson: column.dataType === "json" }] : [];
  });
}

/** Fields in which an update with `values` changes a row. */
export function differences<T extends SQLiteTable>(
  table: T,
  fields: RecordedFields<T>,
  values: Record<string, unknown>,
): Record<string, SQL> {
  const changed = columnsOf(table, fields).flatMap(({ name, kind, column, isJson }) => {
    const value = values[name];
    if (value === undefined) return [];
    const after = is(value, SQL) ? value : sql`${sql.param(value, column)}`;
    const compare = kind === "fact" ? changedFact : difference;
    return [[name, isJson ? compare(sql`json(${column})`, sql`json(${after})`) : compare(column, after)]];
  });
  return Object.fromEntries(changed);
}

/**
 * Values of a new row (`added`) or of one that is deleted (`removed`), without facts.
 *
 * @param values by field, of a row that is not stored yet; by default those of the table's row
 */
export function contents<T extends SQLiteTable>(
  table: T,
  fields: RecordedFields<T>,
  as: typeof added | typeof removed,
  values: Record<string, SQL> = {},
): Record<string, SQL> {
  const recordedFields = columnsOf(table, fields).filter(({ kind }) => kind !== "fact");
  return Object.fromEntries(
    recordedFields.map(({ name, column, isJson }) => {
      const value = values[name] ?? column;
      return [name, as(isJson ? sql`json(${value})` : value)];
    }),
  );
}
