import { SUPPORT_TEAM } from "~/features/chat/limits";
import type { MessageCard } from "~/features/chat/protocol";
import type { IncomingMessage } from "~/features/chat/rooms";
import type { StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/caller.server";
import { dollars } from "~/ui/money";
import type { SaleDocument } from "./document";

/** Message of the shop with a card; its text says the same for clients without cards. */
interface CardMessage {
  /** The same for every attempt, so that the chat has it once. */
  id: string;
  message: string;
  card: MessageCard;
}

const ATTEMPTS = 3;

/** Posts a card to a chat. A chat that was deleted has none; another failure is logged, since the act is stored. */
export async function postCard(
  { env, user }: Pick<StaffContext, "env" | "user">,
  chatId: string | null,
  { card, ...message }: CardMessage,
): Promise<void> {
  const staffName = user.firstName || SUPPORT_TEAM;
  await post(env, chatId, {
    ...message,
    isFromAdmin: true,
    senderName: SUPPORT_TEAM,
    staffName,
    cards: [card],
  });
}

/**
 * Posts what somebody decided about a card as a plain message of theirs, which also tells the other side's screens to
 * read the card again.
 *
 * @param user the member of staff; null for the visitor
 */
export async function postDecision(
  { env, user }: Pick<RequestContext, "env"> & { user: CurrentUser | null },
  chatId: string | null,
  message: Omit<CardMessage, "card">,
): Promise<void> {
  const author = user
    ? { isFromAdmin: true, senderName: SUPPORT_TEAM, staffName: user.firstName || SUPPORT_TEAM }
    : { isFromAdmin: false, senderName: "" };
  await post(env, chatId, { ...message, ...author, cards: [] });
}

async function post(env: Env, chatId: string | null, incoming: IncomingMessage): Promise<void> {
  if (!chatId) return;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await env.CHAT_ROOM.getByName(chatId).post(incoming);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) console.warn("A card could not be posted to its chat:", error);
    }
  }
}

/** Shows documents in their chat. */
export async function sendReceiptCards(context: StaffContext, documents: SaleDocument[]): Promise<void> {
  for (const { id, kind, number, totalCents, chatId } of documents) {
    const name = kind === "sale" ? "Receipt" : "Credit note";
    await postCard(context, chatId, {
      id: `receipt-${id}`,
      message: `${name} ${number}: ${dollars(totalCents)}`,
      card: { type: "receipt", documentId: id },
    });
  }
}
