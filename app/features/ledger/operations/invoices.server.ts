import { categoryName } from "~/features/catalogue/categories";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { formatDay } from "~/ui/dates";
import { dollars } from "~/ui/money";
import { localDay } from "../days";
import { businessName, PAYMENT_NAMES } from "../enums";
import { findEntry } from "../queries/entries.queries.server";
import { INVOICES } from "../queries/tables.server";
import { EntryInput, InvoiceChanges, InvoiceForm, InvoiceInput, InvoiceListInput } from "../schema";
import type { InvoiceRow, InvoiceView, ListPage } from "../views";
import { add, type EntryKind, listEntries, remove, restore, update } from "./entries.server";
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
  table: INVOICES,
  title: "Invoice",
  view: invoiceView,
  labels: (row) => ({
    description: row.description,
    category: categoryName(row.category),
    quantity: String(row.quantity),
    paymentMode: PAYMENT_NAMES[row.paymentMode],
    businessType: businessName(row.businessType),
    amountCents: dollars(row.amountCents),
    day: formatDay(row.day),
  }),
};

export const listInvoices = operation({
  access: "staff",
  input: InvoiceListInput,
  run: ({ input, ...context }) => listEntries(invoice, context, input),
});

/** @throws AppError conflict when the id belongs to another invoice or a deleted one */
export const addInvoice = operation({
  access: "staff",
  input: InvoiceInput,
  status: 201,
  run: ({ input, ...context }) => add(invoice, context, input),
});

/**
 * Updates the given fields.
 *
 * @throws AppError notFound; conflict when the given version is outdated
 */
export const updateInvoice = operation({
  access: "staff",
  input: InvoiceChanges,
  run: ({ input, ...context }) => update(invoice, context, input),
});

/**
 * Updates all fields from a form.
 *
 * @throws AppError notFound; conflict when somebody else has changed them since the form was opened
 */
export const updateInvoiceByForm = operation({
  access: "staff",
  input: InvoiceForm,
  run: ({ input, ...context }) => update(invoice, context, input),
});

/** @throws AppError notFound */
export const deleteInvoice = operation({
  access: "staff",
  input: EntryInput,
  run: ({ input, ...context }) => remove(invoice, context, input.id),
});

/** @throws AppError notFound when the invoice was purged */
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

/** Returns the values of a new invoice; createdAt is today. */
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
