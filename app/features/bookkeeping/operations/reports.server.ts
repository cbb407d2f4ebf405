import type { Db } from "~/db/client.server";
import { inChunks } from "~/db/lists";
import { FIRST_DAY, isDay, LAST_DAY } from "~/domain/calendar-day";
import { categoryName } from "~/domain/category-name";
import { formatDay } from "~/domain/day-text";
import { addDays, instantAt, localDay } from "~/domain/days";
import { DAY_SECONDS } from "~/domain/durations";
import {
  type BusinessNames,
  businessName,
  type ExpenseType,
  expenseTypeName,
  PAYMENT_NAMES,
  type PaymentMode,
} from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { decimalDollars } from "~/domain/money";
import { validationError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { csvFile } from "~/http/streams.server";
import { findRankedProducts } from "../products.queries.server";
import {
  type AccountantFileFilter,
  type AccountantFileRow,
  findExpenseRows,
  findFigures,
  findHeldDeposits,
  findOpenDrawerDays,
  findPaymentRows,
  findSaleRows,
  type PaymentRow,
} from "../queries.server";
import {
  OWN_DAYS,
  offeredMonths,
  parseReportScope,
  pastEnd,
  type ReportScope,
  resolveReport,
} from "../report-scope";
import type { BookkeepingPage, BusinessFigures, ClosedBooks, ClosingDialog, HeldDeposits } from "../schema";
import { closeBooks, readClosedBooks, reopenBooks } from "./closings.server";

/** Reads the figures of both businesses in the period of the page's URL. */
export const readBookkeeping = operation({
  access: "manager",
  input: PageInput,
  async run({ input, db, now, settings, user }): Promise<BookkeepingPage> {
    const { searchParams } = new URL(input.url);
    const { scope, problems } = parseReportScope(searchParams);
    const today = localDay(now, settings.timezone);
    const period = resolveReport(scope, today);
    const months = offeredMonths(today, scope);
    const context = { db, now, settings };
    const [figures, held, products, closed] = await Promise.all([
      findFigures(db, period),
      findHeldDeposits(db, period.days),
      findRankedProducts(db, { business: scope.business, days: period.days }),
      readClosedBooks(context),
    ]);
    const mayEdit = user.isAdmin;
    const dialog = mayEdit ? await readDialog(db, searchParams, closed) : null;
    const { businesses: businessNames } = settings;
    return {
      scope,
      problems,
      period,
      months,
      figures,
      held,
      heldOn: pastEnd(period, today),
      products,
      closed,
      dialog,
      businessNames,
      mayEdit,
    };
  },
});

/** Reads the dialog of the closed months that an address opens; null for none. */
async function readDialog(
  db: Db,
  params: URLSearchParams,
  closed: ClosedBooks[],
): Promise<ClosingDialog | null> {
  const reopened = closed.find(({ business }) => business === params.get("reopen"));
  if (reopened?.closing) return { kind: "reopen", books: reopened };
  const books = closed.find(({ business }) => business === params.get("close"));
  if (!books?.next) return null;
  const { business, closing, next } = books;
  const asked = params.get("until") ?? "";
  const until = isDay(asked) ? asked : next;
  const firstOpen = closing ? addDays(closing.until, 1) : "";
  const first = `${until.slice(0, 7)}-01`;
  const days = { from: firstOpen && firstOpen <= until ? firstOpen : first, to: until };
  const [figures, held, drawers] = await Promise.all([
    findFigures(db, resolveReport({ business, period: OWN_DAYS, days }, until)),
    findHeldDeposits(db, { from: FIRST_DAY, to: until }),
    findOpenDrawerDays(db, business, until),
  ]);
  const own = figures.find((each) => each.business === business);
  if (!own) return null;
  const odd = { held: held[business], openDrawers: drawers.map(({ day }) => day) };
  return { kind: "close", books, id: crypto.randomUUID(), until, days, figures: own, ...odd };
}

/** Page behind a dialog. */
const behind = ({ redirectTo }: { redirectTo?: unknown }) => ({
  to: localTo(redirectTo, "/admin/bookkeeping"),
});

export const BOOKKEEPING_FORMS: FormIntents = {
  close: intent(closeBooks, {
    done: ({ until }, form) => ({ ...behind(form), toast: `Closed up to ${formatDay(until)}` }),
  }),
  reopen: intent(reopenBooks, {
    done: ({ until }, form) => ({ ...behind(form), toast: `Reopened, was closed up to ${formatDay(until)}` }),
  }),
};

const HEAD = [
  "Document",
  "Type",
  "Date",
  "Business",
  "Customer",
  "Item",
  "Category",
  "Quantity",
  "Unit price",
  "Net",
  "Tax code",
  "Tax rate %",
  "Tax",
  "Gross",
  "Payment",
  "Original document",
  "Supplier",
  "Discount",
];

/** Streams the accountant's file: one row per line of documents and expenses; amounts of expenses are negative. */
export const accountsCsv = operation({
  access: "manager",
  input: PageInput,
  run: async ({ input, ...context }) => {
    const { scope, period } = reportOf(context, input.url);
    return csvFile(fileName("accounts", scope, period), HEAD, accountChunks(context, scope, period));
  },
});

/** Streams the tax summary: collected, paid on expenses and due. */
export const taxCsv = operation({
  access: "manager",
  input: PageInput,
  run: async ({ input, ...context }) => {
    const { scope, period } = reportOf(context, input.url);
    const [figures, held] = await Promise.all([
      findFigures(context.db, period),
      findHeldDeposits(context.db, period.days),
    ]);
    const rows = figures
      .filter(({ business }) => scope.business === null || business === scope.business)
      .map((each) => taxCells(each, held[each.business], context.settings.businesses));
    const isOver = pastEnd(period, localDay(context.now, context.settings.timezone)) !== null;
    const heldHead = isOver ? "Deposits held at the end" : "Deposits held now";
    const head = [...TAX_HEAD, heldHead, "Later deposits used or paid back"];
    return csvFile(fileName("tax", scope, period), head, [rows]);
  },
});

const TAX_HEAD = [
  "Business",
  "Tax collected",
  "Tax paid on expenses",
  "Net tax",
  "Entries",
  "Sales without tax",
  "Expenses without tax",
  "Turnover with tax",
  "Turnover without tax",
  "Amount of sales without tax",
  "Amount of expenses without tax",
  "Discounts",
];

const taxCells = (
  { business, sales, taxCollected, taxPaid, discounts, ...entries }: BusinessFigures,
  { heldCents, laterCents }: HeldDeposits,
  businessNames: BusinessNames,
): string[] => [
  businessName(business, businessNames),
  decimalDollars(taxCollected),
  decimalDollars(taxPaid),
  decimalDollars(taxCollected - taxPaid),
  String(entries.saleEntries + entries.expenseEntries),
  String(entries.untaxedSales),
  String(entries.untaxedExpenses),
  decimalDollars(sales),
  decimalDollars(sales - taxCollected),
  decimalDollars(entries.untaxedSalesCents),
  decimalDollars(entries.untaxedExpensesCents),
  decimalDollars(discounts),
  decimalDollars(heldCents),
  decimalDollars(laterCents),
];

const PAYMENTS_HEAD = [
  "Number",
  "Type",
  "Date",
  "Business",
  "Customer",
  "Payment",
  "Amount",
  "Quote",
  "Document of the deposit",
  "Note",
  "Taken by",
];

/** Streams the payments: what was taken and, negative, paid back, by day. Deposits that count towards a sale stand once. */
export const paymentsCsv = operation({
  access: "manager",
  input: PageInput,
  run: async ({ input, ...context }) => {
    const { db, settings } = context;
    const { scope, period } = reportOf(context, input.url);
    const filter = { business: scope.business, days: period.days };
    const chunks = async function* () {
      for await (const rows of inChunks<PaymentRow>((after, limit) =>
        findPaymentRows(db, filter, after, limit),
      ))
        yield rows.map((row) => paymentCells(row, settings.businesses));
    };
    return csvFile(fileName("payments", scope, period), PAYMENTS_HEAD, chunks());
  },
});

function kindOf({ kind, amountCents }: PaymentRow): string {
  if (kind === "deposit") return amountCents < 0 ? "Deposit paid back" : "Deposit";
  return kind === "sale" ? "Sale" : "Credit note";
}

const paymentCells = (row: PaymentRow, businessNames: BusinessNames): string[] => [
  row.number,
  kindOf(row),
  row.day,
  businessName(row.business, businessNames),
  row.customer,
  PAYMENT_NAMES[row.mode as PaymentMode],
  decimalDollars(row.amountCents),
  row.quote ?? "",
  row.documents ?? "",
  row.note,
  row.createdBy,
];

type ReportPeriod = ReturnType<typeof resolveReport>;

/** Reads the scope of a file. @throws AppError invalid: a file of another scope than the link's would go unnoticed */
function reportOf(
  { now, settings }: StaffContext,
  url: string,
): { scope: ReportScope; period: ReportPeriod } {
  const { scope, problems } = parseReportScope(new URL(url).searchParams);
  if (problems.length > 0) throw validationError(problems);
  return { scope, period: resolveReport(scope, localDay(now, settings.timezone)) };
}

const fileName = (report: string, { business }: ReportScope, { slug }: ReportPeriod) =>
  `${report}-${business?.toLowerCase() ?? "both"}-${slug}`;

async function* accountChunks(
  { db, settings }: StaffContext,
  { business }: ReportScope,
  { days }: ReportPeriod,
) {
  const filter: AccountantFileFilter = {
    business,
    days,
    earliest: instantAt(`${days?.from ?? FIRST_DAY}T00:00:00`, settings.timezone) - DAY_SECONDS,
    latest: instantAt(`${addDays(days?.to ?? LAST_DAY, 1)}T00:00:00`, settings.timezone) + DAY_SECONDS,
  };
  for (const find of [findSaleRows, findExpenseRows]) {
    const chunks = inChunks<AccountantFileRow>((after, limit) => find(db, filter, after, limit));
    for await (const rows of chunks) yield rows.map((row) => accountCells(row, settings.businesses));
  }
}

function accountCells(row: AccountantFileRow, businessNames: BusinessNames): string[] {
  const { quantity, amountCents, taxCents, paymentMode } = row;
  return [
    row.number ?? "",
    row.type,
    row.day,
    businessName(row.business, businessNames),
    row.customer ?? "",
    row.item,
    row.type === "Expense" ? expenseTypeName(row.category as ExpenseType) : categoryName(row.category),
    quantity === null ? "" : String(quantity),
    row.isDivided ? "" : unitPrice(quantity, amountCents),
    decimalDollars(amountCents - taxCents),
    row.taxName ?? "",
    row.taxName ? ((row.taxRate ?? 0) / 100).toFixed(2) : "",
    decimalDollars(taxCents),
    decimalDollars(amountCents),
    paymentMode ? PAYMENT_NAMES[paymentMode as PaymentMode] : "",
    row.originalNumber ?? "",
    row.supplier ?? "",
    row.discountCents === null ? "" : decimalDollars(row.discountCents),
  ];
}

/** Formats the price of one piece, positive also on a credit note, with four decimals where cents do not suffice. */
function unitPrice(quantity: number | null, amountCents: number): string {
  if (!quantity) return "";
  const cents = amountCents / quantity;
  return decimalDollars(cents, Number.isInteger(cents) ? 2 : 4);
}
