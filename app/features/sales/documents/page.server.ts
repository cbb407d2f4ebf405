import { categoryName } from "~/domain/category-name";
import { localDay } from "~/domain/days";
import { dollars } from "~/domain/money";
import { datePresets } from "~/domain/periods";
import { recentChanges } from "~/features/audit/operations.server";
import { INVOICE } from "~/features/ledger/invoice";
import { AppError } from "~/http/errors";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { issuerSettings } from "~/http/shop-settings.server";
import { readListPage } from "~/records/list-page.server";
import { isManaging } from "~/session/caller.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { formatDate, formatDateTime } from "~/ui/format";
import { depositReceiptPath, depositTitle } from "../deposit";
import { isCreditable, type SaleDocument } from "../document";
import { documentFilter } from "../operations/documents.server";
import { type DocumentPayment, paidCents } from "../payments";
import { findNumberedDeposits, type StoredDeposit } from "../queries/deposits.server";
import { documentReads, ROW_COLUMNS, toRow } from "../queries/document-list.server";
import {
  type DocumentDetails,
  type DocumentMail,
  findDocumentDetails,
} from "../queries/document-page.server";
import { recordedAt } from "../queries/documents.server";
import { receiptContent } from "../receipt/content";
import { DocumentInput } from "../schema";
import { DOCUMENTS_PATH, documentPath, parseDocumentListParams } from "../urls";

export type DocumentPage = ResultOf<typeof readDocumentPage>;
export type HistoryEntry = ReturnType<typeof history>[number];

/** Reads a document's page. @throws AppError notFound */
export const readDocumentPage = operation({
  access: "staff",
  input: PageInput.extend(DocumentInput.shape),
  async run({ input, ...context }) {
    const [details, changes, issuer] = await Promise.all([
      findDocumentDetails(context.db, input.id),
      recentChanges(context, input.id, INVOICE.fields),
      issuerSettings(context, recordedAt([input.id])),
    ]);
    if (!details) throw new AppError("notFound", "Document not found");
    const { timezone } = context.settings;
    const { requestHash: _, ...document } = details.document;
    const day = formatDate(document.createdAt, timezone);
    const isCrediting = new URL(input.url).searchParams.has("credit");
    return {
      heading: { title: document.number, trail: trailOf(context) },
      document,
      content: receiptContent(document, issuer(document.recordedAt)),
      day,
      ledgerUrl: `/admin/invoices-management?${new URLSearchParams({ document: document.number })}`,
      /** Lines of the books; null for sellers. */
      rows: isManaging(context.user)
        ? details.rows.map((row) => ({ ...row, category: categoryName(row.category) }))
        : null,
      payments: payments(details, timezone),
      replacements: details.replacements,
      history: history(details, context),
      changes,
      chat: details.chat ?? null,
      email: details.email,
      mailId: crypto.randomUUID(),
      products: details.products,
      leftToCredit: document.kind === "sale" && document.lines.some(isCreditable),
      /** Cash rounding of the sale and its credit notes. */
      roundingSoFarCents: details.credits.reduce(
        (sum, credit) => sum + credit.roundingCents,
        document.roundingCents,
      ),
      creditId: isCrediting ? crypto.randomUUID() : null,
    };
  },
});

const SALES_TITLE = "Sales";

/** Returns the pages above a document; sellers have no list of the books' lines. */
const trailOf = ({ user }: StaffContext) =>
  isManaging(user)
    ? [
        { to: "/admin/invoices-management", title: "Invoices" },
        { to: DOCUMENTS_PATH, title: "Documents" },
      ]
    : [{ to: DOCUMENTS_PATH, title: SALES_TITLE }];

/** Lists the payments of a document and of its credit notes. */
function payments({ document, credits, deposits }: DocumentDetails, timezone: string) {
  const listed = isPaidByAll(document, deposits) ? deposits : [];
  const rest =
    listed.length > 0 ? document.payments.filter(({ quoteId }) => quoteId === null) : document.payments;
  const own = { ...document, id: null, label: document.kind === "sale" ? "Paid in full" : "Paid back" };
  const all = [
    { ...own, payments: rest },
    ...credits.map((credit) => ({ ...credit, label: `Credit note ${credit.number}` })),
  ];
  const rows = all.flatMap(({ id, label, createdBy, createdAt, ...paid }) =>
    partsOf(paid).map(({ mode, amountCents, quoteId }, i) => ({
      key: `${id ?? "own"}-${i}`,
      id,
      label: labelOf(quoteId, label, paid.payments.length + (id === null ? listed.length : 0)),
      paymentMode: mode,
      createdBy,
      amountCents,
      // Another day than today has no time.
      at: (id === null && createdAt !== document.recordedAt ? formatDate : formatDateTime)(
        createdAt,
        timezone,
      ),
      receipt: null as string | null,
    })),
  );
  const first = listed.map((deposit) => ({
    ...depositRow(deposit),
    at: formatDateTime(deposit.createdAt, timezone),
  }));
  return [
    ...first,
    ...(listed.length > 0 && rest.length === 0 ? rows.filter(({ id }) => id !== null) : rows),
  ];
}

/** Detects a document that all deposits of its quote count towards; each is listed then with its day. */
function isPaidByAll({ payments: parts }: SaleDocument, deposits: StoredDeposit[]): boolean {
  const counted = parts.filter(({ quoteId }) => quoteId !== null);
  return deposits.length > 0 && paidCents(counted) === paidCents(deposits);
}

const depositRow = (deposit: StoredDeposit) => ({
  key: `deposit-${deposit.id}`,
  id: null as string | null,
  label: `${depositTitle(deposit)} ${deposit.number}`,
  receipt: depositReceiptPath(deposit.id) as string | null,
  paymentMode: deposit.mode,
  createdBy: deposit.createdBy,
  amountCents: deposit.amountCents,
});

type Paid = Pick<SaleDocument, "payments" | "paymentMode">;

/** Returns the payments of a document; one that nobody paid has one of its mode. */
const partsOf = ({ payments: parts, paymentMode }: Paid): DocumentPayment[] =>
  parts.length > 0 ? parts : [{ mode: paymentMode, amountCents: 0, quoteId: null }];

function labelOf(quoteId: string | null, label: string, count: number): string {
  if (quoteId !== null) return "Deposit";
  return count > 1 && label === "Paid in full" ? "Paid" : label;
}

/** Lists what happened to a document, newest first. */
interface HistoryLink {
  to: string;
  number: string;
}

function history(details: DocumentDetails, { settings: { timezone } }: StaffContext) {
  const { document, credits, twins, movements, hold, quote, mails, deposits } = details;
  const links = twins.map(({ id, number }) => ({ to: documentPath(id), number }));
  // A sale may be dated another day than it was recorded.
  const entry = (id: string, text: string, more: HistoryLink[] = [], time = document.recordedAt) => {
    return { id, time, at: formatDateTime(time, timezone), text, links: more };
  };
  const stock = movements.map(({ row, name, quantity, stockAfter }) =>
    entry(`stock-${row}`, `${name}: ${stockAfter - quantity} → ${stockAfter}`),
  );
  const by = document.createdBy || "the system";
  const made = document.kind === "sale" ? `Recorded by ${by}` : `Issued by ${by}`;
  const where = document.source === "chat" ? "from the chat" : "at the counter";
  const entries = [
    ...mails.map((each) => entry(each.id, mailText(each), [], each.doneAt ?? each.createdAt)),
    ...credits
      .map(({ id, number, totalCents, reason, createdBy, createdAt }) =>
        entry(
          id,
          `${dollars(-totalCents)} credited by ${createdBy}${reason ? `: ${reason}` : ""}`,
          [{ to: documentPath(id), number }],
          createdAt,
        ),
      )
      .toReversed(),
    ...(document.chatId ? [entry("chat", "Receipt sent in the chat")] : []),
    ...stock,
    ...(hold ? [entry("hold", "Hold turned into this sale")] : []),
    ...(quote ? [entry("quote", `Accepted quote: ${quote.title}`)] : []),
    ...deposits
      .map((deposit) => {
        const { id, number, amountCents, createdBy, createdAt } = deposit;
        const text = `${depositTitle(deposit)} of ${dollars(Math.abs(amountCents))} by ${createdBy}:`;
        return entry(id, text, [{ to: depositReceiptPath(id), number }], createdAt);
      })
      .toReversed(),
    entry(document.id, `${made}, ${where}${withOthers(details)}`, links),
  ];
  return entries.sort((a, b) => b.time - a.time);
}

/** Says that a document was issued together with others, to correct a sale or for another business. */
function withOthers({ document, twins }: DocumentDetails): string {
  if (twins.length === 0) return "";
  return twins.some(({ kind }) => kind !== document.kind) ? ", as a correction with" : ", together with";
}

function mailText({ recipient, createdBy, doneAt, attempts }: DocumentMail): string {
  if (doneAt !== null) return `Mailed to ${recipient} by ${createdBy}`;
  return `Mail to ${recipient} waits, tried ${attempts === 1 ? "once" : `${attempts} times`}`;
}

/** Deposits that a search by number lists above the documents. */
const MAX_DEPOSITS = 5;

export type DocumentsScreenData = ResultOf<typeof readDocumentsScreen>;

/** Reads the list of documents at its URL. */
export const readDocumentsScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const params = parseDocumentListParams(new URL(input.url).searchParams);
    const [{ value, message }, deposits] = await Promise.all([
      settledResult(listPage(context, params)),
      resultOrNull(findNumberedDeposits(context.db, params.q, MAX_DEPOSITS)),
    ]);
    const { businesses: businessNames, timezone } = context.settings;
    const common = {
      ...(!isManaging(context.user) && {
        heading: { title: SALES_TITLE, text: "Receipts and credit notes" },
      }),
      businessNames,
      deposits: (deposits ?? []).map((deposit) => ({
        ...{ id: deposit.id, number: deposit.number, amountCents: deposit.amountCents },
        text: [deposit.customerName, deposit.title, formatDate(deposit.createdAt, timezone)]
          .filter(Boolean)
          .join(", "),
      })),
      datePresets: datePresets(localDay(context.now, timezone)),
    };
    if (value) return { ...value, ...common, failure: null };
    return {
      params,
      rows: null,
      sums: null,
      total: 0,
      ...common,
      failure: `Failed to fetch documents: ${message}`,
    };
  },
});

/** Reads the page that the list's URL names. */
function listPage(context: StaffContext, params: ListParams) {
  const { db, settings } = context;
  const filter = documentFilter({ q: params.q, ...params.filters }, settings.timezone);
  return readListPage(context, params, documentReads(db, filter, ROW_COLUMNS, toRow));
}
