import { SUPPORT_TEAM } from "~/features/chat/limits";
import type { MessageCard } from "~/features/chat/protocol";
import type { StaffContext } from "~/http/operation.server";
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
  if (!chatId) return;
  const staffName = user.firstName || SUPPORT_TEAM;
  const incoming = { ...message, isFromAdmin: true, senderName: SUPPORT_TEAM, staffName, cards: [card] };
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
