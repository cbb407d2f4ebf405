import type { ChatMessage, QuotedMessage } from "./protocol";

/** Characters of a quoted text. */
const MAX_QUOTED = 120;

/** Returns what another message quotes of this one: its writer, and the beginning of its first line. */
export function quoteOf({ id, isFromAdmin, senderName, authorName, message }: ChatMessage): QuotedMessage {
  const [line = ""] = message.split("\n", 1);
  const letters = [...line];
  const text = letters.length > MAX_QUOTED ? `${letters.slice(0, MAX_QUOTED - 1).join("")}…` : line;
  return { id, isFromAdmin, senderName, ...(authorName !== undefined && { authorName }), text };
}
