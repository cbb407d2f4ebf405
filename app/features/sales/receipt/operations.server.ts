import { z } from "zod";
import { openDb } from "~/db/client.server";
import { dollars } from "~/domain/money";
import { findUser } from "~/features/accounts/queries.server";
import { consoleUrl } from "~/features/chat/console-params";
import { documentParams } from "~/features/chat/document-question.server";
import { findVisitorChats } from "~/features/chat/list.queries.server";
import { readPicture } from "~/features/storage/operations/objects.server";
import { AppError, validationError } from "~/http/errors";
import { operation, parseInput, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { issuerSettings } from "~/http/shop-settings.server";
import { fullName } from "~/session/caller.server";
import { formatDateTime } from "~/ui/format";
import { depositReceiptPath, receiptPath } from "../deposit";
import { creditedText, isCreditable, type SaleDocument } from "../document";
import { deliver } from "../outbox.server";
import { findCustomer } from "../queries/customers.server";
import { depositedAt, findDeposit } from "../queries/deposits.server";
import {
  type DocumentRef,
  findDocument,
  findDocuments,
  findReplacements,
  recordedAt,
  type StoredDocument,
} from "../queries/documents.server";
import { findOutboxEntry } from "../queries/outbox.server";
import { MailReceiptInput, ReceiptIds, ReceiptInput } from "../schema";
import { documentPath } from "../urls";
import { type ReceiptAccess, readableReceipt } from "./access.server";
import { depositContent, type ReceiptShop, receiptContent } from "./content";

type Reader = Parameters<typeof issuerSettings>[0];

/** Reads a document with the settings of its time, in one round trip. */
const findIssued = (context: Reader, id: string) =>
  Promise.all([findDocument(context.db, id), issuerSettings(context, recordedAt([id]))]);

/** Reads a deposit with the settings of its time, in one round trip. */
const findIssuedDeposit = (context: Reader, id: string) =>
  Promise.all([findDeposit(context.db, id), issuerSettings(context, depositedAt(id))]);

/** Reads a receipt's page. @throws AppError notFound without access, whether or not the document exists */
export const readReceipt = operation({
  access: "anyone",
  input: ReceiptInput,
  ahead: ({ input: { id }, db, env }) => Promise.all([findIssued({ db, env }, id), findReplacements(db, id)]),
  async run({ input: { id, key }, ahead, ...context }) {
    const [[found, issuer], replacements] = await ahead;
    const { found: document, access } = await readableReceipt(context, found, receiptPath(id), key);
    const content = receiptContent(document, issuer(document.recordedAt));
    const about = documentParams(content);
    return {
      content,
      issued: formatDateTime(document.createdAt, context.settings.timezone),
      isInChat: document.chatId !== null,
      pdf: `${receiptPath(id)}.pdf${linkQuery(access, key)}`,
      /** The sale that a credit note corrects; a mailed link opens only the credit note. */
      original: access === "link" ? null : document.originalId && receiptPath(document.originalId),
      /** Its page in the back office; null for shoppers. */
      office: access === "staff" ? documentPath(document.id) : null,
      chat: access === "chat" ? `/chat/${document.chatId}?${about}` : `/chat?ask&${about}`,
      returned: returnedProducts(document, replacements),
    };
  },
});

/** Reads the page of a deposit's receipt. @throws AppError notFound without access, whether or not the deposit exists */
export const readDepositReceipt = operation({
  access: "anyone",
  input: ReceiptInput,
  ahead: ({ input: { id }, db, env }) => findIssuedDeposit({ db, env }, id),
  async run({ input: { id, key }, ahead, ...context }) {
    const [found, issuer] = await ahead;
    const { found: deposit, access } = await readableReceipt(context, found, depositReceiptPath(id), key);
    const content = depositContent(deposit, issuer(deposit.recordedAt));
    const about = documentParams(content);
    return {
      content,
      issued: formatDateTime(deposit.createdAt, context.settings.timezone),
      isInChat: deposit.chatId !== null,
      pdf: `${depositReceiptPath(id)}.pdf${linkQuery(access, key)}`,
      original: null,
      office: access === "staff" ? consoleUrl({ chat: deposit.chatId }) : null,
      chat: access === "chat" ? `/chat/${deposit.chatId}?${about}` : `/chat?ask&${about}`,
      returned: "",
    };
  },
});

/** Sends the receipt of a deposit as PDF. @throws AppError notFound, as `readDepositReceipt` */
export const depositFile = operation({
  access: "anyone",
  input: ReceiptInput,
  ahead: ({ input: { id }, db, env }) => findIssuedDeposit({ db, env }, id),
  async run({ input: { id, key }, ahead, ...context }) {
    const [found, issuer] = await ahead;
    const { found: deposit } = await readableReceipt(context, found, depositReceiptPath(id), key);
    const settings = issuer(deposit.recordedAt);
    const { contentsPdf } = await import("./pdf.server");
    const contents = [depositContent(deposit, settings)];
    const pdf = await contentsPdf(contents, deposit.createdAt, settings, logoReader(context));
    return pdfResponse(pdf, deposit.number);
  },
});

/** Query of the PDF's address for a reader by the mailed link. */
const linkQuery = (access: ReceiptAccess, key: string | null | undefined): string =>
  access === "link" && key ? `?${new URLSearchParams({ key })}` : "";

/** Describes the products that credit notes took back, and names the sales in their place; empty when there are none. */
function returnedProducts({ lines }: SaleDocument, replacements: DocumentRef[]): string {
  const credited = lines.filter((line) => creditedText(line) !== "");
  if (credited.length === 0) return "";
  const numbers = replacements.map(({ number }) => number).join(" and ");
  if (numbers) return `Corrected later by receipt ${numbers}.`;
  if (!lines.some(isCreditable)) return "All of it was taken back later.";
  const products = credited.map(({ returned, creditedCents, description }) =>
    returned > 0 ? `${returned} × ${description}` : `${dollars(creditedCents)} of ${description}`,
  );
  return `Taken back later: ${products.join(", ")}`;
}

/** Sends a receipt as PDF. @throws AppError notFound, as `readReceipt` */
export const receiptFile = operation({
  access: "anyone",
  input: ReceiptInput,
  ahead: ({ input: { id }, db, env }) => findIssued({ db, env }, id),
  async run({ input: { id, key }, ahead, ...context }) {
    const [found, issuer] = await ahead;
    const { found: document } = await readableReceipt(context, found, receiptPath(id), key);
    return documentsResponse(context, [document], issuer, document.number);
  },
});

/** Sends several receipts as one PDF, in the order of `ids`. @throws AppError invalid, notFound */
export const receiptsFile = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const ids = parseInput(ReceiptIds, new URL(input.url).searchParams.get("ids") ?? "");
    const [documents, issuer] = await Promise.all([
      findDocuments(context.db, ids),
      issuerSettings(context, recordedAt(ids)),
    ]);
    const [first, ...others] = documents;
    if (!first || documents.length < ids.length) throw new AppError("notFound", "Receipt not found");
    return documentsResponse(context, [first, ...others], issuer, "receipts");
  },
});

const logoReader =
  ({ env }: Pick<Reader, "env">) =>
  (key: string) =>
    readPicture(env, key);

async function documentsResponse(
  context: Pick<Reader, "env">,
  documents: [StoredDocument, ...StoredDocument[]],
  issuer: (issuedAt: number) => ReceiptShop,
  name: string,
): Promise<Response> {
  // Loaded here, since library and fonts are larger than the rest of the Worker's pages.
  const { receiptPdf } = await import("./pdf.server");
  const pdf = await receiptPdf(documents, ({ recordedAt }) => issuer(recordedAt), logoReader(context));
  return pdfResponse(pdf, name);
}

const pdfResponse = (pdf: Uint8Array<ArrayBuffer>, name: string) =>
  new Response(pdf, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${name}.pdf"`,
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
    },
  });

/**
 * Mails the link of a receipt, of a document or a deposit. The mail is stored first: one that the mail server refuses now is sent later.
 *
 * @returns the recipient's address, and false for a mail that waits
 * @throws AppError notFound; invalid when nobody left an address; conflict when the id belongs to another mail
 */
export const mailReceipt = operation({
  route: "POST sale/:id/mail",
  summary: "Mail a receipt",
  answer: z.object({ to: z.string(), isSent: z.boolean() }),
  errors: [409],
  access: "staff",
  input: MailReceiptInput,
  async run({ input: { id, to, mailId = crypto.randomUUID() }, ...context }) {
    const found = (await findDocument(context.db, id)) ?? (await findDeposit(context.db, id));
    if (!found) throw new AppError("notFound", "Receipt not found");
    const address = to ?? (await addressOf(context, found));
    if (!address) throw validationError([{ path: "to", message: "Enter an email address" }]);
    const stored = await deliver(context, {
      id: mailId,
      kind: "mail",
      recipient: address,
      documentId: id,
      content: null,
      createdAt: context.now,
      createdBy: fullName(context.user),
    });
    repeatedAnswer(stored, { recipient: address, documentId: id }, "Another mail was sent with this id.");
    // The delivery has written with a client of its own, which the request's bookmark is older than.
    const now = await findOutboxEntry(openDb(context.env.DB).db, mailId);
    return { to: address, isSent: now?.doneAt != null };
  },
});

/** Finds the e-mail address of the customer, else of the account that wrote, else the one left in the chat; "" for none. */
async function addressOf(
  { db }: Pick<StaffContext, "db">,
  { customerId, chatId }: Pick<SaleDocument, "customerId" | "chatId">,
): Promise<string> {
  const customer = customerId ? await findCustomer(db, customerId) : undefined;
  if (customer?.email || !chatId) return customer?.email ?? "";
  const [chat] = await findVisitorChats(db, [chatId], null);
  const account = chat?.userId ? await findUser(db, chat.userId) : null;
  return account?.email ?? chat?.userEmail ?? "";
}
