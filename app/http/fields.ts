import { z } from "zod";
import { withoutInvisibleMarks } from "~/db/text";
import { amountProblem } from "~/domain/amount-problem";
import { MAX_CENTS } from "~/domain/money";
import { isPlainAmount, parseAmount } from "~/domain/typed-amount";
import { EMAIL_SHAPE, emailKey, hasMailDomain } from "./email-address";

export { EMAIL_SHAPE, emailKey };

const WRONG_TYPE: Record<string, string> = {
  string: "Must be text",
  number: "Must be a number",
  boolean: "Must be true or false",
  array: "Must be a list",
  object: "Must be an object",
};

/** Words a problem whose rule has no message of its own, in place of zod's. */
function defaultMessage({ code, input, expected = "" }: { code: string; input: unknown; expected?: string }) {
  if (input === undefined || input === null || input === "") return "Required";
  return (code === "invalid_type" && WRONG_TYPE[expected]) || "Not valid";
}

// Zod would try `new Function`, which the Content-Security-Policy rejects and the browser reports.
z.config({
  jitless: true,
  customError: (issue) => defaultMessage(issue as Parameters<typeof defaultMessage>[0]),
});

/** Examples of the API's document, which the API accepts. */
export const EXAMPLES = {
  id: "0b1e9a52",
  password: "Sturdy-Vase-4!",
  email: "ines@mail.example",
  phone: "+1 647 555 0123",
  firstName: "Ines",
  lastName: "Duarte",
  fullName: "Ines Duarte",
};

// Field types that all schemas share. They run in the browser too and accept JSON and form values.

/** Control characters, line breaks among them, and marks that change the text direction. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Rejects control characters and lone surrogates. */
const isStorable = (text: string) => !CONTROL.test(text) && text.isWellFormed();

/** Rejects text of spaces and zero-width characters alone. */
const isVisible = (text: string) => /[^\p{Z}\p{Cf}]/u.test(text);

const typeError = (required: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? required : "Must be text";

/**
 * Required text: trimmed, bounded, free of control characters; invisible marks are dropped. Rules chained to it do not run on missing text.
 *
 * @param required message for missing or blank text
 * @param tooLong message for longer text
 */
export function requiredText(required: string, max = 200, tooLong = `Must be at most ${max} characters`) {
  return z
    .string({ error: typeError(required) })
    .overwrite(withoutInvisibleMarks)
    .trim()
    .refine(isVisible, { error: required, abort: true })
    .max(max, tooLong)
    .refine(isStorable, "Contains characters that are not allowed");
}

/** Optional value: empty text, as an empty form field sends it, and null are missing. */
export const optional = <Rule extends z.ZodType>(rule: Rule) =>
  z.preprocess((value) => (value === "" || value === null ? undefined : value), rule.optional());

/** Optional text of one line; blank and null become "". */
export function optionalText(max = 200) {
  return z.preprocess(
    (value) => value ?? "",
    z
      .string({ error: "Must be text" })
      .overwrite(withoutInvisibleMarks)
      .trim()
      .max(max, `Must be at most ${max} characters`)
      .refine(isStorable, "Contains characters that are not allowed"),
  );
}

/** Optional text of several lines, which end in LF; blank and null become "". */
export function optionalLines(max: number) {
  return z.preprocess(
    (value) => value ?? "",
    z
      .string({ error: "Must be text" })
      // Forms send CRLF.
      .overwrite((text) => withoutInvisibleMarks(text).replace(/\r\n?/g, "\n").trim())
      .max(max, `Must be at most ${max} characters`)
      .refine((text) => isStorable(text.replace(/[\t\n]/g, "")), "Contains characters that are not allowed"),
  );
}

/** Password: not trimmed, at most 200 characters. @param required message when it is missing */
export function password(required: string) {
  return z
    .string({ error: typeError(required) })
    .min(1, { error: required, abort: true })
    .max(200, "Must be at most 200 characters")
    .refine(isStorable, "Contains characters that are not allowed")
    .meta({ examples: [EXAMPLES.password] });
}

/**
 * E-mail address: trimmed and NFC.
 *
 * @param required message when it is missing
 * @param invalid message for a malformed address
 */
export function email(required = "Email is required", invalid = "Please enter a valid email address") {
  return requiredText(required, 254)
    .meta({ examples: [EXAMPLES.email] })
    .transform((text) => text.replace(/\p{Cf}/gu, "").normalize("NFC"))
    .refine((text) => EMAIL_SHAPE.test(text) && hasMailDomain(text), invalid);
}

/**
 * Detects a new e-mail address; another spelling of the stored one is no change.
 *
 * @param sent any value; a malformed address is no change
 */
export function isNewEmail(sent: unknown, stored: string): sent is string {
  return typeof sent === "string" && EMAIL_SHAPE.test(sent.trim()) && emailKey(sent) !== emailKey(stored);
}

/** Boolean: from JSON, a checkbox or a hidden field. */
export const flag = z.preprocess(
  (value) => (value === "on" || value === "true" ? true : value === "false" ? false : value),
  z.boolean({ error: "Must be true or false" }),
);

/** Describes an amount in the API's document, for which text is accepted too. */
export const DOLLARS = {
  anyOf: undefined,
  type: "number" as const,
  minimum: 0,
  maximum: MAX_CENTS / 100,
  examples: [24.5],
};

/** Text that an amount may be: plain decimals, as in the API, or what people type into forms (`parseAmount`). */
export type AmountReading = "plain" | "typed";

/**
 * Dollars in, cents out: a JSON number or text, 0 to 99,999,999.99, at most two decimals.
 *
 * @param below message for an amount below 0
 */
export function dollarAmount(reading: AmountReading, below?: string) {
  return z
    .union([z.number(), z.string()], { error: "Must be an amount" })
    .transform((value, context): number => {
      const amount = parseAmount(String(value));
      const isPlain = typeof value === "number" || isPlainAmount(value);
      if (amount?.isCertain && (isPlain || reading === "typed")) return amount.cents;
      context.addIssue({ code: "custom", message: amountProblem(value, below) });
      return z.NEVER;
    })
    .meta({ override: DOLLARS });
}

/** Amount other than 0, negative for what is paid back. */
export const signedAmount = (reading: AmountReading) => signed(reading, (cents) => cents !== 0);

/** Amount that may be 0 or negative, such as the balance of a drawer. */
export const balance = (reading: AmountReading) => signed(reading, () => true);

function signed(reading: AmountReading, isTaken: (cents: number) => boolean) {
  const size = dollarAmount(reading);
  return z
    .union([z.number(), z.string()], { error: "Must be an amount" })
    .transform((value, context): number => {
      const isNegative = typeof value === "number" ? value < 0 : MINUS.test(value);
      const parsed = size.safeParse(typeof value === "number" ? Math.abs(value) : value.replace(MINUS, ""));
      const message = parsed.success ? NOT_ZERO : (parsed.error.issues[0]?.message ?? "Must be an amount");
      if (parsed.success && isTaken(parsed.data)) return isNegative ? 0 - parsed.data : parsed.data;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ override: { ...DOLLARS, minimum: -MAX_CENTS / 100 } });
}
const MINUS = /^\s*[-\u2212]/;
const NOT_ZERO = "Must not be 0";

/** Amount in the API. */
export const dollarsToCents = dollarAmount("plain");

/** Whole number: a JSON number or digits. */
export function wholeNumber(min: number, max: number) {
  const rule = `Must be a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value),
    z.number({ error: rule }).int({ error: rule, abort: true }).min(min, rule).max(max, rule),
  );
}

/** Values that a form showed when it was opened, sent as JSON to detect edits by others. Invalid JSON is ignored. */
export const openedValues = <T extends z.ZodType>(fields: T) =>
  z.string().max(10_000).transform(readJson).pipe(fields).optional().catch(undefined);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Window of a list: limit 1 to 1,000, offset 0 or more; without a limit, all rows. */
export const listWindow = {
  limit: wholeNumber(1, 1000).optional(),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
};

/** Opaque id in a path. */
export const id = z
  .string()
  .min(1, "Required")
  .max(64, "Too long")
  .meta({ examples: [EXAMPLES.id] });

/** Id of another object, which an example of the API's document would have to invent. */
export const otherId = id.meta({ examples: [] });
export const optionalId = optional(otherId);

const RESERVED = "This id is reserved";

/**
 * Optional id that the client chooses, so that a request sent twice has one effect.
 *
 * @param names names of routes that stand where others have the id, which are not accepted in any case
 * @param isReserved names further ids that are not accepted, with the message `reserved`
 */
export const clientId = ({
  max = 64,
  names = [] as string[],
  isReserved = (_id: string): boolean => false,
  reserved = RESERVED,
} = {}) =>
  optional(
    z
      .string({ error: "Must be text" })
      .regex(new RegExp(`^[A-Za-z0-9_-]{1,${max}}$`), `Must be 1 to ${max} of A-Z, a-z, 0-9, _ and -`)
      .refine((text) => !names.some((name) => name.toLowerCase() === text.toLowerCase()), RESERVED)
      .refine((text) => !isReserved(text), reserved)
      .meta({ examples: ["till-2-0042"] }),
  );

/** Formats a time for the API. @param seconds epoch seconds */
export function timestamp(seconds: number): { seconds: number; nanoseconds: number } {
  return { seconds, nanoseconds: 0 };
}

/** Characters of a person's first or last name. */
export const MAX_NAME_LENGTH = 50;
/** Characters of a phone number, of accounts and of customers, who get those of their accounts. */
const MAX_PHONE_LENGTH = 40;

/** Removes invisible characters from a phone number, also joiners, which text may need. */
const withoutUnseen = (value: unknown) =>
  typeof value === "string" ? value.replace(/\p{Default_Ignorable_Code_Point}/gu, "") : value;

/** Phone number; blank and null become "". */
export const optionalPhone = () =>
  z
    .preprocess(withoutUnseen, optionalText(MAX_PHONE_LENGTH))
    .meta({ override: { examples: [EXAMPLES.phone] } });

/** Phone number that has to be given. */
export const requiredPhone = () =>
  z.preprocess(
    withoutUnseen,
    requiredText("Phone number is required", MAX_PHONE_LENGTH).meta({ examples: [EXAMPLES.phone] }),
  );

const MAX_VISITOR_NAME = 100;

const NAME_TOO_LONG = `Name must not exceed ${MAX_NAME_LENGTH} characters`;
const WEB_ADDRESS = "Must not contain a web address";

/** Finds `://` and `www.` in a name, in any Unicode form: mail programs and chats would show them as a link. */
export function hasWebAddress(name: string): boolean {
  const text = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return /:\/\/|www[.\u3002]/iu.test(text);
}

const isPlain = (name: string) => !hasWebAddress(name);

/** Required first or last name. @param required message for a missing or blank name */
export function personName(required: string) {
  return requiredText(required, MAX_NAME_LENGTH, NAME_TOO_LONG).refine(isPlain, WEB_ADDRESS);
}

/** First and last name in one field, split at the first space. @param required message when either part is missing */
export function fullName(required: string) {
  return requiredText(required, 2 * MAX_NAME_LENGTH + 20)
    .regex(/^\S+\s+\S/, required)
    .refine((text) => splitName(text).every((part) => part.length <= MAX_NAME_LENGTH), NAME_TOO_LONG)
    .refine(isPlain, WEB_ADDRESS)
    .meta({ examples: [EXAMPLES.fullName] });
}

/** Splits a full name at the first space. */
export function splitName(name: string): [firstName: string, lastName: string] {
  const [firstName = "", ...rest] = name.split(/\s+/);
  return [firstName, rest.join(" ")];
}

export function visitorNameField() {
  return optionalText(MAX_VISITOR_NAME)
    .refine(isPlain, WEB_ADDRESS)
    .transform((text) => text.replace(/\s+/g, " "));
}

/** Names of local networks and of no public network (RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's `.internal`). */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|invalid|example|onion)$/;
/** Labels with dots between them and a top-level domain that begins with a letter: no IP address. */
const PUBLIC_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** IP address within a name, which public resolvers translate to that address. */
const EMBEDDED_ADDRESS = /(?:^|[.-])\d{1,3}(?:[.-]\d{1,3}){3}(?=$|[.-])/;

/**
 * Tests for a URL that the Worker may send requests to: https, a name of the public DNS, the default port, no credentials.
 * Only the normal spelling is accepted, as browsers report it: the URL parser would turn others into an IP address.
 */
export function isPublicHttpsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, protocol, username, password, port, hash, hostname } = new URL(text);
  const isNormal = href === text && protocol === "https:" && !username && !password && !port && !hash;
  return (
    isNormal && PUBLIC_NAME.test(hostname) && !LOCAL_NAME.test(hostname) && !EMBEDDED_ADDRESS.test(hostname)
  );
}
