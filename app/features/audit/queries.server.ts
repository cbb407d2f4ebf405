import { type SQL, sql } from "drizzle-orm";
import { type AuditedObject, added, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { WEBHOOK_HOST } from "~/db/integrations.schema";
import {
  type ChainPosition,
  type ChainRow,
  LAST_NOTED,
  LATEST_TRIM,
  parseNoted,
  type SealedRow,
} from "./chain";
import { idsNamedBy } from "./search.queries.server";

/** Row of the audit log with what its ids name now; null for what is gone. */
export interface AuditRow {
  seq: number;
  /** Epoch seconds. */
  at: number;
  authorKind: string;
  authorId: string | null;
  sourceId: string | null;
  action: string;
  object: string;
  objectId: string;
  /** JSON. */
  changes: string;
  authorName: string | null;
  /** File of the import, or name of the API key. */
  sourceName: string | null;
  objectName: string | null;
  /** Last name of an object that is gone, where the shop keeps it: never of a person. */
  formerName: string | null;
  /** Name of the new assignee or customer of a chat, number of the credited sale, chat of a hold or quote. */
  linkedName: string | null;
  chatId: string | null;
}

export interface AuditFilter {
  /** Objects of these kinds; all without. */
  objects: readonly string[];
  /** User, also by an import or key. */
  authorId: string | null;
  authorKind: string | null;
  /** One object, or those that a search finds. */
  objectId: string | null;
  q: string;
  /** Epoch seconds, the end not included. */
  from: number | null;
  until: number | null;
}

/** Row that a window follows. */
export interface Cursor {
  at: number;
  seq: number;
}

export interface Window {
  limit: number;
  after: Cursor | null;
  dir: "older" | "newer";
}

/** Selects a window by one index, in its order. */
function selectFrom(index: string, conditions: SQL[], window: Window): SQL {
  const { limit, after, dir } = window;
  const [isBeyond, order] = dir === "older" ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const all = [
    sql`true`,
    ...conditions,
    ...(after ? [sql`(at, seq) ${isBeyond} (${after.at}, ${after.seq})`] : []),
  ];
  return sql`SELECT * FROM (SELECT * FROM audit_log INDEXED BY ${sql.identifier(index)} WHERE ${sql.join(all, sql` AND `)}
    ORDER BY at ${order}, seq ${order} LIMIT ${limit})`;
}

/**
 * Selects a window of the objects that a search finds: merges their changes in order, so that of each only the listed
 * ones and the next are read. Positions are texts that sort as (at, seq) does.
 */
function selectFound(q: string, conditions: SQL[], { limit, after, dir }: Window): SQL {
  const [isBeyond, order, none] =
    dir === "older" ? [sql`<`, sql`DESC`, sql`''`] : [sql`>`, sql`ASC`, sql`'~'`];
  const next = (id: SQL, beyond: SQL[]) => sql`coalesce((SELECT printf('%012d.%015d', at, seq)
    FROM audit_log INDEXED BY audit_log_object
    WHERE ${sql.join([sql`object_id = ${id}`, ...beyond, ...conditions], sql` AND `)}
    ORDER BY at ${order}, seq ${order} LIMIT 1), ${none})`;
  const first = after ? [sql`(at, seq) ${isBeyond} (${after.at}, ${after.seq})`] : [];
  const later = sql`(at, seq) ${isBeyond} (CAST(substr(merged.position, 1, 12) AS INTEGER), CAST(substr(merged.position, 14) AS INTEGER))`;
  return sql`SELECT audit_log.* FROM (
      WITH RECURSIVE merged(position, id) AS (
        SELECT ${next(sql`named.id`, first)}, named.id FROM (${idsNamedBy(q)}) AS named
        UNION ALL SELECT ${next(sql`merged.id`, [later])}, merged.id FROM merged WHERE merged.position <> ${none}
        ORDER BY 1 ${order} LIMIT ${limit})
      SELECT CAST(substr(position, 14) AS INTEGER) AS seq FROM merged WHERE position <> ${none}) AS latest
    CROSS JOIN audit_log ON audit_log.seq = latest.seq`;
}

/** Selects a window; each kind of object by its own range of the index, so that no more is read than is listed. */
function selectWindow(filter: AuditFilter, window: Window): SQL {
  const { objects, authorId, authorKind, objectId, q, from, until } = filter;
  const period = [
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(until === null ? [] : [sql`at < ${until}`]),
  ];
  const author = [
    ...(authorId ? [sql`author_id = ${authorId}`] : []),
    ...(authorKind ? [sql`author_kind = ${authorKind} AND author_kind <> 'staff'`] : []),
  ];
  const kinds = sql`object IN (SELECT value FROM json_each(${JSON.stringify(objects)}))`;
  const others = [...period, ...author, ...(objects.length > 0 ? [kinds] : [])];
  if (objectId) return selectFrom("audit_log_object", [sql`object_id = ${objectId}`, ...others], window);
  if (q) return selectFound(q, others, window);
  if (authorId) return selectFrom("audit_log_author_at", [...others, sql`author_id IS NOT NULL`], window);
  if (authorKind) return selectFrom("audit_log_kind_at", others, window);
  if (objects.length === 0) return selectFrom("audit_log_at", others, window);
  const parts = objects.map((object) =>
    selectFrom("audit_log_objects", [sql`object = ${object}`, ...period], window),
  );
  return unionOf(parts);
}

/** Selects in a UNION that D1 takes at most. */
const MAX_UNITED = 5;

/** Unites selects, in parts where they are more than D1 takes at once. */
function unionOf(parts: SQL[]): SQL {
  if (parts.length <= MAX_UNITED) return sql.join(parts, sql` UNION ALL `);
  const rest = unionOf(parts.slice(MAX_UNITED - 1));
  return unionOf([...parts.slice(0, MAX_UNITED - 1), sql`SELECT * FROM (${rest})`]);
}

/** Selects what an id names now. */
const name = (expression: string, table: string, id: SQL) =>
  sql`(SELECT ${sql.raw(expression)} FROM ${sql.identifier(table)} WHERE id = ${id})`;
const PERSON = "nullif(trim(first_name || ' ' || last_name), '')";

/** Selects the name in the last row of an object, which its deletion wrote: of a webhook its address. */
const lastName = (id: SQL) =>
  sql`(SELECT coalesce(log.changes ->> '$.name[1]', log.changes ->> '$.name[0]', log.changes ->> '$.address[0]')
    FROM audit_log AS log INDEXED BY audit_log_object WHERE log.object_id = ${id} ORDER BY log.at DESC, log.seq DESC LIMIT 1)`;

/** Selects the name of a key, also of one that is gone. */
const keyName = (id: SQL) => sql`coalesce(${name("name", "api_keys", id)}, ${lastName(id)})`;

const NAMES = sql`CASE page.object
  WHEN 'product' THEN ${name("name", "products", sql`page.object_id`)}
  WHEN 'document' THEN ${name("number", "documents", sql`page.object_id`)}
  WHEN 'customer' THEN ${name("name", "customers", sql`page.object_id`)}
  WHEN 'user' THEN ${name(PERSON, "users", sql`page.object_id`)}
  WHEN 'chat' THEN ${name("user_name", "chats", sql`page.object_id`)}
  WHEN 'invoice' THEN ${name("description", "invoices", sql`page.object_id`)}
  WHEN 'expense' THEN ${name("description", "expenses", sql`page.object_id`)}
  WHEN 'quote' THEN ${name("title", "quotes", sql`page.object_id`)}
  WHEN 'hold' THEN coalesce((SELECT c.name FROM holds AS h JOIN customers AS c ON c.id = h.customer_id WHERE h.id = page.object_id),
    (SELECT c.user_name FROM holds AS h JOIN chats AS c ON c.id = h.chat_id WHERE h.id = page.object_id))
  WHEN 'response' THEN ${name("trigger", "predefined_responses", sql`page.object_id`)}
  WHEN 'apiKey' THEN ${name("name", "api_keys", sql`page.object_id`)}
  WHEN 'webhook' THEN (SELECT ${WEBHOOK_HOST} FROM webhooks WHERE id = page.object_id)
  WHEN 'import' THEN ${name("file_name", "import_runs", sql`page.object_id`)} END`;

const AUTHOR_NAME = name(PERSON, "users", sql`page.author_id`);
const SOURCE_NAME = sql`CASE page.author_kind WHEN 'import' THEN ${name("file_name", "import_runs", sql`page.source_id`)}
  WHEN 'key' THEN ${keyName(sql`page.source_id`)} END`;

const LINKED = sql`CASE page.object
  WHEN 'chat' THEN coalesce(${name(PERSON, "users", sql`(page.changes ->> '$.assignee[1]')`)},
    ${name("name", "customers", sql`(page.changes ->> '$.customer[1]')`)})
  WHEN 'document' THEN ${name("number", "documents", sql`(page.changes ->> '$.original[1]')`)} END`;

/** Reads a window with names, newest first. */
export async function findAuditRows(db: Db, filter: AuditFilter, window: Window): Promise<AuditRow[]> {
  const order = window.dir === "older" ? sql`DESC` : sql`ASC`;
  const rows = await db.all<
    Omit<AuditRow, "formerName">
  >(sql`SELECT page.seq, page.at, page.author_kind AS authorKind, page.author_id AS authorId,
      page.source_id AS sourceId, page.action, page.object, page.object_id AS objectId, page.changes,
      ${AUTHOR_NAME} AS authorName, ${SOURCE_NAME} AS sourceName,
      ${NAMES} AS objectName, ${LINKED} AS linkedName, page.changes ->> '$.chat[1]' AS chatId
    FROM (SELECT * FROM (${selectWindow(filter, window)}) ORDER BY at ${order}, seq ${order} LIMIT ${window.limit}) AS page
    ORDER BY page.at ${order}, page.seq ${order}`);
  const former = await findFormerNames(
    db,
    rows.filter(({ objectName }) => objectName === null),
  );
  const named = rows.map((row) => ({ ...row, formerName: former.get(row.objectId) ?? null }));
  return window.dir === "older" ? named : named.toReversed();
}

/** Change of one object that is looked for: of a field, or its deletion. */
export interface SoughtChange {
  id: string;
  /** Column; null for the deletion. */
  field: string | null;
}

/** Author of the last change of an object. */
export type LastChange = SoughtChange & Pick<AuditRow, "at" | "authorKind" | "authorName" | "sourceName">;

/** Condition that an entry `log` changes more of a product's units than their stock. */
export const CHANGES_CHOICES = sql`(log.changes -> 'options' IS NOT NULL OR EXISTS (
  SELECT 1 FROM json_each(log.changes -> 'units') AS unit WHERE unit.type <> 'array'
    OR json_remove(unit.value -> 0, '$.stock') <> json_remove(unit.value -> 1, '$.stock')))`;

/**
 * Finds who made the last change of each object's field, or deleted it. Counted stock is no change of units.
 *
 * @param period epoch seconds, with both ends
 * @param sources runs whose changes don't count
 */
export function findLastChanges(
  db: Db,
  sought: SoughtChange[],
  period: { from: number; until: number },
  sources: string[],
): Promise<LastChange[]> {
  const isSought = sql`iif(sought.field IS NULL, log.action = 'deleted', log.action = 'changed'
    AND log.changes -> sought.field IS NOT NULL AND (sought.field <> 'units' OR ${CHANGES_CHOICES}))`;
  return db.all<LastChange>(
    sql`SELECT sought.id, sought.field, page.at, page.author_kind AS authorKind, ${AUTHOR_NAME} AS authorName, ${SOURCE_NAME} AS sourceName
      FROM (SELECT value ->> 'id' AS id, value ->> 'field' AS field FROM json_each(${JSON.stringify(sought)})) AS sought
      CROSS JOIN audit_log AS page ON page.seq = (SELECT log.seq FROM audit_log AS log INDEXED BY audit_log_object
        WHERE log.object_id = sought.id AND log.at BETWEEN ${period.from} AND ${period.until} AND ${isSought}
          AND log.seq > coalesce((SELECT max(own.seq) FROM audit_log AS own INDEXED BY audit_log_object
            WHERE own.object_id = sought.id AND own.at BETWEEN ${period.from} AND ${period.until} AND own.source_id = ${sources[0]}), 0)
          AND coalesce(log.source_id, '') NOT IN (SELECT value FROM json_each(${JSON.stringify(sources)}))
        ORDER BY log.at DESC, log.seq DESC LIMIT 1)`,
  );
}

/** Finds who changed an object of a kind last; undefined before anybody has. */
export async function findLatestChange(
  db: Db,
  object: AuditedObject,
): Promise<Pick<AuditRow, "at" | "authorKind" | "authorName" | "sourceName"> | undefined> {
  const [latest] = await db.all<LastChange>(
    sql`SELECT page.at, page.author_kind AS authorKind, ${AUTHOR_NAME} AS authorName, ${SOURCE_NAME} AS sourceName
      FROM (SELECT * FROM audit_log INDEXED BY audit_log_objects WHERE object = ${object}
        ORDER BY at DESC, seq DESC LIMIT 1) AS page`,
  );
  return latest;
}

/** Kinds of objects whose names stay in the log, and entries, which keep theirs as long as they can be restored. */
const NAMED_FOREVER = ["product", "apiKey", "webhook"];
const ENTRIES = ["invoice", "expense"];

/** Finds the last names of objects that are gone, by id. */
export async function findFormerNames(
  db: Db,
  gone: Pick<AuditRow, "object" | "objectId">[],
): Promise<Map<string, string>> {
  const idsOf = (kinds: string[]) =>
    JSON.stringify([
      ...new Set(gone.filter(({ object }) => kinds.includes(object)).map(({ objectId }) => objectId)),
    ]);
  const [logged, entries] = [idsOf(NAMED_FOREVER), idsOf(ENTRIES)];
  if (logged === NONE && entries === NONE) return new Map();
  const rows = await db.all<{ id: string; name: string | null }>(sql`
    SELECT gone.value AS id, ${lastName(sql`gone.value`)} AS name FROM json_each(${logged}) AS gone
    UNION ALL SELECT kept.id, nullif(kept.content ->> 'description', '') FROM json_each(${JSON.stringify(ENTRIES)}) AS kind
      CROSS JOIN json_each(${entries}) AS gone
      CROSS JOIN deleted_entries AS kept ON kept.kind = kind.value AND kept.id = gone.value`);
  return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
}

const NONE = "[]";

/** Reads the seals of a row and of the one before, and the names of the products that it names. */
export async function findRowDetails(db: Db, seq: number) {
  const [seals = [], products = []] = await runBatch(db, [
    sql`SELECT seq, hash FROM audit_seals WHERE seq IN (${seq}, ${seq - 1})`,
    sql`SELECT pieces.key AS id,
        coalesce(${name("name", "products", sql`pieces.key`)}, ${lastName(sql`pieces.key`)} || ' (deleted)') AS name
      FROM json_each((SELECT changes FROM audit_log WHERE seq = ${seq}), '$.pieces') AS pieces WHERE name IS NOT NULL`,
  ]);
  return {
    seals: new Map((seals as unknown as ChainPosition[]).map((seal) => [seal.seq, seal.hash])),
    products: new Map(
      (products as { id: string; name: string }[]).map((product) => [product.id, product.name]),
    ),
  };
}

/** Reads the last row and the last seal. */
export async function findChainState(db: Db): Promise<{ rows: number; sealed: ChainPosition | null }> {
  const [[last] = [], [seal] = []] = await runBatch(db, [
    sql`SELECT max(seq) AS seq FROM audit_log`,
    sql`SELECT seq, hash FROM audit_seals WHERE seq = (SELECT max(seq) FROM audit_seals)`,
  ]);
  return { rows: Number(last?.seq ?? 0), sealed: (seal as unknown as ChainPosition | undefined) ?? null };
}

const CHAIN_COLUMNS = sql`l.seq, l.at, l.author_kind AS authorKind, l.author_id AS authorId, l.source_id AS sourceId,
  l.action, l.object, l.object_id AS objectId, l.changes`;

/** Reads rows in the order of the chain, with their seals. @param after number of the row before */
export async function findChainRows(db: Db, after: number, limit: number): Promise<SealedRow[]> {
  const rows = await db.all<Record<string, ChainRow[number]> & { hash: string | null }>(
    sql`SELECT ${CHAIN_COLUMNS}, s.hash FROM audit_log AS l LEFT JOIN audit_seals AS s ON s.seq = l.seq
      WHERE l.seq > ${after} ORDER BY l.seq LIMIT ${limit}`,
  );
  return rows.map(({ hash, ...row }) => ({ row: Object.values(row) as ChainRow, hash }));
}

/** Finds the row that the log begins after; 0 for a log that was never shortened. */
export async function findAnchor(db: Db): Promise<ChainPosition> {
  const [row] = await db.all<ChainPosition>(sql.raw(LATEST_TRIM));
  return row ?? { seq: 0, hash: "" };
}

/** Finds what the last nightly run has noted, and the seal of that row now. */
export async function findNoted(db: Db): Promise<{ seal: ChainPosition; hash: string | undefined } | null> {
  const [row] = await db.all<{ noted: string }>(sql.raw(LAST_NOTED));
  const seal = row ? parseNoted(row.noted) : null;
  if (!seal) return null;
  const [now] = await db.all<{ hash: string }>(sql`SELECT hash FROM audit_seals WHERE seq = ${seal.seq}`);
  return { seal, hash: now?.hash };
}

/** Stores seals; those of another process that seals at the same time are the same. */
export async function insertSeals(db: Db, seals: ChainPosition[]): Promise<void> {
  await db.run(sql`INSERT INTO audit_seals (seq, hash) SELECT value ->> 'seq', value ->> 'hash'
    FROM json_each(${JSON.stringify(seals)}) WHERE true ON CONFLICT (seq) DO NOTHING`);
}

/**
 * Deletes the sealed rows from before an instant, in their order, and records up to which one and with which hash: a log
 * that was shortened otherwise does not begin where it says.
 */
export async function purgeRows(db: Db, before: number): Promise<void> {
  // Reads the rows to be deleted and the first one after them.
  const kept = sql`(SELECT seq FROM audit_log NOT INDEXED
    WHERE seq >= (SELECT min(seq) FROM audit_log) AND at >= ${before} ORDER BY seq LIMIT 1)`;
  const lastSeal = sql`(SELECT max(seq) FROM audit_seals)`;
  // The last sealed row stays, so that the chain can continue.
  const through = sql`(min(coalesce(${kept}, ${lastSeal}), ${lastSeal}) - 1)`;
  const trim = sql.raw(`(${LATEST_TRIM})`);
  await runBatch(db, [
    recorded(db, {
      object: "auditLog",
      action: "trimmed",
      id: "audit",
      changes: { through: added(sql`seals.seq`), hash: added(sql`seals.hash`) },
      rows: sql`FROM audit_seals AS seals WHERE seals.seq = ${through} AND seals.seq >= (SELECT min(seq) FROM audit_log)`,
    }),
    sql`DELETE FROM audit_log WHERE at < ${before} AND seq <= (SELECT seq FROM ${trim})`,
    sql`DELETE FROM audit_seals WHERE seq < (SELECT seq FROM ${trim})`,
  ]);
}
