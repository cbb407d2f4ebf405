import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { auditCsv } from "~/features/audit-log/operations.server";
import { accountsCsv, paymentsCsv, taxCsv } from "~/features/bookkeeping/operations/reports.server";
import { unknownAdminPage } from "~/features/dashboard/page.server";
import { stockCsv } from "~/features/inventory/operations/stock.server";
import { expensesCsv, invoicesCsv } from "~/features/ledger-pages/page.server";
import { catalogueCsv } from "~/features/product-admin/page.server";
import { templateCsv } from "~/features/product-import/operations.server";
import type { Operation } from "~/http/operation.server";
import { adminPage } from "~/http/page.server";

// One route of Remix for all of them: browsers load the list of Remix's routes.
const FILES = new Map<string | undefined, Operation<Response>>([
  ["audit", auditCsv],
  ["bookkeeping", accountsCsv],
  ["bookkeeping-payments", paymentsCsv],
  ["bookkeeping-tax", taxCsv],
  ["expenses-management", expensesCsv],
  ["inventory-management", stockCsv],
  ["invoices-management", invoicesCsv],
  ["product_template", templateCsv],
  ["products-management", catalogueCsv],
]);

/** Responds to staff with the named download, else 404; others are redirected either way. */
export async function loader(args: LoaderFunctionArgs) {
  return adminPage(args, FILES.get(args.params.file) ?? unknownAdminPage);
}
