import { optionalText, requiredText } from "./fields";

/** Maximum length of a first or last name, characters. */
export const MAX_NAME_LENGTH = 50;
/** Maximum length of a visitor's name, characters. */
const MAX_VISITOR_NAME = 100;

const NAME_TOO_LONG = `Name must not exceed ${MAX_NAME_LENGTH} characters`;
const WEB_ADDRESS = "Must not contain a web address";

/**
 * Finds `://` and `www.` in a name, in any Unicode form: mail programs and chats would show them as a link.
 */
export function hasWebAddress(name: string): boolean {
  const text = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return /:\/\/|www[.。]/iu.test(text);
}

/**
 * Returns the salutation of a mail. A name like `evil.com` is left out: mail programs would make a link of it, and
 * anybody can enter somebody else's address.
 */
export function salutation(name: string): string {
  return /[\p{L}\p{N}][.。．｡@][\p{L}\p{N}]{2}/u.test(name) ? "Hello," : `Hello ${name},`;
}

const isPlain = (name: string) => !hasWebAddress(name);

/**
 * Required first or last name.
 *
 * @param required message for a missing or blank name
 */
export function personName(required: string) {
  return requiredText(required, MAX_NAME_LENGTH, NAME_TOO_LONG).refine(isPlain, WEB_ADDRESS);
}

/**
 * First and last name in one field, split at the first space.
 *
 * @param required message when either part is missing
 */
export function fullName(required: string) {
  return requiredText(required, 2 * MAX_NAME_LENGTH + 20)
    .regex(/^\S+\s+\S/, required)
    .refine((text) => splitName(text).every((part) => part.length <= MAX_NAME_LENGTH), NAME_TOO_LONG)
    .refine(isPlain, WEB_ADDRESS);
}

/** Splits a full name at the first space. */
export function splitName(name: string): [firstName: string, lastName: string] {
  const [firstName = "", ...rest] = name.split(/\s+/);
  return [firstName, rest.join(" ")];
}

/** Optional name of a visitor. */
export function visitorNameField() {
  return optionalText(MAX_VISITOR_NAME)
    .refine(isPlain, WEB_ADDRESS)
    .transform((text) => text.replace(/\s+/g, " "));
}
