import { openDb } from "~/db/client.server";
import { epochSeconds, HOUR_SECONDS } from "~/domain/durations";
import { documentParams } from "~/features/chat/document-question.server";
import { documentThread } from "~/features/chat/operations/mail-threads.server";
import type { IncomingMessage } from "~/features/chat/rooms";
import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { composeMail, type Mail, type MailBlock, type MailThread, salutation } from "~/http/mail.server";
import type { RequestContext } from "~/http/request-context.server";
import { issuerSettings, type ShopSettings, shopSettings } from "~/http/shop-settings.server";
import { formatDate } from "~/ui/format";
import { depositReceiptPath, receiptPath } from "./deposit";
import { depositedAt, findDeposit } from "./queries/deposits.server";
import { findDocument, recordedAt } from "./queries/documents.server";
import { findDue, findNextDue, markDelivered, type OutboxEntry, postpone } from "./queries/outbox.server";
import { type ReceiptLink, receiptLink, receiptLinkNote } from "./receipt/access.server";
import { depositContent, type ReceiptContent, receiptContent } from "./receipt/content";

/** Mails and cards of one run. */
export const MAX_ENTRIES = 50;
const RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = HOUR_SECONDS;
/** Attempts in about two days. */
const MAX_ATTEMPTS = 54;

/**
 * Delivers the due mails and cards; each failure is repeated later, at last every hour.
 *
 * @returns when the next one is due, epoch milliseconds; null when none waits
 */
export async function deliverDue(env: Env): Promise<number | null> {
  const { db } = openDb(env.DB);
  const now = epochSeconds();
  for (const entry of await findDue(db, now, MAX_ENTRIES)) {
    try {
      await (entry.kind === "mail" ? mail({ env, db }, entry, now) : post(env, entry));
      await markDelivered(db, entry, now);
    } catch (error) {
      if (entry.kind === "mail") await recordFailure(env, { kind: "mail", place: "Receipt" }, error);
      else console.warn("A card of a sale could not be delivered:", error);
      await postpone(db, entry.id, nextAttempt(entry, now));
    }
  }
  const next = await findNextDue(db);
  return next === null || next === Number.MAX_SAFE_INTEGER ? null : next * 1000;
}

function nextAttempt({ attempts }: OutboxEntry, now: number): number | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  return now + Math.min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** Math.min(attempts, 10));
}

async function mail(
  { env, db }: Pick<RequestContext, "env" | "db">,
  { documentId: id, recipient }: OutboxEntry,
  now: number,
): Promise<void> {
  const issued = id ? await findIssued({ env, db }, id) : undefined;
  if (!issued) return;
  const settings = await shopSettings({ db, env });
  const link = await receiptLink({ env, settings, now }, issued.path);
  const thread = await documentThread({ env, db }, settings, issued, recipient);
  const content = receiptMail(settings, { to: recipient, thread }, issued, link);
  await deliverMail(env, settings, content);
}

/** Receipt to be mailed. */
interface IssuedReceipt {
  /** Path of its page. */
  path: string;
  content: ReceiptContent;
  customerName: string;
  customerId: string | null;
  chatId: string | null;
  /** Epoch seconds. */
  createdAt: number;
}

/** Finds the receipt of a document, else of a deposit, as the shop of its time states it. */
async function findIssued(
  context: Pick<RequestContext, "env" | "db">,
  id: string,
): Promise<IssuedReceipt | undefined> {
  const { db } = context;
  const document = await findDocument(db, id);
  if (document) {
    const issuer = await issuerSettings(context, recordedAt([id]));
    const content = receiptContent(document, issuer(document.recordedAt));
    return { ...document, path: receiptPath(id), content };
  }
  const deposit = await findDeposit(db, id);
  if (!deposit) return undefined;
  const issuer = await issuerSettings(context, depositedAt(id));
  return {
    ...deposit,
    path: depositReceiptPath(id),
    content: depositContent(deposit, issuer(deposit.recordedAt)),
  };
}

async function post(env: Env, { recipient, content }: OutboxEntry): Promise<void> {
  // A chat that was deleted meanwhile has no card.
  await env.CHAT_ROOM.getByName(recipient).post(JSON.parse(content ?? "") as IncomingMessage);
}

/**
 * Builds the mail with the signed link to a receipt. Receipts are passed on: the link to the chat opens the reader's own,
 * with the question begun (docs/decisions/0106-where-replies-go.md).
 *
 * @param reader address and, in a conversation, its thread
 */
function receiptMail(
  settings: ShopSettings,
  { to, thread }: { to: string; thread: MailThread | undefined },
  { createdAt, customerName, content }: IssuedReceipt,
  link: ReceiptLink,
): Mail {
  const { title, number, seller, sellerDetails, total } = content;
  const name = title.toLowerCase();
  const subject = `${title} ${number} from ${seller}`;
  const greeting = customerName ? salutation(customerName) : "Hello,";
  const day = formatDate(createdAt, settings.timezone);
  const sentence = `here is your ${name} of ${day}, ${number}: ${total.amount}.`;
  const note = receiptLinkNote(name, link, settings.timezone);
  const ask = `${settings.url}/chat?ask&${documentParams({ title, number })}`;
  const continued = thread?.replyTo ? ", which continues our conversation," : "";
  return composeMail(settings, {
    ...{ to, subject, thread },
    before: [greeting, sentence, itemsOf(content), [seller, ...sellerDetails].join(", ")],
    button: { label: `Open the ${name}`, href: link.url },
    after: [
      note,
      `A question? Reply to this mail${continued} or ask in the chat.`,
      { label: "Ask in the chat", href: ask },
    ],
  });
}

/** Lines of a receipt that its mail lists; the page has all. */
const MAX_LINES = 20;

/** Lists what was bought, its sums and what was paid. */
function itemsOf({ lines, sums, paid }: ReceiptContent): MailBlock {
  const items = lines.map(({ quantity, description, amount }) => {
    const pieces = quantity === "" || quantity === "1" ? "" : `${quantity} × `;
    return `${pieces}${description}: ${amount}`;
  });
  const more = items.length - MAX_LINES;
  const amounts = [...sums, ...paid].map(({ label, amount }) => `${label}: ${amount}`);
  return { list: [...items.slice(0, MAX_LINES), ...(more > 0 ? [`and ${more} more`] : []), ...amounts] };
}
