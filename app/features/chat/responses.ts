import { z } from "zod";
import { containsWords, foldText } from "~/db/text";
import { id, openedValues } from "~/http/fields";
import { NEW_CUSTOMER } from "./limits";
import { RESPONSE } from "./records";
import type { AutoResponse } from "./rooms";

/** Input of a new predefined response. */
export const ResponseInput = z.object(RESPONSE.newRules);

/** Values of a response that the caller read; missing fields are not compared. */
const SeenResponse = z.object(RESPONSE.answers).partial();
export type SeenResponse = z.output<typeof SeenResponse>;

/** Changed fields of a response; `was` detects an edit conflict. */
export const ResponseChanges = z
  .object(RESPONSE.rules)
  .partial()
  .extend({ id, was: SeenResponse.optional() });

export const ResponseForm = ResponseChanges.extend({ was: openedValues(SeenResponse) });

export const ResponseRemoval = z.object({ id, was: SeenResponse.optional() });

export const ResponseRemovalForm = z.object({ id, was: openedValues(SeenResponse) });

/** Limit of responses to one message. */
const MAX_RESPONSES = 3;

/**
 * Finds the responses whose trigger occurs in a message as whole words, ignoring case, diacritics and forms of apostrophes (docs/product.md, 7.1).
 *
 * @param responses active ones, in the order they were added
 * @returns one for each trigger, three at most
 */
export function matchingResponses(text: string, responses: AutoResponse[]): AutoResponse[] {
  const found = new Map<string, AutoResponse>();
  const folded = foldText(text);
  for (const response of responses) {
    const key = triggerKey(response.trigger);
    if (!found.has(key) && containsWords(folded, key)) found.set(key, response);
  }
  return [...found.values()].slice(0, MAX_RESPONSES);
}

/** Normalises a trigger for comparison. */
export function triggerKey(trigger: string): string {
  return foldText(trigger);
}

/** Values of a conversation for the placeholders of predefined responses; "" for unknown. */
interface PlaceholderValues extends Partial<PlaceValues> {
  /** Name of the visitor. */
  name: string;
  /** Name of the product that the conversation is about. */
  product: string;
  /** Place and time of collection, as in "It is ready {pickup}." */
  pickup: string;
  /** Words to engrave. */
  words: string;
}

/** Values of the shop for placeholders. */
export interface PlaceValues {
  /** `Monday to Saturday: 10:00 to 18:00`. */
  hours: string;
  address: string;
  /** Times of the next closing and opening: `at 18:00`, `tomorrow at 11:00`. */
  closing: string;
  opens: string;
}

/** Text of a placeholder whose value is unknown. */
const UNKNOWN: Required<PlaceholderValues> = {
  name: "there",
  product: "your order",
  pickup: "at the counter",
  words: "Send us your words or your drawing here.",
  hours: "by appointment",
  address: "the counter",
  closing: "later",
  opens: "as soon as we are back",
};

/**
 * Replaces `{name}`, `{product}`, `{pickup}`, those of the shop and `{words}`, a sentence that asks for the words to engrave or repeats them, in
 * a predefined response; other braces stay.
 */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  const known = {
    ...values,
    name: values.name === NEW_CUSTOMER ? "" : values.name,
    words: values.words && `We have your words: “${values.words}”.`,
  };
  return text.replace(
    /\{(name|product|pickup|words|hours|address|closing|opens)\}/g,
    (_, key: keyof PlaceholderValues) => known[key] || UNKNOWN[key],
  );
}
