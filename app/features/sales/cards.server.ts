import { SUPPORT_TEAM } from "~/features/chat/limits";
import { authorNameFor, readStoredSettings } from "~/features/chat/operations/settings.server";
import { CARDS, type CardOf, type Cards, type CardTypeBy } from "~/features/chat/protocol";
import type { IncomingMessage } from "~/features/chat/rooms";
import type { StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/caller.server";
import type { SaleDocument } from "./document";
import { deliver } from "./outbox.server";

type Context = Pick<RequestContext, "env" | "db" | "now">;
type ShopCardType = CardTypeBy<"shop">;

type Facts<Type extends ShopCardType> = Parameters<Cards[Type]["sentence"]>;

/**
 * Posts a card to a chat, with its sentence as the text.
 *
 * @param id of what the card shows: the chat has one card of it, however often it is posted
 * @param facts of the sentence
 */
export async function postCard<Type extends ShopCardType>(
  context: Context & Pick<StaffContext, "user">,
  chatId: string | null,
  id: string,
  card: { type: Type } & CardOf<ShopCardType>,
  ...facts: Facts<Type>
): Promise<void> {
  if (!chatId) return;
  const { sentence } = CARDS[card.type] as { sentence: (...facts: Facts<Type>) => string };
  await post(context, chatId, {
    id: `${card.type}-${id}`,
    message: sentence(...facts),
    ...(await staffAuthor(context, context.user)),
    cards: [card],
  });
}

/** Message of a decision; the same `id` for every attempt, so that the chat has it once. */
type Decision = Pick<IncomingMessage, "message" | "isNotice"> & { id: string };

/**
 * Posts what somebody decided about a card as a plain message of theirs, which also tells the other side's screens to
 * read the card again.
 *
 * @param user the member of staff; null for the visitor
 */
export async function postDecision(
  context: Context & { user: CurrentUser | null },
  chatId: string | null,
  message: Decision,
): Promise<void> {
  if (!chatId) return;
  const author = context.user
    ? await staffAuthor(context, context.user)
    : { isFromAdmin: false, senderName: "" };
  await post(context, chatId, { ...message, ...author, cards: [] });
}

/**
 * Begins the read of the name under which a member of staff posts, beside a read that comes first.
 *
 * @param subject chat, or what is shown in one; without it nothing will be posted
 */
export function expectCard(context: Pick<Context, "db">, subject: string | null | undefined): void {
  if (subject) void readStoredSettings(context);
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
    const name = `${kind === "sale" ? "Receipt" : "Credit note"} ${number}`;
    await postCard(context, chatId, id, { type: "receipt", documentId: id }, name, totalCents);
  }
}
