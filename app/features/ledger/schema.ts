import { z } from "zod";
import { parseCategory } from "~/features/catalogue/categories";
import {
  dollarsToCents,
  id,
  listWindow,
  openedValues,
  optionalText,
  requiredText,
  wholeNumber,
} from "~/http/fields";
import { type DateInput, isCalendarDay, isDay } from "./days";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "./enums";

/** The lists' sorts, by column (back office 5, Sorting). */
export const INVOICE_SORTS = [
  "description",
  "businessType",
  "quantity",
  "paymentMode",
  "amount",
  "createdAt",
  "category",
] as const;
export type InvoiceSort = (typeof INVOICE_SORTS)[number];
export const EXPENSE_SORTS = ["expenseType", "description", "businessType", "amount", "createdAt"] as const;
export type ExpenseSort = (typeof EXPENSE_SORTS)[number];
export type Direction = "asc" | "desc";

/** An id of the client's making, by which an entry that is sent twice is stored once (budgets: Never loses). */
const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Words that stand in the place of an id in an address of ours, in any case: no row could be reached by them. */
const WORDS = /^(?:all|totalExpensesAmount)$/i;
const clientId = z.preprocess(
  (value) => (value === "" || value === null ? undefined : value),
  z
    .string({ error: "Must be text" })
    .regex(CLIENT_ID, "Must be 1 to 64 of A-Z, a-z, 0-9, _ and -")
    .refine((text) => !WORDS.test(text), "Must be another one: this word is an address")
    .optional(),
);

const DESCRIPTION_LENGTH = 500;
const description = optionalText(DESCRIPTION_LENGTH).transform((text) => text.normalize("NFC"));
const requiredDescription = requiredText("Description is required", DESCRIPTION_LENGTH).transform((text) =>
  text.normalize("NFC"),
);

/** One of a fixed list. */
function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `Must be one of ${values.join(", ")}` });
}
const category = z.string({ error: "Must be a category" }).transform((text, context) => {
  const known = parseCategory(text);
  if (known) return known;
  context.addIssue({ code: "custom", message: "There is no such category" });
  return z.NEVER;
});

const AMOUNT_REQUIRED = "Amount is required";
const isStated = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
/** An amount that must be stated: cents out. */
const amount = z.custom<unknown>(isStated, { error: AMOUNT_REQUIRED, abort: true }).pipe(dollarsToCents);
const amountAboveZero = amount.refine((cents) => cents > 0, "Must be more than 0");

const quantity = wholeNumber(1, 1_000_000);
const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);

const WRONG_DATE = "Must be a date from 2000 to 2099";
/** A billing date in any of the forms of the contract: `{seconds}`, `{_seconds}`, ISO, milliseconds, `YYYY-MM-DD`. */
const createdAt = z.unknown().transform((value, context): DateInput => {
  const given = readGiven(value);
  if (given) return given;
  context.addIssue({ code: "custom", message: WRONG_DATE });
  return z.NEVER;
});
/** Where none need be given; none is now. */
const optionalCreatedAt = z.preprocess((value) => value ?? undefined, createdAt.optional());

/** The dates of the contract, give or take a day: which day it is in the shop is looked at when it is booked. */
const EARLIEST = Date.UTC(2000, 0, 1) / 1000 - 86_400;
const LATEST = Date.UTC(2100, 0, 1) / 1000 + 86_400;
const CLOCK = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/;

function readGiven(value: unknown): DateInput | null {
  if (typeof value === "string") return readText(value.trim());
  if (typeof value === "number") return instant(Math.floor(value / 1000));
  if (typeof value !== "object" || value === null) return null;
  const { seconds, _seconds, nanoseconds, _nanoseconds } = value as Record<string, unknown>;
  return isFraction(nanoseconds ?? _nanoseconds) ? instant(seconds ?? _seconds) : null;
}

function readText(text: string): DateInput | null {
  if (isDay(text)) return { day: text };
  const [, day = "", hours, minutes, seconds = "00", zone] = CLOCK.exec(text) ?? [];
  if (!isCalendarDay(day)) return null;
  if (zone) return instant(Math.floor(Date.parse(text) / 1000));
  if (!isDay(day)) return null;
  return { clock: `${day}T${hours}:${minutes}:${seconds}` };
}

/** Nanoseconds that make no second; the books keep whole seconds. */
function isFraction(nanoseconds: unknown = 0): boolean {
  return Number.isInteger(nanoseconds) && Number(nanoseconds) >= 0 && Number(nanoseconds) < 1e9;
}

function instant(seconds: unknown): DateInput | null {
  if (typeof seconds !== "number" || !Number.isSafeInteger(seconds)) return null;
  return seconds >= EARLIEST && seconds < LATEST ? { at: seconds } : null;
}

/** Adding an invoice. What isn't said is as in a new form (back office 3), but the amount must be. */
export const InvoiceInput = z.object({
  id: clientId,
  description,
  category: category.default("PHONE_CASE"),
  quantity: quantity.default(1),
  paymentMode: oneOf(PAYMENT_MODES).default("CASH"),
  businessType: oneOf(BUSINESSES).default("EMPORIA"),
  amount,
  createdAt: optionalCreatedAt,
});

/** PUT invoice/{id}: a missing key stays as it was. */
export const InvoiceChanges = z.object({
  id,
  description: description.optional(),
  category: category.optional(),
  quantity: quantity.optional(),
  paymentMode: oneOf(PAYMENT_MODES).optional(),
  businessType: oneOf(BUSINESSES).optional(),
  amount: amount.optional(),
  createdAt: createdAt.optional(),
  version: version.optional(),
});

/** The whole form of an invoice that was read at `version`. */
export const InvoiceForm = z.object({
  id,
  description,
  category,
  quantity,
  paymentMode: oneOf(PAYMENT_MODES),
  businessType: oneOf(BUSINESSES),
  amount,
  createdAt,
  version,
  was: openedValues(InvoiceChanges.omit({ id: true, version: true })),
});

/** Adding an expense. */
export const ExpenseInput = z.object({
  id: clientId,
  description: requiredDescription,
  expenseType: oneOf(EXPENSE_TYPES),
  businessType: oneOf(BUSINESSES),
  amount: amountAboveZero,
  createdAt: optionalCreatedAt,
});

/** PUT expense/{id}: a missing key stays as it was. */
export const ExpenseChanges = z.object({
  id,
  description: requiredDescription.optional(),
  expenseType: oneOf(EXPENSE_TYPES).optional(),
  businessType: oneOf(BUSINESSES).optional(),
  amount: amountAboveZero.optional(),
  createdAt: createdAt.optional(),
  version: version.optional(),
});

/** The whole form of an expense that was read at `version`. */
export const ExpenseForm = z.object({
  id,
  description: requiredDescription,
  expenseType: oneOf(EXPENSE_TYPES),
  businessType: oneOf(BUSINESSES),
  amount: amountAboveZero,
  createdAt,
  version,
  was: openedValues(ExpenseChanges.omit({ id: true, version: true })),
});

/** Naming an entry. */
export const EntryInput = z.object({ id });

/** For acts that need nothing said. */
export const Nothing = z.object({});

/** The years that have sums (contract: Dates). */
export const YearInput = z.object({
  year: z
    .string()
    .regex(/^20\d\d$/, "Must be a year from 2000 to 2099")
    .transform(Number),
});

/** Characters of a search that count. */
export const SEARCH_LENGTH = 200;
const blankIsNone = (value: unknown) => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(rule: T) => z.preprocess(blankIsNone, rule.optional());
const day = z.string().refine(isDay, "Must be a day, YYYY-MM-DD, from 2000 to 2099");
const list = {
  ...listWindow,
  q: z
    .string()
    .default("")
    .transform((text) => text.toWellFormed().slice(0, SEARCH_LENGTH).trim()),
  dir: optional(oneOf(["asc", "desc"])),
  businessType: optional(oneOf(BUSINESSES)),
  from: optional(day),
  to: optional(day),
};

/** GET invoice/all: what doesn't fit is refused. */
export const InvoiceListInput = z.object({
  ...list,
  sort: optional(oneOf(INVOICE_SORTS)),
  category: optional(category),
  paymentMode: optional(oneOf(PAYMENT_MODES)),
});

/** GET expense/all. */
export const ExpenseListInput = z.object({
  ...list,
  sort: optional(oneOf(EXPENSE_SORTS)),
  expenseType: optional(oneOf(EXPENSE_TYPES)),
});
