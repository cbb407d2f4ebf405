import type { StaffContext } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import { readCustomer, readCustomers } from "../operations/customers.server";
import {
  applyCustomerEdit,
  type CustomerEdit,
  type FoundCustomer,
  MAX_FOUND_CUSTOMERS,
} from "./customer-edits";
import type { LineEdit } from "./line-edits";

interface TypedCustomer {
  /** Fields of the form by name. */
  fields: Record<string, string | string[]>;
  /** True for Enter, which means the search where one was typed. */
  isEntered: boolean;
}

/**
 * Applies a button of a form without JavaScript to the customer of the sale.
 *
 * @returns the fields, and the customers that were found; null without a search
 */
export async function editCustomer(
  context: StaffContext,
  edit: LineEdit,
  { fields, isEntered }: TypedCustomer,
): Promise<{ fields: TypedCustomer["fields"]; foundCustomers: FoundCustomer[] | null }> {
  const text = String(fields.findCustomer ?? "");
  const isSearch = edit.type === "findCustomer" || (isEntered && text.trim() !== "");
  if (isSearch) return { fields, foundCustomers: await findCustomers(context, text) };
  const picked =
    edit.type === "pickCustomer" ? await resultOrNull(readCustomer.execute(context, edit)) : null;
  const change = applyCustomerEdit(edit as CustomerEdit, text, picked ?? undefined);
  return { fields: change ? { ...fields, findCustomer: "", ...change } : fields, foundCustomers: null };
}

async function findCustomers(context: StaffContext, q: string): Promise<FoundCustomer[]> {
  if (q.trim() === "") return [];
  const list = await resultOrNull(readCustomers.execute(context, { q, limit: MAX_FOUND_CUSTOMERS }));
  const rows = list && "rows" in list ? list.rows : [];
  return rows.map(({ id, name, email, phoneNumber }) => ({ id, name, email, phoneNumber }));
}
