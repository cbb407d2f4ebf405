import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import type { ExpensePlace, InvoicePlace } from "../place";

const soon = () => new AppError("notImplemented", "This part of the shop is not open yet.");

export async function invoicesCsv(_context: RequestContext, _place: InvoicePlace): Promise<Response> {
  throw soon();
}
export async function expensesCsv(_context: RequestContext, _place: ExpensePlace): Promise<Response> {
  throw soon();
}
