import { fileHash, MAX_FILES_A_DAY } from "~/features/chat/files";
import { fileKeys } from "~/features/chat/operations.server";
import type { ChatMessage, MessageCard } from "~/features/chat/protocol";
import type { IncomingMessage, PostResult } from "~/features/chat/rooms";
import type { ChatLog } from "./chat-log.queries";
import { secondsToWait } from "./rate-limiter";

/** Checks a message before it is stored. @returns the result of one that is known or rejected; null for a new one */
export function checkMessage(
  log: ChatLog,
  files: ChatFiles,
  env: Env,
  message: IncomingMessage,
): PostResult | null {
  const known = message.id === undefined ? null : log.byId(message.id);
  if (known) return isSameMessage(known, message) ? { stored: known } : { rejected: "idTaken" };
  if (message.isCardGone) return { rejected: "cardGone" };
  const retryAfter = secondsToWait(log, env, message.isFromAdmin);
  if (retryAfter > 0) return { rejected: "rateLimited", retryAfter };
  const fileWait = files.secondsToWait(fileKeys(message.cards).length, message.isFromAdmin);
  return fileWait > 0 ? { rejected: "tooManyFiles", retryAfter: fileWait } : null;
}

/** Compares a stored message with one that has its id; each upload of a file has a key of its own. */
function isSameMessage(known: ChatMessage, { message, isFromAdmin, cards }: IncomingMessage): boolean {
  return (
    known.message === message &&
    known.isFromAdmin === isFromAdmin &&
    JSON.stringify(identities(known.cards)) === JSON.stringify(identities(cards))
  );
}

const identities = (cards: MessageCard[] = []) =>
  cards.map((card) => (card.type === "file" ? fileHash(card.key) : card));

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
