/** Customer whom a search finds. */
export interface FoundCustomer {
  id: string;
  name: string;
  email: string;
  phoneNumber: string;
}

/** Customers that a search for one shows. */
export const MAX_FOUND_CUSTOMERS = 5;

/** Fields of the form that say whose the sale is. */
export const CUSTOMER_FIELDS = ["customerId", "customerLabel", "newCustomer"] as const;
export type ChosenCustomer = Record<(typeof CUSTOMER_FIELDS)[number], string>;

export const NO_CUSTOMER: ChosenCustomer = { customerId: "", customerLabel: "", newCustomer: "" };

/** Change of the customer by a button of the form. */
export type CustomerEdit =
  | { type: "findCustomer" }
  | { type: "pickCustomer"; id: string }
  | { type: "addCustomer" }
  | { type: "noCustomer" };

/** Names a customer with the e-mail address or phone number that tells two of one name apart. */
export const customerLabel = ({ name, email, phoneNumber }: FoundCustomer): string =>
  [name, email || phoneNumber].filter(Boolean).join(", ");

/**
 * Applies an edit to the customer of a sale.
 *
 * @param text of the search, which names a new customer
 * @param found customer that an edit picks
 * @returns the fields, and the name on the receipt unless it stays
 */
export function applyCustomerEdit(
  edit: CustomerEdit,
  text: string,
  found: FoundCustomer | undefined,
): (ChosenCustomer & { customerName?: string }) | null {
  if (edit.type === "noCustomer") return { ...NO_CUSTOMER, customerName: "" };
  if (edit.type === "addCustomer")
    return { ...NO_CUSTOMER, newCustomer: "on", ...(text.trim() && { customerName: text.trim() }) };
  if (edit.type !== "pickCustomer" || !found) return null;
  // A half-filled sale stays on the device: without the address.
  return {
    ...NO_CUSTOMER,
    customerId: found.id,
    customerLabel: found.name,
    customerName: found.name,
  };
}
