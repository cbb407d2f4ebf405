import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";

/** Open hold or quote of a chat, or of the counter, without a customer. */
export interface UnlinkedRow {
  kind: "held" | "quote";
  id: string;
  chatId: string | null;
  userName: string | null;
  /** Beginning of the chat, epoch seconds. */
  began: number | null;
  title: string;
  /** Null for an accepted quote, which does not end. */
  until: number | null;
}

/** Holds and quotes that are open without a customer, by their kinds, with the indexes that find them. */
const OPEN = [
  {
    columns: sql`'held' AS kind, id, chat_id, NULL AS title, until AS until`,
    from: sql`holds INDEXED BY holds_unlinked WHERE state = 'active' AND customer_id IS NULL AND until > unixepoch()`,
    order: sql`until`,
  },
  {
    columns: sql`'quote', id, chat_id, title, NULL`,
    from: sql`quotes INDEXED BY quotes_unsold_unlinked
      WHERE state = 'accepted' AND document_id IS NULL AND customer_id IS NULL`,
    order: sql`created_at DESC`,
  },
  {
    columns: sql`'quote', id, chat_id, title, valid_until`,
    from: sql`quotes INDEXED BY quotes_sent_unlinked
      WHERE state = 'sent' AND customer_id IS NULL AND valid_until > unixepoch()`,
    order: sql`valid_until`,
  },
];

const joined = (parts: SQL[], by: string) => sql.join(parts, sql.raw(by));

/** Holds and quotes of each kind that the list shows, those that end first; it bounds the rows read. */
const MAX_UNLINKED = 50;

/** Finds what is open without a customer. */
export function findUnlinked(db: Db): Promise<UnlinkedRow[]> {
  const found = OPEN.map(
    ({ columns, from, order }) =>
      sql`SELECT * FROM (SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT ${MAX_UNLINKED})`,
  );
  return db.all<UnlinkedRow>(sql`
    SELECT open.kind, open.id, open.chat_id AS chatId, chats.user_name AS userName, chats.created_at AS began,
      coalesce(open.title, (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines
        WHERE hold_id = open.id), '') AS title, open.until
    FROM (${joined(found, " UNION ALL ")}) AS open LEFT JOIN chats ON chats.id = open.chat_id`);
}

/** Counts what is open without a customer, as an expression. @param limit of each kind, which bounds the rows read */
export const unlinkedCount = (limit: number): SQL =>
  joined(
    OPEN.map(({ from }) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${limit}))`),
    " + ",
  );
