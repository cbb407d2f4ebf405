import type { ChatMessage } from "./protocol";

/** Message of Buy Now or Chat with Seller. */
const PURCHASE = /^I'm interested in buying /;

/** Finds the message that the chat's cart belongs to: the visitor's latest request to buy. */
export function findPurchaseMessage<Message extends ChatMessage>(messages: Message[]): Message | undefined {
  return messages.filter(({ isFromAdmin, message }) => !isFromAdmin && PURCHASE.test(message)).at(-1);
}
