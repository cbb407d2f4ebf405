/**
 * The rules of the books, by subject in operations/. What pages and /api use:
 *
 * Operations (`.execute(context, raw)`, or by `apiRoute` / `intent(op, { done, failed })`; staff only). They answer the
 * API's views (dollars, `{seconds, nanoseconds}`); the same for expenses with ExpenseView:
 *  - `listInvoices` { q?, sort?, dir?, limit?, offset?, category?, businessType?, paymentMode?, from?, to? } → Listing
 *    of InvoiceView, or (without `limit`, many rows) a streamed Response of the same
 *  - `addInvoice` { id?, description?, category?, quantity?, paymentMode?, businessType?, amount, createdAt? } → InvoiceView
 *    (201). The same `id` sent again with the same content is answered the same; with another content: conflict
 *  - `updateInvoice` { id, …any field, version? } → InvoiceView; a missing key stays; notFound
 *  - `updateInvoiceByForm` { id, version, was?, …all fields } → InvoiceView; a stale `version` is a conflict (409) whose
 *    details name each field that somebody else has changed (`was`: what the form showed, as JSON): beside it, what
 *    stands there (`Now $64.00`). The form's hidden `version` and `was` must come from the row that the loader read,
 *    not from lastResult: saving again then replaces it knowingly
 *  - `deleteInvoice` { id } → { message, deleted: InvoiceView }; notFound, also the second time
 *  - `restoreInvoice` { id } → InvoiceView: puts a deleted row back, the same id and number, until the nightly cron;
 *    pressed twice: the row as it stands; notFound when it is gone for good
 * Figures (operations of the API, dollars): `readTotals`, `salesByYear` { year }, `salesByCategory`, `expensesByYear`
 * { year }, `readExpenseTotals`.
 *
 * For pages, after requireStaff; amounts in cents, days of the shop:
 *  - `invoicesPage(context, place)` → ListPage<InvoiceRow>, `expensesPage(context, place)` → ListPage<ExpenseRow>; place
 *    from readInvoicePlace / readExpensePlace (place.ts)
 *  - `invoiceRow(context, id)` → InvoiceRow | null, `expenseRow(context, id)`: for ?edit= and ?delete=
 *  - `newInvoice(context)`, `newExpense(context)` → what a new form holds (spec 3), `createdAt` today's YYYY-MM-DD
 *  - `invoicesCsv(context, place)`, `expensesCsv(context, place)` → a streamed Response of what is filtered, all pages
 *    (served at /admin/invoices-management.csv and /admin/expenses-management.csv with the list's own query)
 *  - `saleTotals(context)`, `saleMonths(context, year)`, `saleCategories(context)`, `salePayments(context)`,
 *    `expenseTotals(context)`, `expenseMonths(context, year)`: figures in cents, each its own reads, so that they may fail apart
 */
export { expensesCsv, invoicesCsv } from "./operations/csv.server";
export {
  addExpense,
  deleteExpense,
  expenseRow,
  expensesPage,
  listExpenses,
  newExpense,
  restoreExpense,
  updateExpense,
  updateExpenseByForm,
} from "./operations/expenses.server";
export {
  expenseMonths,
  expensesByYear,
  expenseTotals,
  readExpenseTotals,
  readTotals,
  saleCategories,
  saleMonths,
  salePayments,
  salesByCategory,
  salesByYear,
  saleTotals,
} from "./operations/figures.server";
export {
  addInvoice,
  deleteInvoice,
  invoiceRow,
  invoicesPage,
  listInvoices,
  newInvoice,
  restoreInvoice,
  updateInvoice,
  updateInvoiceByForm,
} from "./operations/invoices.server";
export { checkLedger, sweepDeleted } from "./operations/upkeep.server";
