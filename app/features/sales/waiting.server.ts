import { formatUntil } from "~/domain/hold-end";
import { dollars } from "~/domain/money";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { findWaiting } from "./queries/holds-and-quotes.server";

/** Open quote or active hold of a conversation, as the visitor's list shows it. */
export interface ChatWaiting {
  kind: "quote" | "hold";
  /** `A quote of $92.00 waits for you`. */
  text: string;
  /** Title of the quote, or name of the first product on hold. */
  about: string;
}

/** Tells what waits in chats that the caller may read, by chat: the quote before the hold. */
export async function waitingInChats(
  context: RequestContext,
  chatIds: string[],
): Promise<Map<string, ChatWaiting[]>> {
  if (chatIds.length === 0) return new Map();
  const { db, now } = context;
  const [rows, settings] = await Promise.all([findWaiting(db, chatIds, now), shopSettings(context)]);
  const waiting = new Map<string, ChatWaiting[]>();
  for (const { chatId, kind, value, about } of rows) {
    const text =
      kind === "quote"
        ? `A quote of ${dollars(value)} waits for you`
        : `Set aside until ${formatUntil(value, now, settings)}`;
    waiting.set(chatId, [...(waiting.get(chatId) ?? []), { kind, text, about }]);
  }
  return waiting;
}
