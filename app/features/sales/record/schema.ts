import { z } from "zod";
import { instantAt } from "~/features/ledger/days";
import { lineFields, namedFields } from "~/http/form-fields";
import { isDay } from "~/ui/DataTable/list-params";
import { MAX_LINES } from "../limits";
import {
  type DraftLine,
  draftLines,
  LINE_FIELDS,
  lineCents,
  pieces,
  priceCents,
  typedText as text,
} from "./draft";

/** Fields of the forms, besides those of their lines. */
const FIELDS = [
  "id",
  "chatId",
  "holdId",
  "quoteId",
  "customerId",
  "paymentMode",
  "createdAt",
  "customerName",
  "until",
  "title",
  "files",
  "readyBy",
  "validUntil",
  "note",
  "find",
  "edit",
];
/** Names the fields of Record sale, and of the forms of holds and quotes. */
export const LineFormFields = namedFields([...FIELDS, ...lineFields("lines", LINE_FIELDS, MAX_LINES)]);

/** Converts a line's price for one piece to the amount of the line; an invalid price is reported as the amount. */
function withAmount(line: DraftLine) {
  const { price, ...fields } = line;
  const isKnown = priceCents(line) !== null && pieces(line) !== null;
  return { ...fields, amount: isKnown ? (lineCents(line) / 100).toFixed(2) : price.trim() };
}

/** Form of a sale; prices are for one piece. */
export const SaleFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ lines: sent, holdId, quoteId, ...sale }) => {
    const lines = draftLines(sent);
    const has = (from: string) => lines.some((line) => line.from === from);
    return {
      ...sale,
      holdId: has("hold") ? text(holdId) : "",
      quoteId: has("quote") ? quoteId : "",
      lines: lines.map(withAmount),
    };
  });

const TIME = /^T(?:[01]\d|2[0-3]):[0-5]\d$/;

/**
 * Converts the day or minute of a field, local to the shop, to an instant.
 *
 * @returns epoch seconds, for a day its end; the text itself when it is neither, for the schema to reject
 */
export function localInstant(value: unknown, timezone: string): unknown {
  const typed = text(value).trim();
  const [day, time] = [typed.slice(0, 10), typed.slice(10)];
  if (!isDay(day) || !(time === "" || TIME.test(time))) return typed;
  return instantAt(`${day}${time || "T23:59"}:00`, timezone);
}

/** Form of a hold. */
export const HoldFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ id, chatId, holdId, until, lines }) => ({
    id,
    chatId,
    holdId: text(holdId),
    until,
    lines: draftLines(lines).map(({ productId, description, quantity }) => ({
      productId,
      description,
      quantity,
    })),
  }));

/** Form of a quote; prices are for one piece. */
export const QuoteFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ id, chatId, title, files, readyBy, validUntil, note, lines }) => ({
    id,
    chatId,
    title,
    files: [files ?? []].flat(),
    readyBy,
    validUntil,
    note,
    lines: draftLines(lines).map(withAmount),
  }));

/** Lines of the page's form as they were typed, and the button that edits them. */
export const LineEditInput = z
  .record(z.string(), z.unknown())
  .transform(({ lines, find, edit, ...fields }) => ({
    lines: draftLines(lines),
    find: text(find).slice(0, 100),
    edit: text(edit),
    holdId: text(fields.holdId),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(text) : text(value),
      ]),
    ),
  }));
