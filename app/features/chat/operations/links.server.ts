import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isLinkKey, linkKey } from "~/session/link-keys.server";
import { LinkInput } from "../schema";
import { rememberChat } from "./browser-chats.server";

/** Lifetime of a mailed link. */
const LINK_SECONDS = 14 * 24 * 3600;

/**
 * Creates the signed link in a mailed answer; it opens one chat for 14 days.
 *
 * @param shopUrl origin, from SHOP_URL
 * @param secret COOKIE_SECRET
 * @param now epoch seconds
 */
export async function chatLink(
  shopUrl: string,
  secret: string,
  chatId: string,
  now: number,
): Promise<string> {
  return `${shopUrl}/chat/${chatId}?key=${await linkKey(secret, "chat", chatId, now + LINK_SECONDS)}`;
}

/**
 * Opens a chat by its mailed link and adds it to the browser's cookie.
 *
 * @throws AppError forbidden (403) when the link has expired or its signature is invalid
 */
export const openByLink = operation({
  access: "anyone",
  input: LinkInput,
  async run({ input: { chatId, key }, ...context }) {
    await requireLink(context, chatId, key);
    await rememberChat(context, chatId);
    return { chatId };
  },
});

/**
 * Verifies a mailed link.
 *
 * @throws AppError forbidden (403) when the link has expired or its signature is invalid
 */
export async function requireLink(
  context: Pick<RequestContext, "env" | "now">,
  chatId: string,
  key: string,
): Promise<void> {
  if (!(await isLinkKey(context.env.COOKIE_SECRET, "chat", chatId, key, context.now)))
    throw new AppError("forbidden", "This link has expired. Please start a new chat.");
}
