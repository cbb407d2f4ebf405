import { DAY_SECONDS } from "~/domain/durations";
import { chatIdentity, staffIdentity } from "~/features/chat/operations/access.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { isLinkKey, linkKey } from "~/session/tokens.server";
import type { SaleDocument } from "../document";
import { findCustomer } from "../queries/customers.server";
import type { StoredDeposit } from "../queries/deposits.server";

/** Lifetime of a mailed link. */
const LINK_SECONDS = 90 * DAY_SECONDS;

/** Right by which the caller reads a receipt. */
export type ReceiptAccess = "staff" | "chat" | "account" | "link";

/**
 * Returns a document for staff, for the visitor of its chat, for its customer's account, or by a mailed link.
 *
 * @param document as it was found, if it was
 * @param key of the mailed link
 * @throws AppError notFound for anyone else, whether or not the document exists
 */
export async function readableReceipt<Found extends SaleDocument>(
  context: RequestContext,
  document: Found | undefined,
  key: string | null | undefined,
): Promise<{ document: Found; access: ReceiptAccess }> {
  const access = document && (await accessTo(context, document, key));
  if (!access) throw new AppError("notFound", "Receipt not found");
  return { document, access };
}

/** Returns a deposit for staff, for the visitor of its quote's chat and for their account. @throws AppError notFound */
export async function readableDeposit(
  context: RequestContext,
  deposit: StoredDeposit | undefined,
): Promise<{ deposit: StoredDeposit; access: ReceiptAccess }> {
  const access = deposit && (await readerAccess(context, deposit));
  if (!access) throw new AppError("notFound", "Receipt not found");
  return { deposit, access };
}

/** Returns by which right the caller reads a document; a mailed link is one for those who have no other. */
async function accessTo(
  context: RequestContext,
  document: SaleDocument,
  key: string | null | undefined,
): Promise<ReceiptAccess | null> {
  const access = await readerAccess(context, document);
  const { env, now } = context;
  if (access || !key) return access;
  return (await isLinkKey(env.COOKIE_SECRET, "receipt", document.id, key, now)) ? "link" : null;
}

async function readerAccess(
  context: RequestContext,
  document: Pick<SaleDocument, "chatId" | "customerId">,
): Promise<ReceiptAccess | null> {
  if (await staffIdentity(context)) return "staff";
  const user = await context.caller.user();
  const [reader, customer] = await Promise.all([
    document.chatId ? chatIdentity(context, document.chatId) : null,
    user && document.customerId ? findCustomer(context.db, document.customerId) : null,
  ]);
  if (reader) return "chat";
  return user && customer?.userId === user.id ? "account" : null;
}

/** Creates the signed link in a mailed receipt. @returns URL and the time it expires, epoch seconds */
export async function receiptLink(
  { env, settings, now }: Pick<RequestContext, "env" | "settings" | "now">,
  id: string,
) {
  const expires = now + LINK_SECONDS;
  const key = await linkKey(env.COOKIE_SECRET, "receipt", id, expires);
  return { url: `${settings.url}/receipts/${encodeURIComponent(id)}?key=${key}`, expires };
}
