import { dollars } from "~/domain/money";
import type { RequestContext } from "~/http/request-context.server";
import { formatUntil } from "./hold-end";
import { findWaiting } from "./holds-and-quotes.queries.server";

/** Open quote of a conversation, else its active hold, as the visitor's list shows it. */
export interface ChatWaiting {
  kind: "quote" | "hold";
  /** `A quote of $92.00 waits for you`. */
  text: string;
}

/** Tells what waits in chats that the caller may read, by chat. */
export async function waitingInChats(
  { db, now, settings }: RequestContext,
  chatIds: string[],
): Promise<Map<string, ChatWaiting>> {
  const rows = chatIds.length > 0 ? await findWaiting(db, chatIds, now) : [];
  const waiting = new Map<string, ChatWaiting>();
  // Holds come first, so that a quote of the same chat replaces them.
  for (const { chatId, kind, value } of rows) {
    const text =
      kind === "quote"
        ? `A quote of ${dollars(value)} waits for you`
        : `Set aside until ${formatUntil(value, now, settings)}`;
    waiting.set(chatId, { kind, text });
  }
  return waiting;
}
