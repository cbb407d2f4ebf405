import type { AutoResponse } from "./rooms";

/** Answers to one message: a visitor who names everything at once isn't buried. */
const MOST = 3;

/**
 * The responses whose trigger stands in a message as whole words, case-insensitive (contract: Chat).
 *
 * @param text the visitor's
 * @param responses active ones, in the order they were added
 * @returns one for each trigger, three at most
 */
export function matchingResponses(text: string, responses: AutoResponse[]): AutoResponse[] {
  const found = new Map<string, AutoResponse>();
  for (const response of responses) {
    const key = triggerKey(response.trigger);
    if (!found.has(key) && asWords(key).test(text.normalize("NFC"))) found.set(key, response);
  }
  return [...found.values()].slice(0, MOST);
}

/** What triggers are compared by. */
export function triggerKey(trigger: string): string {
  return trigger.normalize("NFC").trim().toLowerCase().replace(/\s+/g, " ");
}

function asWords(key: string): RegExp {
  const words = key.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replaceAll(" ", "\\s+");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, "iu");
}
