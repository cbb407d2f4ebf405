import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { LINK_KEY, LinkInput } from "../schema";
import { rememberChat } from "./browser-chats.server";

/** Seconds that a mailed link opens its chat. */
const LINK_SECONDS = 14 * 24 * 3600;

/**
 * Where a visitor who was mailed an answer takes their chat up again: a link that is signed, expires after 14 days
 * and opens this chat only.
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
  const ends = now + LINK_SECONDS;
  return `${shopUrl}/chat/${chatId}?key=${ends.toString(36)}.${await signature(secret, chatId, ends)}`;
}

/**
 * Opens a chat by its mailed link: this browser has it from now on, by its cookie.
 *
 * @param key from the link
 * @throws AppError forbidden (403) when the link has expired, was changed, or is another chat's
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
 * @throws AppError forbidden (403) when the link has expired, was changed, or is another chat's
 */
export async function requireLink(
  context: Pick<RequestContext, "env" | "now">,
  chatId: string,
  key: string,
): Promise<void> {
  const [, ends = "", signed = ""] = LINK_KEY.exec(key) ?? [];
  const until = Number.parseInt(ends, 36);
  const isOwn = await isEqual(signed, await signature(context.env.COOKIE_SECRET, chatId, until || 0));
  if (!isOwn || until <= context.now)
    throw new AppError("forbidden", "This link has expired. Please start a new chat.");
}

async function signature(secret: string, chatId: string, ends: number): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(`chat-link:${secret}`), algorithm, false, [
    "sign",
  ]);
  const bytes = await crypto.subtle.sign("HMAC", key, encoder.encode(`${chatId}:${ends}`));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}

/** Compares digests, so that the time it takes tells nothing. */
async function isEqual(one: string, other: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [a, b] = await Promise.all([digest(one), digest(other)]);
  return a.every((byte, i) => byte === b[i]);
}
