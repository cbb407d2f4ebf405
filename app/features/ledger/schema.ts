import { z } from "zod";
import { isDay, noSuchDay } from "~/domain/calendar-day";
import { categoryRule } from "~/domain/category-rule";
import { dateRule } from "~/domain/date-rule";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "~/domain/enums";
import { attachedFiles, filesOf } from "~/features/storage/schema";
import { clientId, id, listWindow, openedValues, optional, wholeNumber } from "~/http/fields";
import { EXPENSE } from "./expense";
import { INVOICE } from "./invoice";

export const INVOICE_SORTS = [
  "description",
  "businessType",
  "quantity",
  "paymentMode",
  "amount",
  "createdAt",
  "category",
] as const;
export const EXPENSE_SORTS = ["expenseType", "description", "businessType", "amount", "createdAt"] as const;
export type Direction = "asc" | "desc";

const entryId = clientId({ names: ["all", "file", "totalExpensesAmount", "year"] });

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `Must be one of ${values.join(", ")}` });
}
const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);
export const optionalCreatedAt = z.preprocess((value) => value ?? undefined, dateRule.optional());

/** New invoice; missing fields other than the amount take the defaults of a new form. */
export const InvoiceInput = z.object({ id: entryId, ...INVOICE.newRules, createdAt: optionalCreatedAt });

export const NewInvoiceForm = InvoiceInput.extend(INVOICE.typedRules);

export const InvoiceChanges = z.object({
  id,
  ...z.object(INVOICE.rules).partial().shape,
  version: version.optional(),
});

/** Form of an invoice as read at `version`. */
export const InvoiceForm = z.object({
  id,
  ...INVOICE.rules,
  ...INVOICE.typedRules,
  version,
  was: openedValues(InvoiceChanges.omit({ id: true, version: true })),
});

/** Requires that a tax fits into its amount. */
const isTaxWithin = ({ amount, taxAmount = 0 }: { amount: number; taxAmount?: number | undefined }) =>
  taxAmount === 0 || taxAmount <= amount;
const TAX_PROBLEM = { path: ["taxAmount"], message: "The tax can't be more than the amount" };

const newExpense = z.object({ id: entryId, ...EXPENSE.rules, createdAt: optionalCreatedAt });
export const ExpenseInput = newExpense.refine(isTaxWithin, TAX_PROBLEM);

const newExpenseForm = newExpense.extend(EXPENSE.typedRules);
export const NewExpenseForm = newExpenseForm.refine(isTaxWithin, TAX_PROBLEM);

export const ExpenseChanges = z.object({
  id,
  ...z.object(EXPENSE.rules).partial().shape,
  version: version.optional(),
});

const expenseForm = z.object({
  id,
  ...EXPENSE.rules,
  ...EXPENSE.typedRules,
  version,
  was: openedValues(ExpenseChanges.omit({ id: true, version: true })),
});
/** Form of an expense as read at `version`. */
export const ExpenseForm = expenseForm.refine(isTaxWithin, TAX_PROBLEM);

/** Reads a form with files. */
function withFiles(raw: unknown, ctx: z.core.$RefinementCtx): unknown {
  const { form, ...fields } = Object(raw) as Record<string, unknown>;
  if (!(form instanceof FormData)) return { ...fields, files: [] };
  return { ...Object.fromEntries(form), ...fields, files: filesOf(form, ctx) };
}
const files = { files: attachedFiles };

/** Forms of an expense with its files, as the server reads them. */
export const NewExpenseUpload = z.preprocess(
  withFiles,
  newExpenseForm.extend(files).refine(isTaxWithin, TAX_PROBLEM),
);
export const ExpenseUpload = z.preprocess(
  withFiles,
  expenseForm.extend(files).refine(isTaxWithin, TAX_PROBLEM),
);

/** POST expense/{id}/file: multipart `files`…. */
export const AttachInput = z.preprocess(
  withFiles,
  z.object({ id, files: attachedFiles.refine((list) => list.length > 0, "Choose a file") }),
);

/** Key of a file of an expense; an unknown one is answered 404. */
export const RemovedFileInput = z.object({ key: z.string().catch("") });

export const EntryInput = z.object({ id });

export const Nothing = z.object({});

export const YearInput = z.object({
  year: z
    .string()
    .regex(/^20\d\d$/, "Must be a year from 2000 to 2099")
    .transform(Number),
});

const MAX_SEARCH_LENGTH = 200;
/** Day of a filter, `YYYY-MM-DD`. */
export const optionalDay = optional(
  z.string().refine(isDay, {
    error: ({ input }) => noSuchDay(input) ?? "Must be a day, YYYY-MM-DD, from 2000 to 2099",
  }),
);
const listFields = {
  ...listWindow,
  q: z
    .string()
    .default("")
    .transform((text) => text.toWellFormed().slice(0, MAX_SEARCH_LENGTH).trim()),
  dir: optional(oneOf(["asc", "desc"])),
  businessType: optional(oneOf(BUSINESSES)),
  from: optionalDay,
  to: optionalDay,
};

export const InvoiceListInput = z.object({
  ...listFields,
  sort: optional(oneOf(INVOICE_SORTS)),
  category: optional(categoryRule),
  paymentMode: optional(oneOf(PAYMENT_MODES)),
});

export const ExpenseListInput = z.object({
  ...listFields,
  sort: optional(oneOf(EXPENSE_SORTS)),
  expenseType: optional(oneOf(EXPENSE_TYPES)),
});
