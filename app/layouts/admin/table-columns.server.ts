import { userColumns } from "~/features/accounts/users/UsersScreen";
import { stockColumns } from "~/features/inventory/columns";
import { parseStockListParams } from "~/features/inventory/list-params";
import { expenseColumns } from "~/features/ledger-pages/ExpensesScreen";
import { invoiceColumns } from "~/features/ledger-pages/InvoicesScreen";
import { productColumns } from "~/features/product-admin/columns";
import { CUSTOMER_COLUMNS } from "~/features/sales/customers/CustomersScreen";
import type { TablePath } from "./table-sizes";

/** Parameters of a list, which its number of columns does not depend on. */
const PARAMS = parseStockListParams(new URLSearchParams());

/** Names that the columns show, whose number does not depend on them. */
const BUSINESS_NAMES = { EMPORIA: "", LASER: "" };

const NO_PICKS = { ids: new Set<string>(), set: () => undefined, clear: () => undefined };

/** Numbers of columns of the tables, for their skeletons, which stand before the code that declares the columns. */
export const TABLE_COLUMNS: Record<TablePath, number> = {
  "/admin/inventory-management": stockColumns(PARAMS, "").length,
  "/admin/invoices-management": invoiceColumns(PARAMS, BUSINESS_NAMES, null).length,
  "/admin/expenses-management": expenseColumns(PARAMS, BUSINESS_NAMES, null).length,
  "/admin/customers": CUSTOMER_COLUMNS.length,
  "/admin/users-management": userColumns(PARAMS, "UTC").length,
  "/admin/products-management": productColumns(PARAMS, NO_PICKS).length,
};
