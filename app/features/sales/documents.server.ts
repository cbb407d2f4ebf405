import { dayAfter, instantAt } from "~/features/ledger/days";
import { searchKey } from "~/features/ledger/operations/listing.server";
import { AppError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { Listing, operation, type StaffContext } from "~/http/operation.server";
import type { SaleDocument } from "./document";
import { type DocumentFilter, findDocument, listDocuments } from "./documents.queries.server";
import { DocumentInput, DocumentListInput } from "./schema";

export { findDocument as readDocument } from "./documents.queries.server";

/** Converts a document to the format of the API: dollars and `{seconds, nanoseconds}`. */
export function apiDocument(document: SaleDocument) {
  const { lines, taxCents, roundingCents, totalCents, createdAt, ...rest } = document;
  const { requestHash: _, ...fields } = rest as typeof rest & { requestHash?: string };
  return {
    ...fields,
    lines: lines.map(({ amountCents, taxCents: tax, ...line }) => ({
      ...line,
      amount: amountCents / 100,
      taxAmount: tax / 100,
    })),
    taxAmount: taxCents / 100,
    rounding: roundingCents / 100,
    total: totalCents / 100,
    createdAt: timestamp(createdAt),
  };
}

/** @throws AppError notFound */
export const getDocument = operation({
  access: "staff",
  input: DocumentInput,
  async run({ db, input }) {
    const document = await findDocument(db, input.id);
    if (!document) throw new AppError("notFound", "Sale not found");
    return apiDocument(document);
  },
});

const DEFAULT_LIMIT = 100;

/** GET sale: documents, newest first; at most 100 without a limit. */
export const listSales = operation({
  access: "staff",
  input: DocumentListInput,
  async run({ input: { limit = DEFAULT_LIMIT, offset, ...filter }, ...context }) {
    const { documents, sum } = await listDocuments(context.db, documentFilter(context, filter), {
      limit,
      offset,
    });
    return new Listing(documents.map(apiDocument), sum.documents);
  },
});

const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2099-12-31";
const DAY = 86_400;

/** Completes a filter with instants for the index; a day wider, since SHOP_TIMEZONE may have changed. */
export function documentFilter(
  { settings }: Pick<StaffContext, "settings">,
  { q, from, to, ...filter }: Omit<DocumentFilter, "earliest" | "latest">,
): DocumentFilter {
  const start = instantAt(`${from ?? FIRST_DAY}T00:00:00`, settings.timezone);
  const end = instantAt(`${dayAfter(to ?? LAST_DAY, 1)}T00:00:00`, settings.timezone);
  return { ...filter, q: searchKey(q), from, to, earliest: start - DAY, latest: end + DAY };
}
