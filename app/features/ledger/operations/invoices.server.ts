import type { Listing } from "~/http/api-route.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { localDay } from "../days";
import type { InvoicePlace } from "../place";
import { EntryInput, InvoiceChanges, InvoiceForm, InvoiceInput, InvoiceListInput } from "../schema";
import type { InvoiceRow, InvoiceView, ListPage } from "../views";

const soon = () => new AppError("notImplemented", "This part of the shop is not open yet.");

export const listInvoices = operation({
  access: "staff",
  input: InvoiceListInput,
  run: async (): Promise<Listing<InvoiceView> | Response> => {
    throw soon();
  },
});
export const addInvoice = operation({
  access: "staff",
  input: InvoiceInput,
  status: 201,
  run: async (): Promise<InvoiceView> => {
    throw soon();
  },
});
export const updateInvoice = operation({
  access: "staff",
  input: InvoiceChanges,
  run: async (): Promise<InvoiceView> => {
    throw soon();
  },
});
export const updateInvoiceByForm = operation({
  access: "staff",
  input: InvoiceForm,
  run: async (): Promise<InvoiceView> => {
    throw soon();
  },
});
export const deleteInvoice = operation({
  access: "staff",
  input: EntryInput,
  run: async (): Promise<{ message: string; deleted: InvoiceView }> => {
    throw soon();
  },
});
export const restoreInvoice = operation({
  access: "staff",
  input: EntryInput,
  run: async (): Promise<InvoiceView> => {
    throw soon();
  },
});
export async function invoicesPage(
  _context: RequestContext,
  _place: InvoicePlace,
): Promise<ListPage<InvoiceRow>> {
  throw soon();
}
export async function invoiceRow(_context: RequestContext, _id: string): Promise<InvoiceRow | null> {
  throw soon();
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
