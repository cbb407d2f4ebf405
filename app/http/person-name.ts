import { optionalText, requiredText } from "./fields";

/** Most characters of a first or a last name. */
export const MAX_NAME = 50;
/** Most characters of the name that a visitor gives. */
const MAX_VISITOR_NAME = 100;

const TOO_LONG = `Name must not exceed ${MAX_NAME} characters`;
const WEB_ADDRESS = "Must not contain a web address";

/**
 * Finds `://` and `www.` in a name, however their characters are written: a mail or a chat would show them as a link.
 */
export function hasWebAddress(name: string): boolean {
  const text = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return /:\/\/|www[.。]/iu.test(text);
}

const isPlain = (name: string) => !hasWebAddress(name);

/**
 * First or last name that must be there.
 *
 * @param required message when it is missing or blank
 */
export function personName(required: string) {
  return requiredText(required, MAX_NAME, TOO_LONG).refine(isPlain, WEB_ADDRESS);
}

/**
 * First and last name in one field, apart at the first space.
 *
 * @param required message when one of them is missing
 */
export function fullName(required: string) {
  return requiredText(required, 2 * MAX_NAME + 20)
    .regex(/^\S+\s+\S/, required)
    .refine((text) => splitName(text).every((part) => part.length <= MAX_NAME), TOO_LONG)
    .refine(isPlain, WEB_ADDRESS);
}

/** First and last name of a full one. */
export function splitName(name: string): [firstName: string, lastName: string] {
  const [firstName = "", ...rest] = name.split(/\s+/);
  return [firstName, rest.join(" ")];
}

/** Name that a visitor gives or leaves blank. */
export function visitorNameField() {
  return optionalText(MAX_VISITOR_NAME)
    .refine(isPlain, WEB_ADDRESS)
    .transform((text) => text.replace(/\s+/g, " "));
}
