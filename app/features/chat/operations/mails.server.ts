import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { findUser } from "~/features/accounts/queries.server";
import { deliverMail } from "~/features/incidents/mail.server";
import { AppError } from "~/http/errors";
import { escapeHtml, type Mail, mailLayout, salutation } from "~/http/mail.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ShopSettings, shopSettings } from "~/http/shop-settings.server";
import { isLinkKey, linkKey } from "~/session/tokens.server";
import type { ChatMessage } from "../protocol";
import { findSettings } from "../queries.server";
import { LinkInput } from "../schema";
import { answererOf, staffLabel } from "../staff-label";
import { rememberChat } from "./access.server";
import { settingsView } from "./settings.server";

/** Lifetime of a mailed link. */
const LINK_SECONDS = 14 * DAY_SECONDS;

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

/** Mails a member of staff that a visitor is waiting. @param messages of the visitor */
export function mailStaff(
  env: Env,
  to: string,
  chat: { id: string; userName: string },
  messages: string[],
): Promise<void> {
  const settings = shopSettings(env);
  const link = `${settings.url}/admin/chat?chat=${encodeURIComponent(chat.id)}`;
  return deliverMail(env, waitingMail(settings, to, { ...chat, messages }, link));
}

/** Mails a member of staff that a colleague has assigned them a chat. @param by name of the colleague */
export function mailAssignee(
  env: Env,
  to: string,
  chat: { id: string; userName: string; lastMessage: string },
  by: string,
): Promise<void> {
  const settings = shopSettings(env);
  const link = `${settings.url}/admin/chat?chat=${encodeURIComponent(chat.id)}`;
  const title = `${by} assigned you the chat with ${chat.userName}`;
  const text = `${title}. The last message:\n\n${quoted(chat.lastMessage)}\n\nOpen it: ${link}\n\n${settings.name}\n`;
  const html = `<p>${escapeHtml(title)}. The last message:</p>\n${blockquote(chat.lastMessage)}`;
  return deliverMail(env, {
    to,
    subject: title,
    text,
    html: mailLayout(settings, title, html, { label: "Open the chat", href: link }, ""),
  });
}

/** Mails answers to a visitor who has left: to the present address of their account, else to the one that they gave. */
export async function mailVisitor(
  env: Env,
  chat: { id: string; userId: string | null; userName: string; userEmail: string },
  answers: ChatMessage[],
): Promise<void> {
  const settings = shopSettings(env);
  const link = await chatLink(settings.url, env.COOKIE_SECRET, chat.id, epochSeconds());
  const { db } = openDb(env.DB);
  // The client sends them in one round trip.
  const [stored, account] = await Promise.all([
    findSettings(db),
    chat.userId === null ? null : findUser(db, chat.userId),
  ]);
  const userEmail = account?.email ?? chat.userEmail;
  if (userEmail === "") return;
  const shown = settingsView(stored);
  const answerer = answererOf({ ...shown, answererPicture: null }, answers);
  const by = answerer.answererName ? `the answer of ${staffLabel(answerer)}` : "our answer";
  const texts = answers.map(({ message }) => message);
  await deliverMail(env, answerMail(settings, { ...chat, userEmail, by, answers: texts }, link));
}

/** Builds the mail to a member of staff about a waiting visitor; the link opens the chat in the console. */
function waitingMail(
  settings: ShopSettings,
  to: string,
  visitor: { userName: string; messages: string[] },
  link: string,
): Mail {
  const title = `${visitor.userName} is waiting in the chat`;
  return {
    to,
    subject: title,
    text: `${visitor.userName} wrote, and nobody has answered yet:

${visitor.messages.map(quoted).join("\n\n")}

Answer here: ${link}

${settings.name}
`,
    html: mailLayout(
      settings,
      title,
      `<p>${escapeHtml(visitor.userName)} wrote, and nobody has answered yet:</p>\n${visitor.messages.map(blockquote).join("\n")}`,
      { label: "Answer in the console", href: link },
      "",
    ),
  };
}

/** Builds the mail with the seller's answers to a visitor who has left; the signed link opens the chat. */
function answerMail(
  settings: ShopSettings,
  visitor: { userName: string; userEmail: string; by: string; answers: string[] },
  link: string,
): Mail {
  const title = `${settings.name} has answered you`;
  return {
    to: visitor.userEmail,
    subject: title,
    text: `${salutation(visitor.userName)}

here is ${visitor.by}:

${visitor.answers.map(quoted).join("\n\n")}

Go on with the chat: ${link}

The link opens your chat for two weeks; anyone who has it can read and write there.

${settings.name}
${settings.supportEmail}
`,
    html: mailLayout(
      settings,
      title,
      `<p>${escapeHtml(salutation(visitor.userName))}</p>\n<p>here is ${escapeHtml(visitor.by)}:</p>\n${visitor.answers.map(blockquote).join("\n")}`,
      { label: "Go on with the chat", href: link },
      "<p>The link opens your chat for two weeks; anyone who has it can read and write there.</p>",
    ),
  };
}

function quoted(text: string): string {
  return wrapped(text).replace(/^/gm, "> ");
}

function blockquote(text: string): string {
  const html = escapeHtml(wrapped(text)).replaceAll("\n", "<br>\n");
  return `<blockquote style="margin:0 0 12px;padding:10px 14px;border-left:3px solid #0d5f3f;background:#fff">${html}</blockquote>`;
}

/** Wraps lines at 120 characters, since mail allows 998 bytes per line. */
function wrapped(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line.match(/.{1,120}(?=\s|$)|.{1,120}/gu) ?? []).map((part) => part.trim()).join("\n"))
    .join("\n")
    .trim();
}
