import { getTableColumns, is, SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server";
import { type AuthorKind, auditLog } from "./records.schema";

/** Author of a change. */
export interface Author {
  kind: AuthorKind;
  /** User who makes the change, imports the file or owns the API key; null for visitors and the system. */
  userId: string | null;
  /** Id of the import's run or of the API key; null for others. */
  sourceId: string | null;
}

/** Returns the author of a request's changes. @param keyId API key with which the user calls */
export function authorOf(
  user: { id: string; isAdmin: boolean; isManager: boolean; isSeller: boolean } | null,
  keyId: string | null = null,
): Author {
  if (!user) return { kind: "visitor", userId: null, sourceId: null };
  if (keyId) return { kind: "key", userId: user.id, sourceId: keyId };
  return {
    kind: user.isAdmin || user.isManager || user.isSeller ? "staff" : "customer",
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
  | "closing"
  | "customer"
  | "document"
  | "drawer"
  | "expense"
  | "hold"
  | "import"
  | "invitation"
  | "invoice"
  | "product"
  | "quote"
  | "receipt"
  | "response"
  | "searchWord"
  | "shopSettings"
  | "taxSettings"
  | "user"
  | "webhook";

/** Change of one object, or of all that `rows` selects. */
export interface RecordedChange {
  object: AuditedObject | SQL;
  /** Past tense, such as `created`. */
  action: string | SQL;
  id: SQLWrapper | string;
  /** JSON by field, from `difference`, `changedFact`, `added` or `removed`; null leaves a field out. Or JSON of all fields. */
  changes: Record<string, SQL> | SQL;
  /** `FROM … WHERE …` of the changed rows; without it one change is recorded. */
  rows?: SQL;
  /** Records the change even if no field differs; by default for every action but `changed`. */
  isAlways?: boolean;
}

/**
 * Builds the statement that records a change, for the batch that makes it. It stands before an update or deletion, whose
 * old values it reads, and after an insert.
 *
 * @param author of the change, by default the request's
 */
export function recorded(db: Db, change: RecordedChange, author: Author = db.author) {
  const { object, action, id, changes, rows = sql``, isAlways = action !== "changed" } = change;
  const content = is(changes, SQL) ? changes : fieldsObject(changes);
  return db
    .insert(auditLog)
    .select(sql`SELECT NULL, unixepoch(), ${author.kind}, ${author.userId}, ${author.sourceId}, recorded.action,
      recorded.object, recorded.id, recorded.changes
      FROM (SELECT ${action} AS action, ${object} AS object, ${id} AS id, ${content} AS changes ${rows}) AS recorded
      WHERE ${isAlways ? sql`true` : sql`recorded.changes <> '{}'`}`);
}

function fieldsObject(changes: Record<string, SQL>): SQL {
  const fields = Object.entries(changes).flatMap(([name, value]) => [sql`${name}`, value]);
  return sql`json_patch('{}', json_object(${sql.join(fields, sql`, `)}))`;
}

/** Condition that the statement before has inserted a row. */
export const INSERTED = sql.raw("changes() > 0");

/**
 * Condition that the log has an entry of an object, with `action` if given. The plus makes SQLite find it by its id: the
 * index of kinds would read all objects of the kind.
 */
export const isLogged = (object: AuditedObject, id: string, action?: string): SQL =>
  sql`EXISTS (SELECT 1 FROM audit_log WHERE object_id = ${id} AND +object = ${object}
    ${action === undefined ? sql`` : sql`AND action = ${action}`})`;

/** Value of a field before and after a change; null, which leaves the field out, when both are equal. */
export const difference = (before: SQLWrapper, after: unknown): SQL =>
  sql`CASE WHEN ${before} IS NOT ${after} THEN json_array(${before}, ${after}) END`;

/** Fact that a field changes (`true`), for values that the log must not hold: persons' data, texts, secrets. */
export const changedFact = (before: SQLWrapper, after: unknown): SQL =>
  sql`CASE WHEN ${before} IS NOT ${after} THEN json('true') END`;

/** Value of a new object's field. */
export const added = (after: unknown): SQL => sql`json_array(NULL, ${after})`;
/** Value of a deleted object's field. */
export const removed = (before: unknown): SQL => sql`json_array(${before}, NULL)`;

/** Fields of a table that are recorded: with their values, or only the fact that they changed. */
export type RecordedFields<T extends SQLiteTable> = {
  [K in keyof T["_"]["columns"]]?: "value" | "fact";
};

/** Returns the columns of the recorded fields. */
function columnsOf<T extends SQLiteTable>(table: T, fields: RecordedFields<T>) {
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
  return Object.entries(fields).flatMap(([name, kind]) => {
    const column = columns[name];
    return column ? [{ name, kind, column, isJson: column.dataType === "json" }] : [];
  });
}

/** Builds `changes` of an update: the fields in which `values` differ from the row. */
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
 * Builds `changes` of a new row (`added`) or of one that is deleted (`removed`): the fields recorded with their values.
 *
 * @param values expressions by field, for a row that is not stored yet; by default the table's columns
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
