import { type BusinessNames, businessName, PAID_BY } from "~/domain/enums";
import { type OpeningHours, weekText } from "~/domain/hours";
import { dollars } from "~/domain/money";
import { formatDate } from "~/ui/format";
import { depositTitle, leftLabel } from "../deposit";
import { type DocumentLine, discountText, type SaleDocument } from "../document";

/** Shop that issued a document, as its receipts state it. */
export interface ReceiptShop {
  name: string;
  businesses: BusinessNames;
  hours: OpeningHours;
  sales: { receiptText: string; receiptHours: boolean };
  /** Postal address in one line; empty for none. */
  address: string;
  /** Key of the logo's picture; "" for the sign that the shop brings along. */
  logo: string;
  /** Origin of the shop's pages. */
  url: string;
  timezone: string;
}

/** Row of a receipt's table, formatted. */
export interface ReceiptLine {
  line: number;
  description: string;
  /** Discount with its reason; empty without one. */
  note: string;
  /** Pieces, positive on a credit note too; empty where an amount is credited without any. */
  quantity: string;
  /** Price of one piece before the discount, positive on a credit note too; empty where the amount is not a multiple of it. */
  price: string;
  amount: string;
}

/** Label and amount below the table. */
export interface ReceiptSum {
  label: string;
  amount: string;
}

/** Texts of a receipt or credit note, the same on the page, in print and in the PDF. */
export interface ReceiptContent {
  title: string;
  number: string;
  /** Trade name of the business. */
  seller: string;
  /** The shop's mark stands beside the name. */
  hasMark: boolean;
  /** Key of the logo in its place; "" for the sign that the shop brings along. */
  logo: string;
  /** Address, tax number and web address below the name. */
  sellerDetails: string[];
  facts: { label: string; value: string }[];
  /** Sale that a credit note corrects. */
  original: { id: string; number: string; reason: string } | null;
  lines: ReceiptLine[];
  sums: ReceiptSum[];
  total: ReceiptSum;
  /** Deposits, then what was paid with the document, by mode. */
  paid: ReceiptSum[];
  footer: string;
}

/** Formats a document for its page and its PDF. */
export function receiptContent(document: SaleDocument, shop: ReceiptShop): ReceiptContent {
  const isCredit = document.kind === "credit";
  const total = dollars(document.totalCents);
  const name = document.customerName.trim();
  return {
    title: isCredit ? "Credit note" : "Receipt",
    number: document.number,
    seller: businessName(document.businessType, shop.businesses),
    hasMark: document.businessType === "EMPORIA",
    logo: shop.logo,
    sellerDetails: sellerDetails(document, shop),
    facts: [
      { label: "Number", value: document.number },
      { label: "Date", value: formatDate(document.createdAt, shop.timezone) },
      ...(name ? [{ label: "For", value: name }] : []),
    ],
    original: original(document),
    lines: document.lines.map((line) => receiptLine(line, document)),
    sums: sums(document),
    total: { label: isCredit ? "Credited" : "Total", amount: total },
    paid: paid(document),
    footer: [footer(document), ownText(shop)].filter(Boolean).join("\n"),
  };
}

/** Deposit as its receipt states it; the title and total of the quote are null once it is deleted. */
interface IssuedDeposit {
  number: string;
  businessType: SaleDocument["businessType"];
  mode: SaleDocument["paymentMode"];
  amountCents: number;
  note: string;
  createdAt: number;
  /** Sum of the quote's deposits with this one. */
  paidCents: number;
  title: string | null;
  totalCents: number | null;
  /** Tax that the sale will add; null for none. */
  addedTax: string | null;
  customerName: string;
}

/** Formats a deposit for its page and its PDF: no sale yet, it states no tax. */
export function depositContent(deposit: IssuedDeposit, shop: ReceiptShop): ReceiptContent {
  const { number, businessType, amountCents, mode, title, customerName, note } = deposit;
  const isBack = amountCents < 0;
  const amount = dollars(amountCents);
  return {
    title: depositTitle(deposit),
    number,
    seller: businessName(businessType, shop.businesses),
    hasMark: businessType === "EMPORIA",
    logo: shop.logo,
    sellerDetails: [shop.address, webAddress(shop)].filter(Boolean),
    facts: [
      { label: "Number", value: number },
      { label: "Date", value: formatDate(deposit.createdAt, shop.timezone) },
      ...(customerName ? [{ label: "For", value: customerName }] : []),
      ...(note ? [{ label: "Note", value: note }] : []),
    ],
    original: null,
    lines: [
      {
        line: 1,
        note: "",
        description: title === null ? depositTitle(deposit) : `${depositTitle(deposit)}: ${title}`,
        quantity: "1",
        price: dollars(Math.abs(amountCents)),
        amount,
      },
    ],
    sums: depositSums(deposit),
    total: { label: depositTitle(deposit), amount },
    paid: [{ label: `${isBack ? "Given back" : "Paid"}, ${PAID_BY[mode]}`, amount }],
    footer: isBack ? "" : "A deposit is no sale yet. It counts towards the sale of what was quoted.",
  };
}

/** Formats the quote of a deposit, what was paid before, and what is left to pay after it. */
function depositSums({ totalCents, paidCents, amountCents, addedTax }: IssuedDeposit): ReceiptSum[] {
  if (totalCents === null) return [];
  const before = paidCents - amountCents;
  return [
    { label: "Quote", amount: dollars(totalCents) },
    ...(before > 0 ? [{ label: "Paid before", amount: dollars(before) }] : []),
    {
      label: leftLabel(addedTax),
      amount: dollars(totalCents - paidCents),
    },
  ];
}

const webAddress = ({ url }: ReceiptShop) => url.replace(/^https?:\/\//, "");

/** Lists the payments; a document that nobody paid has one of its mode. */
function paid({ kind, payments, paymentMode }: SaleDocument): ReceiptSum[] {
  const parts = payments.length > 0 ? payments : [{ mode: paymentMode, amountCents: 0, quoteId: null }];
  const verb = kind === "credit" ? "Given back" : "Paid";
  return parts.map(({ mode, amountCents, quoteId }) => ({
    label: `${quoteId === null ? verb : "Deposit"}, ${PAID_BY[mode]}`,
    amount: dollars(amountCents),
  }));
}

function hasTax({ taxName, taxNumber }: SaleDocument): boolean {
  return taxName !== "" && taxNumber !== "";
}

function sellerDetails(document: SaleDocument, shop: ReceiptShop): string[] {
  const taxNumber = hasTax(document) ? `${document.taxName} ${document.taxNumber}` : "";
  return [shop.address, taxNumber, webAddress(shop)].filter(Boolean);
}

function original({ kind, originalId, originalNumber, reason }: SaleDocument): ReceiptContent["original"] {
  if (kind !== "credit" || originalId === null || originalNumber === null) return null;
  return { id: originalId, number: originalNumber, reason: reason.trim() };
}

/** Formats a line; without tax where the document adds it below. */
function receiptLine(line: DocumentLine, document: SaleDocument): ReceiptLine {
  const cents = line.amountCents - (document.taxIncluded ? 0 : line.taxCents);
  const pieces = Math.abs(line.quantity);
  const priceCents = cents + line.discountCents;
  const isMultiple = pieces > 0 && priceCents % pieces === 0;
  return {
    line: line.line,
    description: line.description,
    note: discountText(line),
    quantity: pieces > 0 ? pieces.toLocaleString("en-US") : "",
    price: isMultiple ? dollars(Math.abs(priceCents) / pieces) : "",
    amount: dollars(cents),
  };
}

/** Formats tax and rounding; nothing for a document without both, whose lines add up to its total. */
function sums(document: SaleDocument): ReceiptSum[] {
  const { taxName, taxRate, taxCents, taxIncluded, roundingCents, totalCents } = document;
  const taxed = hasTax(document);
  const before = totalCents - roundingCents - (taxed ? taxCents : 0);
  const rows: ReceiptSum[] = [];
  if (taxed || roundingCents !== 0)
    rows.push({ label: taxed ? "Before tax" : "Before rounding", amount: dollars(before) });
  if (taxed)
    rows.push({
      label: `${taxName} ${taxRate / 100}%${taxIncluded ? ", included" : ""}`,
      amount: dollars(taxCents),
    });
  if (roundingCents !== 0)
    rows.push({
      label: "Rounding, cash",
      amount: `${roundingCents > 0 ? "+" : ""}${dollars(roundingCents)}`,
    });
  return rows;
}

/** Returns what the owner wants under every receipt. */
const ownText = ({ hours, sales }: ReceiptShop): string =>
  [sales.receiptText, sales.receiptHours ? weekText(hours) : ""].filter(Boolean).join("\n");

function footer(document: SaleDocument): string {
  if (document.kind === "credit")
    return document.originalNumber
      ? `Receipt ${document.originalNumber} stays valid for everything else on it.`
      : "";
  const sentences = [
    hasTax(document) && document.taxIncluded ? `Prices include ${document.taxName}.` : "",
    document.chatId ? "This receipt also stays in your conversation with us." : "",
  ];
  return sentences.filter(Boolean).join(" ");
}
