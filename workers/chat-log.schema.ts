/** Tables of a chat in the SQLite storage of its room. */
export const SCHEMA = `
CREATE TABLE chat (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL, user_name TEXT NOT NULL, user_email TEXT NOT NULL, user_id TEXT, is_anonymous INTEGER NOT NULL,
  lines TEXT NOT NULL, created_at INTEGER NOT NULL,
  unread INTEGER NOT NULL DEFAULT 0, last_message TEXT NOT NULL DEFAULT '', last_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1,
  /* progress of the automatic answers, the mails to the visitor and the mail to staff */
  answered_seq INTEGER NOT NULL DEFAULT 0, offline_told INTEGER NOT NULL DEFAULT 0,
  mailed_seq INTEGER NOT NULL DEFAULT 0, mailed_at INTEGER NOT NULL DEFAULT 0,
  staff_mailed TEXT NOT NULL DEFAULT '[]', staff_told INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL,
  is_from_admin INTEGER NOT NULL, written_by INTEGER NOT NULL, sender_name TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE told (trigger TEXT PRIMARY KEY, at INTEGER NOT NULL);
`;

/** Columns added for conversations that are closed, assigned and continued. */
const CONVERSATION_COLUMNS = `
ALTER TABLE chat ADD state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed'));
ALTER TABLE chat ADD assignee_id TEXT;
ALTER TABLE chat ADD waiting_since INTEGER;
ALTER TABLE chat ADD last_sender TEXT NOT NULL DEFAULT 'auto' CHECK (last_sender IN ('visitor', 'staff', 'auto'));
ALTER TABLE chat ADD visitor_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat ADD visitor_unread INTEGER NOT NULL DEFAULT 0;
UPDATE chat SET visitor_seq = (SELECT ifnull(max(seq), 0) FROM messages),
  waiting_since = CASE WHEN unread > 0 THEN last_at END,
  last_sender = CASE WHEN unread > 0 THEN 'visitor' ELSE 'auto' END;
`;

/** Column added for the cards of messages, a JSON array; null without any. */
const CARD_COLUMN = "ALTER TABLE messages ADD cards TEXT;";

/** Columns added for the times of reading; staff have read a chat without unread messages. */
const READ_COLUMNS = `
ALTER TABLE chat ADD visitor_read_at INTEGER;
ALTER TABLE chat ADD staff_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat ADD staff_read_at INTEGER;
UPDATE chat SET staff_seq = (SELECT ifnull(max(seq), 0) FROM messages) WHERE unread = 0;
`;

/** Column added for the member of staff who wrote a message. */
const STAFF_COLUMN = "ALTER TABLE messages ADD staff_name TEXT;";

/** Column added for the name under which the visitor reads what a member of staff wrote. */
const AUTHOR_NAME_COLUMN = "ALTER TABLE messages ADD author_name TEXT;";

/** Column added for the id of the message to which another one replies. */
const REPLY_COLUMN = "ALTER TABLE messages ADD reply_to TEXT;";

/** Columns added for who wrote and changed last, the browser, and the first answer of a person that is to be measured. */
const STAFF_WORK_COLUMNS = `
ALTER TABLE chat ADD visitor_id TEXT;
ALTER TABLE chat ADD last_staff_id TEXT;
ALTER TABLE chat ADD assigned_by TEXT;
ALTER TABLE chat ADD state_by TEXT;
ALTER TABLE chat ADD asked_at INTEGER;
ALTER TABLE chat ADD answered_at INTEGER;
UPDATE chat SET answered_at = (SELECT min(at) FROM messages WHERE is_from_admin = 1 AND written_by = 1);
`;

/** Column added for the product that the chat was last about. */
const PRODUCT_COLUMN = "ALTER TABLE chat ADD product_id TEXT;";
const FILL_PRODUCT = "UPDATE chat SET product_id = lines ->> '$[0].productId';";

/** Column added for the products that the visitor asked for or about, a JSON array of ids, first one first. */
const SUBJECTS_COLUMN = "ALTER TABLE chat ADD subjects TEXT NOT NULL DEFAULT '[]';";
const FILL_SUBJECTS = "UPDATE chat SET subjects = json_array(product_id) WHERE product_id IS NOT NULL;";

/** Column added for the author of a change that the audit log does not have yet, as JSON. */
const AUTHOR_COLUMN = "ALTER TABLE chat ADD author TEXT;";
/** Column added for the last message that was passed on to the webhooks. */
const WEBHOOK_COLUMN = "ALTER TABLE chat ADD reported_seq INTEGER NOT NULL DEFAULT 0;";
const FILL_WEBHOOK = "UPDATE chat SET reported_seq = (SELECT ifnull(max(seq), 0) FROM messages);";

/** Notifications on display: for each side and subscription, the seq and time (epoch milliseconds) of the message. */
const PUSHES_TABLE = `
CREATE TABLE pushes (
  side TEXT NOT NULL CHECK (side IN ('staff', 'visitor')), subscription INTEGER NOT NULL,
  seq INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (side, subscription)
) WITHOUT ROWID;
`;

/** Table added for starts with a key, by the id of their message, "" for the one that opened the chat, with the hash of each. */
const STARTS_TABLE = "CREATE TABLE starts (id TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;";

/** Empty table of a room that is being restored, which accepts no writes (app/features/backup/restore.server.ts). */
export const RESTORE_LOCK = "restoring";

/** Change of the tables since the first rooms; a table that has the change has the column. */
interface Upgrade {
  table: string;
  column: string;
  sql: string;
  /** Fills the column of rows from before it. */
  fill?: string;
}

const UPGRADES: Upgrade[] = [
  { table: "chat", column: "visitor_unread", sql: CONVERSATION_COLUMNS },
  { table: "messages", column: "cards", sql: CARD_COLUMN },
  { table: "chat", column: "staff_read_at", sql: READ_COLUMNS },
  { table: "messages", column: "staff_name", sql: STAFF_COLUMN },
  { table: "chat", column: "answered_at", sql: STAFF_WORK_COLUMNS },
  { table: "chat", column: "product_id", sql: PRODUCT_COLUMN, fill: FILL_PRODUCT },
  { table: "chat", column: "author", sql: AUTHOR_COLUMN },
  { table: "chat", column: "reported_seq", sql: WEBHOOK_COLUMN, fill: FILL_WEBHOOK },
  { table: "pushes", column: "side", sql: PUSHES_TABLE },
  { table: "chat", column: "subjects", sql: SUBJECTS_COLUMN, fill: FILL_SUBJECTS },
  { table: "messages", column: "author_name", sql: AUTHOR_NAME_COLUMN },
  { table: "starts", column: "digest", sql: STARTS_TABLE },
  { table: "messages", column: "reply_to", sql: REPLY_COLUMN },
];

/** Table and the statement that creates it. */
export type TableRow = { name: string; sql: string };

/** Lists the changes that the tables lack. */
export function upgradesOf(tables: TableRow[]): string[] {
  const hasColumn = (table: string, column: string) =>
    tables.some(({ name, sql }) => name === table && new RegExp(`\\b${column}\\b`).test(sql));
  return UPGRADES.filter(({ table, column }) => !hasColumn(table, column)).map(
    ({ sql, fill = "" }) => sql + fill,
  );
}

/** Lists the statements that fill the columns which restored tables lack. @param tables columns by table */
export function fillsOf(tables: Record<string, { columns: string[] }>): string[] {
  return UPGRADES.flatMap(({ table, column, fill }) =>
    fill && tables[table] && !tables[table].columns.includes(column) ? [fill] : [],
  );
}

/** Row of the chat; times in epoch milliseconds, except created_at in seconds. */
export type ChatRecord = {
  id: string;
  user_name: string;
  user_email: string;
  user_id: string | null;
  is_anonymous: number;
  lines: string;
  created_at: number;
  unread: number;
  last_message: string;
  last_at: number;
  revision: number;
  answered_seq: number;
  offline_told: number;
  mailed_seq: number;
  mailed_at: number;
  staff_mailed: string;
  staff_told: number;
  removed: number;
  state: "open" | "closed";
  assignee_id: string | null;
  /** Time of the first visitor's message without an answer by a person. */
  waiting_since: number | null;
  last_sender: "visitor" | "staff" | "auto";
  /** Last message that the visitor has seen, and the number of staff's messages after it. */
  visitor_seq: number;
  visitor_unread: number;
  visitor_read_at: number | null;
  /** Last message that staff have read. */
  staff_seq: number;
  staff_read_at: number | null;
  visitor_id: string | null;
  last_staff_id: string | null;
  /** Member of staff who assigned the chat, and who closed or reopened it. */
  assigned_by: string | null;
  state_by: string | null;
  /** Time of the first answer of a person, and of the question while the answer is not measured. */
  asked_at: number | null;
  answered_at: number | null;
  /** Product that the chat was last about. */
  product_id: string | null;
  /** Ids of the products that the visitor asked for or about, as JSON, first one first. */
  subjects: string;
  /** Author of a change that the audit log does not have yet, as JSON. */
  author: string | null;
  reported_seq: number;
};

/** Stored message. */
export type MessageRow = {
  seq: number;
  id: string;
  message: string;
  is_from_admin: number;
  sender_name: string;
  at: number;
  staff_name: string | null;
  author_name: string | null;
  cards: string | null;
  reply_to: string | null;
};
