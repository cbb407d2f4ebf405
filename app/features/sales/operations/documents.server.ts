import { z } from "zod";
import { readListWindow } from "~/db/lists";
import { FIRST_DAY, isDay, LAST_DAY, UNSUPPORTED_DATE } from "~/domain/calendar-day";
import { addDays, type DateInput, instantAt, monthsWithin, resolveDate } from "~/domain/days";
import { DAY_SECONDS } from "~/domain/durations";
import { dollars, MAX_CENTS } from "~/domain/money";
import { AppError, fieldError, validationError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation } from "~/http/operation.server";
import { readList } from "~/http/streams.server";
import { Document } from "../answers";
import type { SaleDocument } from "../document";
import { documentReads, type ListFilter, type Periods } from "../queries/document-list.server";
import { DOCUMENT_COLUMNS, findDocument, type StoredDocument, toDocument } from "../queries/documents.server";
import { DocumentInput, DocumentListInput } from "../schema";

/** Converts a document to the format of the API: dollars and `{seconds, nanoseconds}`. */
export function apiDocument(document: SaleDocument) {
  const { lines, payments, taxCents, roundingCents, totalCents, discountCents, createdAt, ...rest } =
    document;
  const { requestHash: _, recordedAt: __, ...fields } = rest as typeof rest & Partial<StoredDocument>;
  return {
    ...fields,
    payments: payments.map(({ amountCents, ...payment }) => ({ ...payment, amount: amountCents / 100 })),
    lines: lines.map(
      ({ amountCents, taxCents: tax, discountCents: off, discountReason, creditedCents, ...line }) => {
        const { creditedTaxCents: _tax, discountBasisPoints: _share, ...shown } = line;
        return {
          ...shown,
          amount: amountCents / 100,
          taxAmount: tax / 100,
          discount: off / 100,
          reason: discountReason,
          credited: creditedCents / 100,
        };
      },
    ),
    taxAmount: taxCents / 100,
    rounding: roundingCents / 100,
    total: totalCents / 100,
    discount: discountCents / 100,
    createdAt: timestamp(createdAt),
  };
}

/** Refuses a document or quote whose total no field could hold. @throws AppError invalid */
export function refuseTotalAbove(totalCents: number): void {
  if (totalCents <= MAX_CENTS) return;
  const message = `The total, ${dollars(totalCents)}, is above ${dollars(MAX_CENTS)}. Divide the lines.`;
  throw fieldError("invalid", "lines", message);
}

/** Reads a document. @throws AppError notFound */
export const getDocument = operation({
  route: "GET sale/:id",
  summary: "Read a document",
  answer: Document,
  access: "staff",
  input: DocumentInput,
  async run({ db, input }) {
    const document = await findDocument(db, input.id);
    if (!document) throw new AppError("notFound", "Sale not found");
    return apiDocument(document);
  },
});

/** GET sale: documents, newest first. */
export const listSales = operation({
  route: "GET sale",
  summary: "List documents",
  answer: z.array(Document),
  isList: true,
  access: "staff",
  input: DocumentListInput,
  run({ input: { limit, offset, ...requested }, db, settings }) {
    const filter = documentFilter(requested, settings.timezone);
    const reads = documentReads(db, filter, DOCUMENT_COLUMNS, (row) => apiDocument(toDocument(row)));
    return readList((window) => readListWindow(reads, { ...window, dir: "desc" }), { limit, offset });
  },
});

interface RequestedFilter extends Omit<ListFilter, "days" | "periods"> {
  from?: string | undefined;
  to?: string | undefined;
}

/** Completes a filter with the bounds of its days. */
export function documentFilter({ q, from, to, ...filter }: RequestedFilter, timezone: string): ListFilter {
  const isBounded = from !== undefined || to !== undefined;
  return { ...filter, q, ...(isBounded && dayRange(from, to, timezone)) };
}

/** Returns days with instants for the index, a day wider, since SHOP_TIMEZONE may have changed. */
function dayRange(from = FIRST_DAY, to = LAST_DAY, timezone: string) {
  const earliest = instantAt(`${from}T00:00:00`, timezone) - DAY_SECONDS;
  const latest = instantAt(`${addDays(to, 1)}T00:00:00`, timezone) + DAY_SECONDS;
  return { days: { from, to, earliest, latest }, periods: sumPeriods(from, to) };
}

/** Splits days into whole months and the days around them, so that a sum reads few rows. */
function sumPeriods(from: string, to: string): Periods {
  const { months, days } = monthsWithin(from, to);
  return months ? [months, ...days] : days;
}

/**
 * Resolves the date of a document, by default the present.
 *
 * @throws AppError invalid outside 2000 to 2099
 */
export function documentDay(date: DateInput | undefined, now: number, timezone: string) {
  const resolved = resolveDate(date ?? { at: now }, now, timezone);
  if (!isDay(resolved.day)) throw validationError([{ path: "createdAt", message: UNSUPPORTED_DATE }]);
  return resolved;
}
