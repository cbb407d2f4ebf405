import { MAX_FILES_A_DAY } from "~/features/chat/files";
import { fileKeys } from "~/features/chat/operations.server";
import type { MessageCard } from "~/features/chat/protocol";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Files of a chat, which are cards of its messages. */
export class ChatFiles {
  constructor(private readonly sql: SqlStorage) {}

  keys(): string[] {
    const rows = this.sql.exec<{ cards: string }>("SELECT cards FROM messages WHERE cards IS NOT NULL");
    return rows.toArray().flatMap(({ cards }) => keysIn(cards));
  }

  /**
   * Computes the seconds until more files may be posted. Like messages, all files of the chat count for the visitor, and
   * only the seller's own for the seller.
   */
  secondsToWait(added: number, isFromAdmin: boolean): number {
    if (added === 0) return 0;
    const since = Date.now() - DAY_MS;
    let free = MAX_FILES_A_DAY - added;
    // Read row by row, so that older messages cost nothing.
    const rows = this.sql.exec<{ at: number; cards: string | null; is_from_admin: number }>(
      "SELECT at, cards, is_from_admin FROM messages ORDER BY seq DESC",
    );
    for (const { at, cards, is_from_admin } of rows) {
      if (at <= since) return 0;
      if (!isFromAdmin || is_from_admin === 1) free -= keysIn(cards).length;
      if (free < 0) return Math.ceil((at - since) / 1000);
    }
    return 0;
  }
}

const keysIn = (cards: string | null) => fileKeys(cards === null ? [] : (JSON.parse(cards) as MessageCard[]));
