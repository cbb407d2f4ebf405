import { RESTORE_PAUSE_MS } from "~/features/backup/restore.server";
import type { RoomDump } from "~/features/chat/rooms";
import type { ChatLog } from "./chat-log.queries";
import type { Outbox } from "./outbox.queries";

/** Messages of a dump; longer chats come in several. */
const MAX_MESSAGES = 2000;

/**
 * Reads everything that a room stores: the next messages and, with the first ones, all other tables.
 *
 * @param after seq of the last message read; 0 for none
 */
export function dumpRoom(sql: SqlStorage, after: number): RoomDump {
  const tables = sql
    // Names with "_" are the platform's.
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name <> 'sqlite_sequence' ORDER BY name",
    )
    .toArray()
    .filter(({ name }) => name !== "messages" && after === 0)
    .map(({ name }) => [name, rowsOf(sql.exec(`SELECT * FROM "${name}" ORDER BY 1, 2`))] as const)
    // Some are created with their first use, so that an empty one says nothing.
    .filter(([, { rows }]) => rows.length > 0);
  const messages = rowsOf(
    sql.exec("SELECT * FROM messages WHERE seq > ? ORDER BY seq LIMIT ?", after, MAX_MESSAGES),
  );
  const last = messages.rows.at(-1)?.[messages.columns.indexOf("seq")];
  const isComplete = messages.rows.length < MAX_MESSAGES;
  return {
    tables: { ...Object.fromEntries(tables), messages },
    next: isComplete ? null : Number(last),
  };
}

function rowsOf(cursor: SqlStorageCursor<Record<string, SqlStorageValue>>): RoomDump["tables"][string] {
  return { columns: cursor.columnNames, rows: [...cursor.raw()] as (string | number | null)[][] };
}

/** Stores the rows of a dump in a new room. Repeated, it changes nothing. */
export function restoreRoom(
  storage: DurableObjectStorage,
  { tables }: RoomDump,
  log: ChatLog,
  outbox: Pick<Outbox<string>, "createTable">,
): void {
  storage.transactionSync(() => {
    if (!log.hasTables) log.createTables();
    outbox.createTable();
    for (const [name, { columns, rows }] of Object.entries(tables)) {
      const values = columns.map((_, i) => `value ->> '$[${i}]'`).join(", ");
      const names = columns.map((column) => `"${column}"`).join(", ");
      storage.sql.exec(
        `INSERT OR REPLACE INTO "${name}" (${names}) SELECT ${values} FROM json_each(?)`,
        JSON.stringify(rows),
      );
    }
  });
  const { due } = storage.sql.exec<{ due: number | null }>("SELECT min(due_at) AS due FROM duties").one();
  if (due !== null) void storage.setAlarm(Math.max(due, Date.now() + RESTORE_PAUSE_MS));
}
