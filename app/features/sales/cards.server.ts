import { dollars } from "~/domain/money";
import { SUPPORT_TEAM } from "~/features/chat/limits";
import { authorNameFor } from "~/features/chat/operations/settings.server";
import type { MessageCard } from "~/features/chat/protocol";
import type { IncomingMessage } from "~/features/chat/rooms";
import type { StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/caller.server";
import type { SaleDocument } from "./document";
import { deliver } from "./outbox.server";

/** Message of the shop with a card; its text says the same for clients without cards. */
interface CardMessage {
  /** The same for every attempt, so that the chat has it once. */
  id: string;
  message: string;
  card: MessageCard;
}

type Context = Pick<RequestContext, "env" | "db" | "now">;

/** Posts a card to a chat. */
export async function postCard(
  context: Context & Pick<StaffContext, "user">,
  chatId: string | null,
  { card, ...message }: CardMessage,
): Promise<void> {
  if (!chatId) return;
  await post(context, chatId, { ...message, ...(await staffAuthor(context, context.user)), cards: [card] });
}

/**
 * Posts what somebody decided about a card as a plain message of theirs, which also tells the other side's screens to
 * read the card again.
 *
 * @param user the member of staff; null for the visitor
 */
export async function postDecision(
  context: Context & { user: CurrentUser | null },
  chatId: string | null,
  message: Omit<CardMessage, "card">,
): Promise<void> {
  if (!chatId) return;
  const author = context.user
    ? await staffAuthor(context, context.user)
    : { isFromAdmin: false, senderName: "" };
  await post(context, chatId, { ...message, ...author, cards: [] });
}

const staffAuthor = async ({ db }: Context, { id, firstName }: CurrentUser) => ({
  isFromAdmin: true,
  senderName: SUPPORT_TEAM,
  staffId: id,
  staffName: firstName || SUPPORT_TEAM,
  // The card is posted all the same.
  authorName: await authorNameFor(db, firstName).catch(() => undefined),
});

/** Posts a message; when the room can't be reached, the outbox repeats it. A chat that was deleted has none. */
async function post(context: Context, chatId: string, message: IncomingMessage): Promise<void> {
  const incoming = { ...message, isUnlimited: true };
  try {
    await context.env.CHAT_ROOM.getByName(chatId).post(incoming);
  } catch (error) {
    console.warn("A card was not posted to its chat at once:", error);
    await deliver(context, {
      id: `${chatId}-${message.id}`,
      kind: "card",
      recipient: chatId,
      documentId: null,
      content: JSON.stringify(incoming),
      createdAt: context.now,
      createdBy: message.staffName ?? "",
    });
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
