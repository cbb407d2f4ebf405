import { and, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import { type Author, changedFact, difference, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { chats, chatTexts } from "~/db/schema";
import { searchForm } from "~/db/text";
import { type ChatRow, customerOfChat } from "./queries.server";

/** Message of a chat, sent as it is. */
interface ChatEvent {
  seq: number;
  timestamp: { seconds: number };
  isFromAdmin: boolean;
}

/** State of a chat that its room writes to D1. */
export interface ChatRowUpdate {
  row: ChatRow;
  /** Searched text of the chat, as it is and as it is compared: compatible forms can be 18 times as long. */
  text: string;
  searchText: string | null;
  /** New ones, for the outbox of webhooks and the customer's last visit. */
  messages: ChatEvent[];
}

/** Outcome of written rows. */
export interface SavedRows {
  /** Some of the messages wait for webhooks. */
  hasEvents: boolean;
  /** Accounts of the chats whose deletion has begun. */
  erasedUsers: Set<string>;
  /** Addresses of the rows that were written, by chat: none of those that are newer, or missing where only listed ones are. */
  written: Map<string, string>;
}

/**
 * Writes rows of rooms in one transaction, each unless the stored revision is newer.
 *
 * @param author who changed the name, state or assignee of the only chat, to be recorded
 * @param onlyListed writes no row of a chat that has none, as of one that was deleted meanwhile
 */
export async function upsertChatRows(
  db: Db,
  updates: ChatRowUpdate[],
  { author = null, onlyListed = false }: { author?: Author | null; onlyListed?: boolean } = {},
): Promise<SavedRows> {
  const userIds = updates.flatMap(({ row }) => row.userId ?? []);
  const messages = updates.flatMap(({ row, messages }) =>
    messages.map((message) => ({ chatId: row.id, message })),
  );
  const visits = messages.filter(({ message }) => !message.isFromAdmin);
  const statements = {
    erasures: userIds.length > 0 && beginningErasures(userIds),
    record: author && updates[0] && recordChat(db, updates[0].row, author),
    rows: upsertRows(
      updates.map(({ row }) => row),
      onlyListed,
    ),
    texts: updateTexts(updates),
    visits: visits.length > 0 && markCustomersSeen(visits),
    events: messages.length > 0 && addChatEvents(messages),
  };
  const sent = Object.entries(statements).flatMap(([name, statement]) =>
    statement ? [{ name, statement }] : [],
  );
  const results = await runBatch(
    db,
    sent.map(({ statement }) => statement),
  );
  const rowsOf = (wanted: string) => results[sent.findIndex(({ name }) => name === wanted)] ?? [];
  return {
    hasEvents: rowsOf("events").length > 0,
    erasedUsers: new Set(rowsOf("erasures").map(({ userId }) => String(userId))),
    written: new Map(rowsOf("rows").map(({ id, email }) => [String(id), String(email)])),
  };
}

const beginningErasures = (userIds: string[]): SQL =>
  sql`SELECT user_id AS userId FROM erasures INDEXED BY erasures_begun
    WHERE user_id IN (SELECT value FROM json_each(${JSON.stringify(userIds)})) AND begun_at IS NOT NULL`;

/** Statement that compares a room's row with the stored one. */
const recordChat = (db: Db, row: ChatRow, author: Author) =>
  recorded(
    db,
    {
      object: "chat",
      action: "changed",
      id: chats.id,
      changes: {
        state: difference(chats.state, row.state),
        assignee: difference(chats.assigneeId, row.assigneeId),
        name: changedFact(chats.userName, row.userName),
      },
      rows: sql`FROM ${chats} WHERE ${and(eq(chats.id, row.id), lt(chats.revision, row.revision))}`,
    },
    author,
  );

const COLUMNS = Object.entries(getTableColumns(chats));
/** Columns that a room sets once. */
const FINAL = ["id", "createdAt", "month", "visitorId"];
/** An address that a row has stays: its account may have got a new one, which the room takes over. */
const KNOWN_ADDRESS = "iif(chats.user_email = '', excluded.user_email, chats.user_email)";
const COLUMN_NAMES = sql.raw(COLUMNS.map(([, { name }]) => name).join(", "));
/** Values of a row as a JSON array, in the order of the columns. */
const COLUMN_VALUES = sql.raw(COLUMNS.map((_, at) => `value ->> ${at}`).join(", "));
const CHANGED_COLUMNS = sql.raw(
  COLUMNS.filter(([key]) => !FINAL.includes(key))
    .map(([key, { name }]) => `${name} = ${key === "userEmail" ? KNOWN_ADDRESS : `excluded.${name}`}`)
    .join(", "),
);

const ID_AT = sql.raw(String(COLUMNS.findIndex(([key]) => key === "id")));

const upsertRows = (rows: ChatRow[], onlyListed: boolean): SQL => {
  const values = rows.map((row) => COLUMNS.map(([key]) => row[key as keyof ChatRow]));
  return sql`INSERT INTO chats (${COLUMN_NAMES}) SELECT ${COLUMN_VALUES} FROM json_each(${JSON.stringify(values)})
    WHERE ${onlyListed ? sql`value ->> ${ID_AT} IN (SELECT id FROM chats)` : sql`true`}
    ON CONFLICT (id) DO UPDATE SET ${CHANGED_COLUMNS} WHERE chats.revision < excluded.revision
    RETURNING id, user_email AS email`;
};

/** Statement that writes the searched texts that have changed: a read mark must not write the search's tables. */
const updateTexts = (updates: ChatRowUpdate[]): SQL => {
  const { text, searchText, searchName } = chatTexts;
  const values = updates.map(({ row, text, searchText }) => ({
    id: row.id,
    revision: row.revision,
    text,
    searchText,
    searchName: searchForm(row.userName),
  }));
  return sql`UPDATE chat_texts SET text = u.text, search_text = u.search_text, search_name = u.search_name
    FROM (SELECT value ->> 'id' AS id, value ->> 'revision' AS revision, value ->> 'text' AS text,
      value ->> 'searchText' AS search_text, value ->> 'searchName' AS search_name
      FROM json_each(${JSON.stringify(values)})) AS u
    WHERE chat_id = u.id AND u.revision >= (SELECT revision FROM chats WHERE chats.id = u.id)
      AND (${text}, ${searchText}, ${searchName}) IS NOT (u.text, u.search_text, u.search_name)`;
};

/** Message with its chat. */
interface MessageOfChat {
  chatId: string;
  message: ChatEvent;
}

/** Seconds by which a last visit may be behind, so that not every message of a conversation writes it. */
const SEEN_STEP = 600;

/** Statement that dates the last visits of the chats' customers by their messages. */
const markCustomersSeen = (visits: MessageOfChat[]): SQL => {
  const seconds = new Map(visits.map(({ chatId, message }) => [chatId, message.timestamp.seconds]));
  return sql`UPDATE customers SET last_seen = visit.seconds
    FROM (SELECT ${customerOfChat(sql`value ->> 0`)} AS id, max(value ->> 1) AS seconds
      FROM json_each(${JSON.stringify([...seconds])}) GROUP BY 1) AS visit
    WHERE customers.id = visit.id AND last_seen < visit.seconds - ${SEEN_STEP}`;
};

/** Statement that adds messages to the outbox of webhooks, each once; it returns those that wait. */
const addChatEvents = (messages: MessageOfChat[]): SQL =>
  sql`INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, due_at, created_at)
    SELECT 'msg_' || m.chat || '_' || (m.data ->> 'seq') || '_' || w.id, w.id, 'chat.message', m.chat, m.data, m.at, m.at
    FROM webhooks AS w JOIN (SELECT value ->> 'chatId' AS chat, value -> 'message' AS data,
      value ->> '$.message.timestamp.seconds' AS at FROM json_each(${JSON.stringify(messages)})) AS m
    WHERE m.chat IN (SELECT id FROM chats) AND w.disabled_at IS NULL AND instr(w.events, '"chat.message"') > 0 AND w.created_at <= m.at
    ON CONFLICT (id) DO UPDATE SET event = excluded.event WHERE state = 'waiting' RETURNING id`;
