import { z } from "zod";
import { isDay, noSuchDay } from "~/domain/calendar-day";
import { LOCAL_OR_ISO, timeDescribed } from "~/domain/date-rule";
import { type DateInput, parseDate, resolveDate } from "~/domain/days";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { BUSINESSES, PAYMENT_MODES } from "~/domain/enums";
import { INVOICE } from "~/features/ledger/invoice";
import { optionalCreatedAt, optionalDay } from "~/features/ledger/schema";
import { fieldError } from "~/http/errors";
import {
  type AmountReading,
  clientId,
  dollarsToCents,
  email,
  flag,
  id,
  listWindow,
  optional,
  optionalId,
  optionalLines,
  optionalText,
  requiredText,
  signedAmount,
  wholeNumber,
} from "~/http/fields";
import { CUSTOMER, type CustomerContent } from "./customer";
import {
  DOCUMENT_KINDS,
  HOLD_STATES,
  MAX_DESCRIPTION,
  MAX_LINES,
  MAX_NOTE,
  MAX_TITLE,
  SALE_SOURCES,
} from "./document";
import { QUOTE_STATES } from "./quote-state";

/** Longest id that leaves room for the suffixes of the documents and messages of a request. */
const MAX_REQUEST_ID = 60;
export const requestId = clientId({ max: MAX_REQUEST_ID, names: ["all", "category", "year"] });
/** Id of a document: a request's id, perhaps with a suffix. */
export const documentId = id;

/** Id of a hold or a customer in a path. */
export const PathId = z.object({ id });

const MAX_QUANTITY = 1_000_000;
export const quantity = wholeNumber(1, MAX_QUANTITY);
const DESCRIBED = { examples: [INVOICE.fields.description.example] };
export const description = optionalText(MAX_DESCRIPTION)
  .transform((text) => text.normalize("NFC"))
  .meta({ override: DESCRIBED });
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `Must be one of ${values.join(", ")}` });

export function lines<T extends z.ZodType>(line: T) {
  return z
    .array(line, { error: "At least one line is required" })
    .min(1, "At least one line is required")
    .max(MAX_LINES, `Must be at most ${MAX_LINES} lines`);
}

/** Fields by which a line names a unit, or a product of one unit. */
export const sold = { productId: optionalId, unitId: optionalId };

/** Returns the id of the unit that a line names. */
export const unitIdOf = ({
  unitId,
  productId,
}: {
  unitId?: string | undefined;
  productId?: string | undefined;
}) => unitId ?? productId;

export const DocumentListInput = z.object({
  ...listWindow,
  q: optionalText(100),
  from: optionalDay,
  to: optionalDay,
  business: optional(choice(BUSINESSES)),
  kind: optional(choice(DOCUMENT_KINDS)),
  source: optional(choice(SALE_SOURCES)),
  customerId: optionalId,
  chatId: optionalId,
});
export const DocumentInput = z.object({ id: documentId });

/** Days within which a hold and a quote end. */
const MAX_DAYS = { until: 60, validUntil: 365 };
type EndField = keyof typeof MAX_DAYS;
/** Instant, or a local time of the shop. */
type EndInput = Exclude<DateInput, { day: string }>;

/** Returns the error message of an end; null for a time within the days of its field. */
function endProblem(field: EndField, at: number, now: number): string | null {
  if (at <= now) return "Must be in the future";
  return at > now + MAX_DAYS[field] * DAY_SECONDS ? `Must be within the next ${MAX_DAYS[field]} days` : null;
}

function inputProblem(field: EndField, time: DateInput | null): string | null {
  if (!time) return "Must be a day with a time, such as 2026-12-01T18:00";
  if ("day" in time) return `Add the time of day, such as ${time.day}T18:00`;
  return "at" in time ? endProblem(field, time.at, epochSeconds()) : null;
}

/** Time in the future; a local time is checked by `endOf`, which knows the time zone. */
function endTime(field: EndField) {
  return z
    .unknown()
    .transform((value, context): EndInput => {
      const time = parseDate(value);
      const message = noSuchDay(value) ?? inputProblem(field, time);
      if (message === null) return time as EndInput;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta(timeDescribed(LOCAL_OR_ISO));
}

/**
 * Resolves the end of a hold or quote.
 *
 * @param now epoch seconds
 * @returns epoch seconds
 * @throws AppError invalid for a local time that has passed or is too far ahead
 */
export function endOf(field: EndField, time: EndInput, now: number, timezone: string): number {
  const at = resolveDate(time, now, timezone).createdAt;
  const problem = "localTime" in time ? endProblem(field, at, now) : null;
  if (problem) throw fieldError("invalid", field, problem);
  return at;
}

/** Request id that does not end as those of the messages that the shop derives from an id: its card would have the same. */
const cardId = (ends: RegExp) => clientId({ max: MAX_REQUEST_ID, isReserved: (text) => ends.test(text) });

export const HoldInput = z.object({
  id: cardId(/-released$/),
  chatId: optionalId,
  customerId: optionalId,
  /** None: the shop's next closing time. */
  until: optional(endTime("until")),
  /** `description` names the choices made of a product. */
  lines: lines(
    z
      .object({ ...sold, description, quantity })
      .refine((line) => unitIdOf(line) !== undefined, { path: ["productId"], message: "Required" }),
  ),
});
export type HoldRequest = z.infer<typeof HoldInput>;
export const HoldChange = z.object({ id, until: endTime("until") });

export const HoldListInput = z.object({
  ...listWindow,
  q: optionalText(100),
  state: optional(choice(HOLD_STATES)),
});

export const QuoteInput = z.object({
  id: cardId(/-(?:withdrawn|accepted|declined)$/),
  chatId: id,
  title: requiredText("Title is required", MAX_TITLE),
  lines: lines(
    z.object({
      /** Product that was asked for, which the sale takes from the stock. */
      ...sold,
      description: requiredText("Description is required", MAX_DESCRIPTION).meta(DESCRIBED),
      material: optionalText(100),
      size: optionalText(100),
      quantity,
      amount: dollarsToCents,
    }),
  ),
  /** Keys of files in the chat. */
  files: z
    .array(z.string().min(1).max(200, "Too long"), { error: "Must be a list of files" })
    .max(10, "Must be at most 10 files")
    .default([]),
  readyBy: z.preprocess(
    (value) => value ?? "",
    z
      .string()
      .refine((day) => day === "" || isDay(day), {
        error: ({ input }) => noSuchDay(input) ?? "Must be a day, YYYY-MM-DD, from 2000 to 2099",
      })
      .meta({ examples: ["2026-12-01"] }),
  ),
  validUntil: optional(endTime("validUntil")),
  note: optionalLines(MAX_NOTE),
});
export type QuoteRequest = z.infer<typeof QuoteInput>;

/** Ends of a deposit whose quote is withdrawn. */
export const DEPOSIT_ENDS = ["paidBack", "kept"] as const;
export const QuoteChange = z
  .object({
    id,
    state: choice(["withdrawn", "accepted", "declined"]),
    was: optional(choice(["sent", "accepted"])).meta({ description: "State that the caller saw" }),
    deposit: optional(choice(DEPOSIT_ENDS)).meta({ description: "Required where a deposit is paid" }),
    depositAmount: optional(dollarsToCents).meta({ description: "Sum of the deposits that the caller saw" }),
    message: optionalLines(MAX_NOTE).meta({ description: "For the conversation, of a withdrawal" }),
  })
  .refine(({ state, deposit }) => state === "withdrawn" || deposit === undefined, {
    path: ["deposit"],
    message: "Belongs to the state withdrawn",
  });
export const QuoteReady = z.object({ id, isReady: flag });

export type QuoteDecision = z.infer<typeof QuoteChange>;

/** Ends of the ids that payments of documents have. */
const PAID_ENDS = /-paid(?:-\d+)?$/;

const paymentFields = {
  quoteId: id,
  id: cardId(PAID_ENDS),
  mode: choice(PAYMENT_MODES),
  note: optionalText(MAX_DESCRIPTION),
  createdAt: optional(optionalCreatedAt),
  accept: flag
    .default(false)
    .meta({ description: "Accepts a quote for the customer that waits for an answer" }),
};
const paymentRule = (reading: AmountReading) => z.object({ ...paymentFields, amount: signedAmount(reading) });
export const PaymentInput = paymentRule("plain");
export type PaymentRequest = z.infer<typeof PaymentInput>;
/** Form of a deposit, which mails its receipt where an address is given. */
export const PaymentForm = paymentRule("typed").safeExtend({ mailTo: optional(email()) });

export const QuoteListInput = z.object({
  ...listWindow,
  q: optionalText(100),
  state: optional(choice(QUOTE_STATES)),
});

/** Fields of the customer form, which the browser validates. */
export const CustomerFields = z.object(CUSTOMER.rules);
/** Beginning of the ids of customers whom a sale creates from an account. */
export const ACCOUNT_CUSTOMER = "account-";
const customerId = clientId({
  max: MAX_REQUEST_ID,
  isReserved: (text) => text.startsWith(ACCOUNT_CUSTOMER),
});
export const CustomerInput = z.object({ id: customerId, ...CUSTOMER.rules, chatId: optionalId });
export const CustomerChanges = z.object({ id, ...CustomerFields.partial().shape });
const side = optional(choice(["own", "other"]));
/** Side from which each field of a merge comes. */
export const MergeFields = z.object({
  ...(Object.fromEntries(CUSTOMER.columns.map(({ name }) => [name, side])) as Record<
    keyof CustomerContent,
    typeof side
  >),
  notes: optional(choice(["own", "other", "both"])),
});
export const CustomerMerge = z.object({ customerId: id, id, fields: MergeFields.default({}) });
export const CustomerLink = z.object({ customerId: id, chatId: id });
export const CustomerListInput = z.object({ ...listWindow, q: optionalText(100) });
export const TimelineInput = z.object({ id, ...listWindow });
export const MovementsInput = z.object({ id, ...listWindow });

/** Receipt that a reader opens, with the key of a mailed link. */
export const ReceiptInput = z.object({ id: documentId, key: z.string().nullish() });

/** Receipt to be mailed; without `to`, to the address that the customer left. */
export const MailReceiptInput = z.object({
  id: documentId,
  to: optional(email()),
  /** Idempotency key: a request that is sent again mails once. */
  mailId: requestId,
});

/** Largest number of documents in one PDF. */
const MAX_DOCUMENTS = 100;

/** Ids of the documents in one PDF: `ids=a,b,c`. */
export const ReceiptIds = z
  .string({ error: "Name the receipts: ?ids=" })
  .transform((text) => [...new Set(text.split(",").filter(Boolean))])
  .pipe(
    z
      .array(documentId)
      .min(1, "Name the receipts: ?ids=")
      .max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} receipts`),
  );
