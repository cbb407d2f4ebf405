import { RESTORE_PAUSE_MS } from "~/features/backup/restore.server";
import type { RoomDump } from "~/features/chat/rooms";
import type { ChatLog } from "./chat-log";
import { fillsOf, RESTORE_LOCK } from "./chat-log.schema";
import type { Outbox } from "./outbox";

/**
 * Reads everything that a room stores: the next messages and, with the first ones, all other tables.
 *
 * @param after seq of the last message read; 0 for none
 * @param maxBytes of the rows as JSON; one message is read at least
 */
export function dumpRoom(sql: SqlStorage, after: number, maxBytes: number): RoomDump {
  const tables = sql
    // Names with "_" are the platform's.
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name <> 'sqlite_sequence' ORDER BY name",
    )
    .toArray()
    .filter(({ name }) => after === 0 && name !== "messages" && name !== RESTORE_LOCK)
    .map(({ name }) => [name, rowsOf(sql.exec(`SELECT * FROM "${name}" ORDER BY 1, 2`))] as const)
    // Some are created with their first use, so that an empty one says nothing.
    .filter(([, { rows }]) => rows.length > 0);
  const others = Object.fromEntries(tables);
  const { messages, next } = nextMessages(sql, after, maxBytes - jsonBytes(others));
  return { tables: { ...others, messages }, next };
}

function nextMessages(sql: SqlStorage, after: number, maxBytes: number) {
  const cursor = sql.exec("SELECT * FROM messages WHERE seq > ? ORDER BY seq", after);
  const columns = cursor.columnNames;
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of cursor.raw() as Iterable<Row>) {
    bytes += jsonBytes(row);
    if (rows.length > 0 && bytes > maxBytes)
      return { messages: { columns, rows }, next: Number(rows.at(-1)?.[columns.indexOf("seq")]) };
    rows.push(row);
  }
  return { messages: { columns, rows }, next: null };
}

type Row = (string | number | null)[];

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function rowsOf(cursor: SqlStorageCursor<Record<string, SqlStorageValue>>): RoomDump["tables"][string] {
  return { columns: cursor.columnNames, rows: [...cursor.raw()] as (string | number | null)[][] };
}

/**
 * Stores the rows of a dump in a new room, which accepts no writes until the restore has ended. Repeated, it changes
 * nothing.
 */
export function restoreRoom(
  storage: DurableObjectStorage,
  { tables }: RoomDump,
  log: ChatLog,
  outbox: Pick<Outbox<string>, "createTable">,
): void {
  try {
    storage.transactionSync(() => {
      if (!log.hasTables) log.createTables();
      log.lockForRestore();
      outbox.createTable();
      for (const [name, table] of Object.entries(tables)) insertRows(storage.sql, name, table);
      for (const fill of fillsOf(tables)) storage.sql.exec(fill);
    });
  } finally {
    // A transaction that was rolled back has created no tables.
    log.reload();
  }
  const { due } = storage.sql.exec<{ due: number | null }>("SELECT min(due_at) AS due FROM duties").one();
  if (due !== null) void storage.setAlarm(Math.max(due, Date.now() + RESTORE_PAUSE_MS));
}

/** Inserts row by row: a bound value may have 2 MB, which a few hundred messages exceed. */
function insertRows(sql: SqlStorage, name: string, { columns, rows }: RoomDump["tables"][string]): void {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const values = columns.map(() => "?").join(", ");
  for (const row of rows) sql.exec(`INSERT OR REPLACE INTO "${name}" (${names}) VALUES (${values})`, ...row);
}
