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

/**
 * Holds and quotes that are open without a customer, by their kinds, with the indexes that find them. `rank` orders them:
 * accepted quotes, newest first, then what ends first.
 */
const OPEN = [
  {
    columns: sql`'held' AS kind, id, chat_id, NULL AS title, until AS until, until AS rank`,
    from: sql`holds INDEXED BY holds_unlinked WHERE state = 'active' AND customer_id IS NULL AND until > unixepoch()`,
    order: sql`until`,
  },
  {
    columns: sql`'quote', id, chat_id, title, NULL, -created_at`,
    from: sql`quotes INDEXED BY quotes_unsold_unlinked
      WHERE state = 'accepted' AND document_id IS NULL AND customer_id IS NULL`,
    order: sql`created_at DESC`,
  },
  {
    columns: sql`'quote', id, chat_id, title, valid_until, valid_until`,
    from: sql`quotes INDEXED BY quotes_sent_unlinked
      WHERE state = 'sent' AND customer_id IS NULL AND valid_until > unixepoch()`,
    order: sql`valid_until`,
  },
];

const joined = (parts: SQL[], by: string) => sql.join(parts, sql.raw(by));

/** Finds what is open without a customer. */
export function findUnlinked(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<UnlinkedRow[]> {
  // The first rows of all are among the first of each kind.
  const found = OPEN.map(
    ({ columns, from, order }) =>
      sql`SELECT * FROM (SELECT ${columns} FROM ${from} ORDER BY ${order}, id LIMIT ${offset + limit})`,
  );
  return db.all<UnlinkedRow>(sql`
    SELECT open.kind, open.id, open.chat_id AS chatId, chats.user_name AS userName, chats.created_at AS began,
      coalesce(open.title, (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines
        WHERE hold_id = open.id), '') AS title, open.until
    FROM (SELECT * FROM (${joined(found, " UNION ALL ")}) ORDER BY rank, id LIMIT ${limit} OFFSET ${offset}) AS open
      LEFT JOIN chats ON chats.id = open.chat_id
    ORDER BY open.rank, open.id`);
}

/** Holds and quotes of each kind that the list counts, which bounds the rows read. */
const MAX_LISTED = 1000;

export async function countUnlinked(db: Db): Promise<number> {
  const [row] = await db.all<{ total: number }>(sql`SELECT ${unlinkedCount(MAX_LISTED)} AS total`);
  return row?.total ?? 0;
}

/** Counts what is open without a customer, as an expression. @param limit of each kind, which bounds the rows read */
export const unlinkedCount = (limit: number): SQL =>
  joined(
    OPEN.map(({ from }) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${limit}))`),
    " + ",
  );
