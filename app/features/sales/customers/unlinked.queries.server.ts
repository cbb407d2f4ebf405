import { sql } from "drizzle-orm";
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

/** Holds and quotes that the list shows: those that end first. */
export const MAX_UNLINKED = 10;

/** Finds what is open without a customer, one row more of each kind than is shown. */
export function findUnlinked(db: Db): Promise<UnlinkedRow[]> {
  const limit = MAX_UNLINKED + 1;
  return db.all<UnlinkedRow>(sql`
    SELECT open.kind, open.id, open.chat_id AS chatId, chats.user_name AS userName, chats.created_at AS began,
      coalesce(open.title, (SELECT group_concat(quantity || ' × ' || name, ', ') FROM hold_lines
        WHERE hold_id = open.id), '') AS title, open.until
    FROM (
      SELECT * FROM (SELECT 'held' AS kind, id, chat_id, NULL AS title, until FROM holds INDEXED BY holds_unlinked
        WHERE state = 'active' AND customer_id IS NULL AND until > unixepoch() ORDER BY until LIMIT ${limit})
      UNION ALL SELECT * FROM (SELECT 'quote', id, chat_id, title, NULL FROM quotes INDEXED BY quotes_unsold_unlinked
        WHERE state = 'accepted' AND document_id IS NULL AND customer_id IS NULL ORDER BY created_at DESC LIMIT ${limit})
      UNION ALL SELECT * FROM (SELECT 'quote', id, chat_id, title, valid_until FROM quotes INDEXED BY quotes_sent_unlinked
        WHERE state = 'sent' AND customer_id IS NULL AND valid_until > unixepoch() ORDER BY valid_until LIMIT ${limit})
    ) AS open LEFT JOIN chats ON chats.id = open.chat_id`);
}
