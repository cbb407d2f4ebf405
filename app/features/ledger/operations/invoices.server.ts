import { categoryName } from "~/features/catalogue/categories";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import { businessName, PAYMENT_NAMES } from "../enums";
import { dollars, formatDay } from "../labels";
import type { ListParams } from "../list-params";
import { findEntry } from "../queries/entries.queries.server";
import { INVOICES } from "../queries/tables.server";
import { EntryInput, InvoiceChanges, InvoiceForm, InvoiceInput, InvoiceListInput } from "../schema";
import type { InvoiceRow, InvoiceView, ListPage } from "../views";
import { add, type EntryKind, listFor, remove, restore, update } from "./entries.server";
import { readPage } from "./listing.server";

function invoiceView(row: InvoiceRow): InvoiceView {
  const { id, description, category, quantity, paymentMode, businessType, amountCents, createdAt } = row;
  return {
    id,
    description,
    category,
    quantity,
    paymentMode,
    businessType,
    amount: amountCents / 100,
    createdAt: timestamp(createdAt),
  };
}

const invoice: EntryKind<InvoiceRow, InvoiceView> = {
  book: INVOICES,
  title: "Invoice",
  view: invoiceView,
  said: (row) => ({
    description: row.description,
    category: categoryName(row.category),
    quantity: String(row.quantity),
    paymentMode: PAYMENT_NAMES[row.paymentMode],
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    day: formatDay(row.day),
  }),
};

/** GET invoice/all: newest first unless sorted. */
export const listInvoices = operation({
  access: "staff",
  input: InvoiceListInput,
  run: ({ input, ...context }) => listFor(invoice, context, input),
});

/**
 * Adds one; with an `id` of the client's making it may be sent twice.
 *
 * @throws AppError conflict when the id names another invoice or a deleted one
 */
export const addInvoice = operation({
  access: "staff",
  input: InvoiceInput,
  status: 201,
  run: ({ input, ...context }) => add(invoice, context, input),
});

/**
 * Changes one; a missing key stays as it was.
 *
 * @throws AppError notFound; conflict, when a version was given and is no longer the present one
 */
export const updateInvoice = operation({
  access: "staff",
  input: InvoiceChanges,
  run: ({ input, ...context }) => update(invoice, context, input),
});

/**
 * Changes one by its whole form.
 *
 * @throws AppError notFound; conflict, when somebody else has changed it since the form was opened
 */
export const updateInvoiceByForm = operation({
  access: "staff",
  input: InvoiceForm,
  run: ({ input, ...context }) => update(invoice, context, input),
});

/**
 * Deletes one; it can be put back until the nightly cron.
 *
 * @throws AppError notFound
 */
export const deleteInvoice = operation({
  access: "staff",
  input: EntryInput,
  run: ({ input, ...context }) => remove(invoice, context, input.id),
});

/**
 * Undo: puts a deleted one back, with the id it had.
 *
 * @throws AppError notFound
 */
export const restoreInvoice = operation({
  access: "staff",
  input: EntryInput,
  run: ({ input, ...context }) => restore(invoice, context, input.id),
});

/** Reads one page of the invoices screen. */
export function invoicesPage(
  { db, settings }: StaffContext,
  params: ListParams,
): Promise<ListPage<InvoiceRow>> {
  return readPage(db, INVOICES, params, settings.timezone);
}

/** Reads one invoice for a dialog; null when it does not exist. */
export async function invoiceRow({ db }: StaffContext, id: string): Promise<InvoiceRow | null> {
  return (await findEntry<InvoiceRow>(db, INVOICES, id)) ?? null;
}

/** What a new invoice's form holds (back office 3); createdAt is today, YYYY-MM-DD. */
export function newInvoice({ now, settings }: RequestContext) {
  return {
    description: "",
    quantity: 1,
    category: "PHONE_CASE",
    paymentMode: "CASH",
    businessType: "EMPORIA",
    amount: 0,
    createdAt: localDay(now, settings.timezone),
  } as const;
}
