import { z } from "zod";
import { lineFields, namedFields } from "~/http/form-fields";
import { SaleInput } from "../schema";
import { type DraftLine, LINE_FIELDS, lineCents, MAX_LINES, pieces, priceCents } from "./draft";

/** Fields of the form, besides those of its lines. */
const FIELDS = [
  "id",
  "chatId",
  "holdId",
  "quoteId",
  "customerId",
  "paymentMode",
  "createdAt",
  "customerName",
  "find",
  "edit",
];
export const SaleFields = namedFields([...FIELDS, ...lineFields("lines", LINE_FIELDS, MAX_LINES)]);

const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 1000) : "");

/** Reads the lines of a form as they were typed. */
export function draftLines(value: unknown): DraftLine[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_LINES).map((line: Record<string, unknown> | null | undefined) => ({
    productId: text(line?.productId),
    description: text(line?.description),
    category: text(line?.category),
    businessType: text(line?.businessType),
    quantity: text(line?.quantity),
    price: text(line?.price),
  }));
}

/** Converts a line's price for one piece to the amount of the line; an invalid price is reported as the amount. */
function withAmount(line: DraftLine) {
  const { price, ...fields } = line;
  const isKnown = priceCents(line) !== null && pieces(line) !== null;
  return { ...fields, amount: isKnown ? (lineCents(line) / 100).toFixed(2) : price.trim() };
}

/** Sale of the page's form: prices are for one piece. */
export const SaleFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ find: _, edit: _edit, lines, ...sale }) => ({
    ...sale,
    lines: draftLines(lines).map(withAmount),
  }))
  .transform((sale): unknown => sale)
  .pipe(SaleInput);

/** Lines of the page's form as they were typed, and the button that edits them. */
export const SaleEditInput = z
  .record(z.string(), z.unknown())
  .transform(({ lines, find, edit, ...fields }) => ({
    lines: draftLines(lines),
    find: text(find).slice(0, 100),
    edit: text(edit),
    holdId: text(fields.holdId),
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)])),
  }));
