import { z } from "zod";
import { EMAIL_SHAPE, emailKey, hasMailDomain } from "./email-address";

export { EMAIL_SHAPE, emailKey };

// Zod would try `new Function`, which our Content-Security-Policy refuses and the browser then reports.
z.config({ jitless: true });

/** Kinds of field that every domain's schema is made of. Safe in the browser. Each takes JSON and form values alike. */

/** Control characters, line breaks among them, and marks that turn the direction of what follows: no line of text needs them. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whether text may be stored: no NUL or other control character, no half of a surrogate pair. */
const isFit = (text: string) => !CONTROL.test(text) && text.isWellFormed();

/** Whether there is anything to be seen: spaces and marks of no width are as good as nothing. */
const isSeen = (text: string) => /[^\p{Z}\p{Cf}]/u.test(text);

/** What stands for a value that isn't text at all. */
const typed = (required: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? required : "Must be text";

/**
 * Text that must be there: trimmed, bounded, free of control characters. Rules chained to it are told only
 * of text that is there.
 *
 * @param required message when it is missing or blank
 * @param max characters
 * @param tooLong message when there are more
 */
export function requiredText(required: string, max = 200, tooLong = `Must be at most ${max} characters`) {
  return z
    .string({ error: typed(required) })
    .trim()
    .refine(isSeen, { error: required, abort: true })
    .max(max, tooLong)
    .refine(isFit, "Contains characters that are not allowed");
}

/**
 * Text that may be left out or blank; blank and null are read as "".
 *
 * @param max characters
 */
export function optionalText(max = 200) {
  return z.preprocess(
    (value) => value ?? "",
    z
      .string({ error: "Must be text" })
      .trim()
      .max(max, `Must be at most ${max} characters`)
      .refine(isFit, "Contains characters that are not allowed"),
  );
}

/**
 * A password: as typed, not trimmed, 200 characters at most.
 *
 * @param required message when it is missing
 */
export function password(required: string) {
  return z
    .string({ error: typed(required) })
    .min(1, { error: required, abort: true })
    .max(200, "Must be at most 200 characters")
    .refine(isFit, "Contains characters that are not allowed");
}

/**
 * An e-mail address: trimmed and NFC.
 *
 * @param required message when it is missing
 * @param invalid message when it is not an address
 */
export function email(required = "Email is required", invalid = "Please enter a valid email address") {
  return requiredText(required, 254)
    .transform((text) => text.normalize("NFC"))
    .refine((text) => EMAIL_SHAPE.test(text) && hasMailDomain(text), invalid);
}

/**
 * Tells a change of e-mail address from another way to write the same one.
 *
 * @param sent anything; what isn't an address is no change
 */
export function isNewEmail(sent: unknown, stored: string): sent is string {
  return typeof sent === "string" && EMAIL_SHAPE.test(sent.trim()) && emailKey(sent) !== emailKey(stored);
}

/** A yes or no: JSON booleans, and what a checkbox or a hidden field sends. */
export const flag = z.preprocess(
  (value) => (value === "on" || value === "true" ? true : value === "false" ? false : value),
  z.boolean({ error: "Must be true or false" }),
);

/** Dollars in, cents out: a JSON number or plain decimal, 0 to 99,999,999.99, at most two decimals (contract: Money). */
export const dollarsToCents = z
  .union([z.number(), z.string()], { error: "Must be an amount" })
  .transform((value) => String(value).trim())
  .refine(
    (text) => /^\d{1,8}(?:\.\d{1,2})?$/.test(text),
    "Must be an amount from 0 to 99,999,999.99 with at most 2 decimals",
  )
  .transform((text) => Math.round(Number(text) * 100));

/**
 * A whole number: a JSON number or its digits.
 *
 * @param min lowest
 * @param max highest
 */
export function wholeNumber(min: number, max: number) {
  const rule = `Must be a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value),
    z.number({ error: rule }).int({ error: rule, abort: true }).min(min, rule).max(max, rule),
  );
}

/**
 * What a form showed when it was opened, sent along as JSON: it tells what somebody else has changed meanwhile from
 * what its own sender has. Unreadable, it tells nothing.
 *
 * @param fields the form's
 */
export const openedAs = <T extends z.ZodType>(fields: T) =>
  z.string().max(10_000).transform(readJson).pipe(fields).optional().catch(undefined);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The window that every list takes (contract: Lists): limit 1 to 1,000, offset 0 or more; without limit, everything. */
export const listWindow = {
  limit: wholeNumber(1, 1000).optional(),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
};

/** An opaque id, as it stands in a path. */
export const id = z.string().min(1, "Required").max(64, "Too long");

/**
 * Times as the API tells them (spec 3).
 *
 * @param seconds epoch seconds
 */
export function timestamp(seconds: number): { seconds: number; nanoseconds: number } {
  return { seconds, nanoseconds: 0 };
}
