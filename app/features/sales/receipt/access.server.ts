import { DAY_SECONDS } from "~/domain/durations";
import { chatIdentity, staffIdentity } from "~/features/chat/operations/access.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { isLinkKey, linkKey } from "~/session/tokens.server";
import { formatDate } from "~/ui/format";
import { RECEIPTS } from "../deposit";
import type { SaleDocument } from "../document";
import { findCustomer } from "../queries/customers.server";

/** Lifetime of a mailed link. */
const LINK_SECONDS = 90 * DAY_SECONDS;

/** Right by which the caller reads a receipt. */
export type ReceiptAccess = "staff" | "chat" | "account" | "link";

/** Document or deposit, with whom it belongs to. */
type Issued = Pick<SaleDocument, "chatId" | "customerId">;

/**
 * Returns a document or deposit for staff, for the visitor of its chat, for its customer's account, or by a mailed link.
 *
 * @param found as it was found, if it was
 * @param path of its page
 * @param key of the mailed link
 * @throws AppError notFound for anyone else, whether or not it exists
 */
export async function readableReceipt<Found extends Issued>(
  context: RequestContext,
  found: Found | undefined,
  path: string,
  key: string | null | undefined,
): Promise<{ found: Found; access: ReceiptAccess }> {
  const access = found && (await accessTo(context, found, path, key));
  if (!access) throw new AppError("notFound", "Receipt not found");
  return { found, access };
}

/** Returns by which right the caller reads a receipt; a mailed link is one for those who have no other. */
async function accessTo(
  context: RequestContext,
  found: Issued,
  path: string,
  key: string | null | undefined,
): Promise<ReceiptAccess | null> {
  const access = await readerAccess(context, found);
  const { env, now } = context;
  if (access || !key) return access;
  return (await isLinkKey(env.COOKIE_SECRET, "receipt", linkName(path), key, now)) ? "link" : null;
}

async function readerAccess(
  context: RequestContext,
  { chatId, customerId }: Issued,
): Promise<ReceiptAccess | null> {
  if (await staffIdentity(context)) return "staff";
  const user = await context.caller.user();
  const [reader, customer] = await Promise.all([
    chatId ? chatIdentity(context, chatId) : null,
    user && customerId ? findCustomer(context.db, customerId) : null,
  ]);
  if (reader) return "chat";
  return user && customer?.userId === user.id ? "account" : null;
}

/** Names a receipt in the signature of its link: the id of a document, `deposit/` and the id of a deposit. */
const linkName = (path: string): string => decodeURIComponent(path.slice(RECEIPTS.length));

/** Mailed link to a receipt, with the time it expires, epoch seconds. */
export interface ReceiptLink {
  url: string;
  expires: number;
}

/** Says beside a mailed link for how long it works, and for whom. @param name such as `receipt` */
export const receiptLinkNote = (name: string, { expires }: ReceiptLink, timezone: string): string =>
  `The link shows the ${name} until ${formatDate(expires, timezone)}; anyone who has it can read it.`;

/** Creates the signed link in a mailed receipt. @param path of its page */
export async function receiptLink(
  { env, settings, now }: Pick<RequestContext, "env" | "settings" | "now">,
  path: string,
): Promise<ReceiptLink> {
  const expires = now + LINK_SECONDS;
  const key = await linkKey(env.COOKIE_SECRET, "receipt", linkName(path), expires);
  return { url: `${settings.url}${path}?key=${key}`, expires };
}
