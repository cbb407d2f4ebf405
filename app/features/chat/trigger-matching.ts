import type { AutoResponse } from "./rooms";

/** Limit of responses to one message. */
const MAX_RESPONSES = 3;

/**
 * Finds the responses whose trigger occurs in a message as whole words, ignoring case (docs/product.md, 7.1).
 *
 * @param responses active ones, in the order they were added
 * @returns one for each trigger, three at most
 */
export function matchingResponses(text: string, responses: AutoResponse[]): AutoResponse[] {
  const found = new Map<string, AutoResponse>();
  for (const response of responses) {
    const key = triggerKey(response.trigger);
    if (!found.has(key) && wholeWords(key).test(text.normalize("NFC"))) found.set(key, response);
  }
  return [...found.values()].slice(0, MAX_RESPONSES);
}

/** Normalises a trigger for comparison. */
export function triggerKey(trigger: string): string {
  return trigger.normalize("NFC").trim().toLowerCase().replace(/\s+/g, " ");
}

function wholeWords(key: string): RegExp {
  const words = key.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replaceAll(" ", "\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, "iu");
}
