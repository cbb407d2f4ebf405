import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { findUser } from "~/features/accounts/queries.server";
import { deliverMail } from "~/features/incidents/mail.server";
import { emailKey } from "~/http/email-address";
import { AppError } from "~/http/errors";
import { composeMail, type Mail, type MailBlock, type MailThread, salutation } from "~/http/mail.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { isLinkKey, linkKey } from "~/session/tokens.server";
import { findChatSubject } from "../list.queries.server";
import { findConversations } from "../mails.queries.server";
import type { ChatMessage } from "../protocol";
import { findSettings, type StaffAddress } from "../queries.server";
import { LinkInput } from "../schema";
import { answererOf, staffLabel } from "../staff-label";
import { knownName } from "../visitor-label";
import { rememberChat } from "./access.server";
import { type ChatSubject, type MailedProducts, readMailedProducts } from "./mail-products.server";
import { mailThread } from "./mail-threads.server";
import { settingsView } from "./settings.server";

/** Lifetime of a mailed link. */
const LINK_SECONDS = 14 * DAY_SECONDS;

/** Identifies what a mailed link opens: a chat, for the address that it was mailed to. */
const linkId = (chatId: string, address: string) => `${chatId}\0${emailKey(address)}`;

/**
 * Creates the signed link in a mailed answer; it opens one chat for 14 days, while the address is one of its visitor.
 *
 * @param shopUrl origin, from SHOP_URL
 * @param secret COOKIE_SECRET
 * @param to address that it is mailed to
 * @param now epoch seconds
 */
export async function chatLink(
  shopUrl: string,
  secret: string,
  chatId: string,
  { to, now }: { to: string; now: number },
): Promise<string> {
  const key = await linkKey(secret, "chat", linkId(chatId, to), now + LINK_SECONDS);
  return `${shopUrl}/chat/${chatId}?key=${key}`;
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
 * @throws AppError forbidden (403) when the link has expired, its signature is invalid, or the visitor has another address now
 */
export async function requireLink(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  chatId: string,
  key: string,
): Promise<void> {
  const [chat] = await findConversations(db, { chatId, customerId: null });
  const addresses = chat ? [chat.address, chat.customerAddress].filter(Boolean) : [];
  // Links that the version before has mailed name the chat alone.
  const ids = [...addresses.map((address) => linkId(chatId, address)), chatId];
  const checks = ids.map((id) => isLinkKey(env.COOKIE_SECRET, "chat", id, key, now));
  if (!(await Promise.all(checks)).includes(true))
    throw new AppError("forbidden", "This link has expired. Please start a new chat.");
}

/** Visitor who waits: their messages, and the products that the mails name. */
interface Waiting {
  id: string;
  userName: string;
  messages: string[];
  products: MailedProducts;
}

/** Mails a member of staff that a visitor is waiting, unless they have turned the chat's mails off. */
export async function mailStaff(env: Env, to: StaffAddress, waiting: Waiting): Promise<void> {
  const { id, userName, messages, products } = waiting;
  const settings = await settingsForTask(env);
  const thread = await mailThread(env, settings, id, { userId: to.id, email: to.email });
  if (!thread) return;
  const title = titleOf(`${userName} is waiting in the chat`, products);
  const opening = `${userName} wrote, and nobody has answered yet:`;
  const words = { title, opening, messages: messages.map(quoted), about: products.about };
  await deliverMail(env, settings, chatMail(settings, thread, consoleMail(settings, to, waiting, words)));
}

/**
 * Mails a member of staff that a colleague has assigned them a chat, unless they have turned its mails off.
 *
 * @param by name of the colleague
 */
export async function mailAssignee(
  env: Env,
  to: StaffAddress,
  chat: { id: string; userName: string; lastMessage: string },
  by: string,
): Promise<void> {
  const settings = await settingsForTask(env);
  const thread = await mailThread(env, settings, chat.id, { userId: to.id, email: to.email });
  if (!thread) return;
  const { db } = openDb(env.DB);
  const products = await readMailedProducts(db, settings, await findChatSubject(db, chat.id));
  const act = `${by} assigned you the chat with ${chat.userName}`;
  const words = {
    title: titleOf(act, products),
    opening: `${act}. The last message:`,
    messages: [quoted(chat.lastMessage)],
    about: products.about,
  };
  await deliverMail(env, settings, chatMail(settings, thread, consoleMail(settings, to, chat, words)));
}

/** Chat whose visitor is mailed. */
type VisitorChat = { id: string; userId: string | null; userName: string; userEmail: string } & ChatSubject;

/**
 * Mails answers to a visitor who has left: to the present address of their account, else to the one that they gave.
 *
 * @param cards what the cards of a sale in the answers say, by message
 */
export async function mailVisitor(
  env: Env,
  chat: VisitorChat,
  answers: ChatMessage[],
  cards: ReadonlyMap<string, MailBlock[]>,
): Promise<void> {
  const settings = await settingsForTask(env);
  const { db } = openDb(env.DB);
  // The client sends them in one round trip.
  const [stored, account] = await Promise.all([
    findSettings(db),
    chat.userId === null ? null : findUser(db, chat.userId),
  ]);
  const to = account?.email ?? chat.userEmail;
  const thread = to === "" ? null : await mailThread(env, settings, chat.id, { email: to });
  if (!thread) return;
  const link = await chatLink(settings.url, env.COOKIE_SECRET, chat.id, { to, now: epochSeconds() });
  const shown = settingsView(stored);
  const answerer = answererOf({ ...shown, answererPicture: null }, answers);
  const by = answerer.answererName ? `the answer of ${staffLabel(answerer)}` : "our answer";
  const products = await readMailedProducts(db, settings, chat, answers);
  const words: ChatMailWords = {
    to,
    title: titleOf(`${settings.name} has answered you`, products),
    greeting: salutation(knownName(chat.userName)),
    opening: `here is ${by}:`,
    preview: answers.map(({ message }) => message).join(" "),
    messages: answers.flatMap((answer) => [
      quoted(mailedText(answer)),
      ...products.ofMessage(answer),
      ...fileLink(answer, link),
      ...(cards.get(answer.id) ?? []),
    ]),
    about: products.about,
    link,
    note: "The link opens your chat for two weeks; anyone who has it can read and write there.",
  };
  await deliverMail(env, settings, chatMail(settings, thread, words));
}

/** Returns an answer after the line that it quotes. */
const mailedText = ({ message, replyTo }: ChatMessage): string =>
  replyTo ? `Reply to “${replyTo.text}”:\n${message}` : message;

/** Leads to the files of an answer, which its text names alone. */
const fileLink = ({ cards = [] }: ChatMessage, href: string): MailBlock[] =>
  cards.some(({ type }) => type === "file") ? [{ label: "See it in the conversation", href }] : [];

const quoted = (quote: string): MailBlock => ({ quote });

/** Appends what a conversation is about to the title of its mails: the same each time, by which mail programs join them. */
const titleOf = (title: string, { subject }: MailedProducts): string =>
  subject ? `${title}: ${subject}` : title;

/** Words of a mail of a conversation. */
interface ChatMailWords {
  to: string;
  title: string;
  greeting?: string;
  opening: string;
  /** Shown beside the subject in a list of mails. */
  preview?: string;
  /** Messages that it quotes, with what belongs to them. */
  messages: MailBlock[];
  /** Product that the conversation is about. */
  about: MailBlock[];
  /** Address of the conversation. */
  link: string;
  /** Said about the link. */
  note?: string;
}

/** Adds who reads a mail to staff, and the link that opens the chat in the console. */
const consoleMail = (
  { url }: ShopSettings,
  { email }: StaffAddress,
  { id }: { id: string },
  words: Pick<ChatMailWords, "title" | "opening" | "messages" | "about">,
): ChatMailWords => ({ ...words, to: email, link: `${url}/admin/chat?chat=${encodeURIComponent(id)}` });

/** Builds a mail of a conversation: what was written, how to answer, and how to get no more of them. */
function chatMail(settings: ShopSettings, thread: MailThread, words: ChatMailWords): Mail {
  const { to, title, greeting, opening, messages, about, link, note, preview } = words;
  const label = "Open the conversation";
  return composeMail(settings, {
    ...{ to, subject: title, thread, ...(preview && { preview }) },
    before: [
      ...(greeting ? [greeting] : []),
      opening,
      ...messages,
      ...about,
      ...(thread.replyTo ? ["Reply to this mail or open the conversation."] : []),
    ],
    button: { label, href: link },
    after: [
      ...(note ? [note] : []),
      { label: "Get no more mails of this conversation", href: thread.stopUrl },
    ],
  });
}
