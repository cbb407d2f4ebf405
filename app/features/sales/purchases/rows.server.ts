import { formatWeekday } from "~/domain/day-text";
import { PAID_BY, type PaymentMode } from "~/domain/enums";
import { formatUntil } from "~/domain/hold-end";
import type { ShopClock } from "~/domain/hours";
import { dayInYear, localTime } from "~/domain/local-time";
import { dollars } from "~/domain/money";
import { documentParams, holdParams, quoteParams } from "~/features/chat/document-question.server";
import { formatDate, listNames } from "~/ui/format";
import { depositReceiptPath, depositTitle, leftLabel } from "../deposit";
import { byMode } from "../payments";
import type {
  PurchasedDeposit,
  PurchasedDocument,
  PurchasedHold,
  PurchasedQuote,
} from "../queries/purchases.server";
import type { Purchase } from "./view";

/** Reader of the list: the conversations that they may read, and the clock. */
export interface Reader {
  chats: Set<string>;
  now: number;
  settings: ShopClock;
}

/** Products that the title of a row names. */
const MAX_NAMES = 3;

const itemNames = (items: { quantity: number; name: string }[]): string =>
  listNames(
    items.map(({ quantity, name }) => (Math.abs(quantity) > 1 ? `${Math.abs(quantity)} × ${name}` : name)),
    MAX_NAMES,
  );

/** Returns the conversation of a row and the page that asks about it, there or in one to come. */
function question({ chats }: Reader, chatId: string | null, about: URLSearchParams) {
  const own = chatId !== null && chats.has(chatId) ? chatId : null;
  return { chatId: own, ask: own ? `/chat/${own}?${about}` : `/chat?ask&${about}` };
}

const paidBy = (modes: PaymentMode[]): string => modes.map((mode) => PAID_BY[mode]).join(", ");

/** Formats a receipt or credit note. */
export function documentRow(document: PurchasedDocument, reader: Reader): Purchase {
  const { id, kind, number, items, totalCents, createdAt, chatId, payments, originalNumber } = document;
  const names = itemNames(items.map(({ quantity, description }) => ({ quantity, name: description })));
  const title = kind === "credit" ? "Credit note" : "Receipt";
  const page = `/receipts/${encodeURIComponent(id)}`;
  const corrects = originalNumber ? `. Corrects ${originalNumber}.` : "";
  const modes = byMode(payments).map(({ mode }) => mode);
  return {
    key: `document-${id}`,
    kind: kind === "credit" ? "credit" : "receipt",
    id,
    title: kind === "credit" ? `${title}, ${names}` : names,
    image: document.image,
    details: `${number}, ${formatDate(createdAt, reader.settings.timezone)}${corrects}`,
    waits: "",
    amount: dollars(totalCents),
    payment: paidBy(modes.length > 0 ? modes : [document.paymentMode]),
    sums: [],
    receipt: { page, pdf: `${page}.pdf` },
    ...question(reader, chatId, documentParams({ title, number })),
  };
}

/** Formats a deposit, or what was paid back of one. */
export function depositRow(deposit: PurchasedDeposit, reader: Reader): Purchase {
  const { id, number, amountCents, createdAt, chatId, mode, image } = deposit;
  const title = depositTitle(deposit);
  const page = depositReceiptPath(id);
  return {
    key: `deposit-${id}`,
    kind: "deposit",
    id,
    title: deposit.title === null ? title : `${title}, ${deposit.title}`,
    image,
    details: `${number}, ${formatDate(createdAt, reader.settings.timezone)}${stateOf(deposit)}`,
    waits: "",
    amount: dollars(amountCents),
    payment: paidBy([mode]),
    sums: [],
    receipt: { page, pdf: `${page}.pdf` },
    ...question(reader, chatId, documentParams({ title, number })),
  };
}

/** Says what has become of a deposit; nothing of what was paid back, and of a quote that was withdrawn. */
function stateOf({ amountCents, isSold, isAccepted }: PurchasedDeposit): string {
  if (amountCents < 0 || !isAccepted) return "";
  return isSold ? ". Counts towards your receipt." : ". No sale yet.";
}

/** Formats a quote that waits for an answer, or an accepted one that waits for its sale. */
export function quoteRow(quote: PurchasedQuote, reader: Reader): Purchase {
  const { id, title, totalCents, paidCents, readyBy, image, chatId } = quote;
  const isSent = quote.state === "sent";
  const ready = readyBy && `Ready ${formatWeekday(readyBy)}`;
  return {
    key: `quote-${id}`,
    kind: isSent ? "quote" : "order",
    id,
    title,
    image,
    details: isSent ? ["Quote", ready && `${ready} if you accept`].filter(Boolean).join(". ") : "Accepted",
    waits: isSent ? `Waits for you until ${validDay(quote, reader)}` : ready,
    amount: dollars(totalCents),
    payment: "",
    sums: paidCents > 0 ? paidSums(quote) : [],
    receipt: null,
    ...question(reader, chatId, quoteParams(totalCents)),
  };
}

const paidSums = ({ paidCents, totalCents, addedTax }: PurchasedQuote) => [
  { label: "Deposit paid", amount: dollars(-paidCents) },
  { label: leftLabel(addedTax), amount: dollars(totalCents - paidCents) },
];

function validDay({ validUntil }: PurchasedQuote, { now, settings: { timezone } }: Reader): string {
  return dayInYear(localTime(validUntil, timezone), localTime(now, timezone));
}

/** Formats an active hold, with what its pieces cost today. */
export function holdRow(hold: PurchasedHold, reader: Reader): Purchase {
  const { id, lines, until, priceCents, image, chatId } = hold;
  return {
    key: `hold-${id}`,
    kind: "hold",
    id,
    title: itemNames(lines),
    image,
    details: "Set aside for you, nothing is charged.",
    waits: `Until ${formatUntil(until, reader.now, reader.settings)}`,
    amount: dollars(priceCents),
    payment: "",
    sums: [],
    receipt: null,
    ...question(reader, chatId, holdParams()),
  };
}
