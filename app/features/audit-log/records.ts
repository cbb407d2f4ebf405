import type { AuditedObject } from "~/db/audit";
import { USER } from "~/features/accounts/users/user";
import type { AuditRow } from "~/features/audit/queries.server";
import { PRODUCT } from "~/features/catalogue/product";
import { RESPONSE, SETTINGS } from "~/features/chat/records";
import { EXPENSE } from "~/features/ledger/expense";
import { INVOICE } from "~/features/ledger/invoice";
import { CUSTOMER } from "~/features/sales/customer";
import { HOME, SALES, SHOP } from "~/features/settings/groups";
import type { Fields } from "~/records/record";

/** Fields of the objects that have a record; the columns that a document shares with its invoices are theirs. */
const RECORDS: Partial<Record<AuditedObject, Fields>> = {
  chatSettings: SETTINGS.fields,
  customer: CUSTOMER.fields,
  document: INVOICE.fields,
  expense: EXPENSE.fields,
  invoice: INVOICE.fields,
  product: PRODUCT.fields,
  response: RESPONSE.fields,
  shopSettings: { ...SHOP.fields, ...HOME.fields, ...SALES.fields },
  user: USER.fields,
};

/** Returns the fields of the record of a row's object; none for an object without one. */
export const fieldsOf = ({ object }: Pick<AuditRow, "object">): Fields =>
  RECORDS[object as AuditedObject] ?? {};
