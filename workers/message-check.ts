import { fileHash } from "~/features/chat/files";
import { fileKeys } from "~/features/chat/operations.server";
import type { ChatMessage, MessageCard } from "~/features/chat/protocol";
import type { IncomingMessage, PostResult } from "~/features/chat/rooms";
import type { ChatFiles } from "./chat-files.queries";
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
  if (message.isUnlimited) return null;
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
