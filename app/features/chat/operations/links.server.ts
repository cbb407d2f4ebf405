import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { LINK_KEY, LinkInput } from "../schema";
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
  const expires = now + LINK_SECONDS;
  return `${shopUrl}/chat/${chatId}?key=${expires.toString(36)}.${await signature(secret, chatId, expires)}`;
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
  const [, expires = "", signed = ""] = LINK_KEY.exec(key) ?? [];
  const until = Number.parseInt(expires, 36);
  const isOwn = await isEqual(signed, await signature(context.env.COOKIE_SECRET, chatId, until || 0));
  if (!isOwn || until <= context.now)
    throw new AppError("forbidden", "This link has expired. Please start a new chat.");
}

async function signature(secret: string, chatId: string, expires: number): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(`chat-link:${secret}`), algorithm, false, [
    "sign",
  ]);
  const bytes = await crypto.subtle.sign("HMAC", key, encoder.encode(`${chatId}:${expires}`));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}

/** Compares digests, which takes the same time for any input. */
async function isEqual(one: string, other: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [a, b] = await Promise.all([digest(one), digest(other)]);
  return a.every((byte, i) => byte === b[i]);
}
