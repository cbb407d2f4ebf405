import { z } from "zod";
import { parseCategory } from "~/features/catalogue/categories";
import {
  dollarsToCents,
  id,
  listWindow,
  openedValues,
  optional,
  optionalText,
  requiredText,
  wholeNumber,
} from "~/http/fields";
import { isDay } from "~/ui/DataTable/list-params";
import { type DateInput, parseDate } from "./days";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "./enums";

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

/** Optional id from the client, so that an entry sent twice is stored once. */
const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Route segments that take the place of an id. */
const RESERVED_IDS = /^(?:all|totalExpensesAmount)$/i;
const clientId = optional(
  z
    .string({ error: "Must be text" })
    .regex(CLIENT_ID, "Must be 1 to 64 of A-Z, a-z, 0-9, _ and -")
    .refine((text) => !RESERVED_IDS.test(text), "This id is reserved"),
);

const MAX_DESCRIPTION_LENGTH = 500;
const description = optionalText(MAX_DESCRIPTION_LENGTH).transform((text) => text.normalize("NFC"));
const requiredDescription = requiredText("Description is required", MAX_DESCRIPTION_LENGTH).transform(
  (text) => text.normalize("NFC"),
);

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `Must be one of ${values.join(", ")}` });
}
const category = z.string({ error: "Must be a category" }).transform((text, context) => {
  const known = parseCategory(text);
  if (known) return known;
  context.addIssue({ code: "custom", message: "There is no such category" });
  return z.NEVER;
});

const isPresent = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
const amount = z
  .custom<unknown>(isPresent, { error: "Amount is required", abort: true })
  .pipe(dollarsToCents);
const amountAboveZero = amount.refine((cents) => cents > 0, "Must be more than 0");

const quantity = wholeNumber(1, 1_000_000);
const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** Date as `parseDate` reads it (docs/product.md, 3.3). */
const createdAt = z.unknown().transform((value, context): DateInput => {
  const date = parseDate(value);
  if (date) return date;
  context.addIssue({ code: "custom", message: "Must be a date from 2000 to 2099" });
  return z.NEVER;
});
export const optionalCreatedAt = z.preprocess((value) => value ?? undefined, createdAt.optional());

const invoiceFields = {
  description,
  category,
  quantity,
  paymentMode: oneOf(PAYMENT_MODES),
  businessType: oneOf(BUSINESSES),
  amount,
  createdAt,
};

/** New invoice; missing fields other than the amount take the defaults of a new form. */
export const InvoiceInput = z.object({
  id: clientId,
  ...invoiceFields,
  category: category.default("PHONE_CASE"),
  quantity: quantity.default(1),
  paymentMode: invoiceFields.paymentMode.default("CASH"),
  businessType: invoiceFields.businessType.default("EMPORIA"),
  createdAt: optionalCreatedAt,
});

export const InvoiceChanges = z.object({
  id,
  ...z.object(invoiceFields).partial().shape,
  version: version.optional(),
});

/** Form of an invoice as read at `version`. */
export const InvoiceForm = z.object({
  id,
  ...invoiceFields,
  version,
  was: openedValues(InvoiceChanges.omit({ id: true, version: true })),
});

const expenseFields = {
  description: requiredDescription,
  expenseType: oneOf(EXPENSE_TYPES),
  businessType: oneOf(BUSINESSES),
  amount: amountAboveZero,
  /** Tax within the amount, as read from the bill; blank is 0. */
  taxAmount: z.preprocess((value) => (value === "" || value === null ? 0 : value), dollarsToCents.optional()),
  createdAt,
};

/** Requires that a tax fits into its amount. */
const isTaxWithin = ({ amount, taxAmount = 0 }: { amount: number; taxAmount?: number | undefined }) =>
  taxAmount === 0 || taxAmount <= amount;
const TAX_PROBLEM = { path: ["taxAmount"], message: "Must be at most the amount" };

export const ExpenseInput = z
  .object({ id: clientId, ...expenseFields, createdAt: optionalCreatedAt })
  .refine(isTaxWithin, TAX_PROBLEM);

export const ExpenseChanges = z.object({
  id,
  ...z.object(expenseFields).partial().shape,
  version: version.optional(),
});

/** Form of an expense as read at `version`. */
export const ExpenseForm = z
  .object({
    id,
    ...expenseFields,
    version,
    was: openedValues(ExpenseChanges.omit({ id: true, version: true })),
  })
  .refine(isTaxWithin, TAX_PROBLEM);

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
export const optionalDay = optional(z.string().refine(isDay, "Must be a day, YYYY-MM-DD, from 2000 to 2099"));
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
  category: optional(category),
  paymentMode: optional(oneOf(PAYMENT_MODES)),
});

export const ExpenseListInput = z.object({
  ...listFields,
  sort: optional(oneOf(EXPENSE_SORTS)),
  expenseType: optional(oneOf(EXPENSE_TYPES)),
});
