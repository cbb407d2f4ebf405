import { openDb } from "~/db/client.server";
import { addDays, localDay } from "~/domain/days";
import { epochSeconds } from "~/domain/durations";
import { searchTerms } from "~/features/catalogue/search-query";
import type { RequestContext } from "~/http/request-context.server";
import { describeError } from "~/http/request-log.server";
import { countMissed, deleteMissedBefore } from "./queries.server";

/** Words of a counted search, and letters of a word. */
const MAX_WORDS = 5;
const MAX_LETTERS = 20;
/** Digits from which a text may be the number of a phone or card. */
const MAX_DIGITS = 5;
/** Days that searches without a result are kept. */
const KEPT_DAYS = 30;

/** Reads the words of a search that say nothing about a person. @returns null for a text that may name one, or is none of a product */
export function countedWords(search: string): string | null {
  const text = search.normalize("NFKC");
  const digits = text.replace(/\P{N}/gu, "").length;
  if (/[@\uFFFD]|:\/\/|\bwww\.|\S\.\p{L}{2}/iu.test(text) || digits > MAX_DIGITS) return null;
  const words = searchTerms(text);
  const isLong = words.length > MAX_WORDS || words.some((word) => Array.from(word).length > MAX_LETTERS);
  return isLong || !words.some((word) => /\p{L}{2}/u.test(word)) ? null : words.join(" ");
}

/** Result of a search, as its page shows it. */
interface SearchResult {
  facets: { unfiltered?: number };
  searched: { text: string } | null;
}

/** Counts a search that finds nothing, whatever the filters, after the response and without the person. */
export function noteSearch(
  context: RequestContext,
  search: string,
  { facets, searched }: SearchResult,
): void {
  if (!searched?.text || (facets.unfiltered ?? 0) > 0) return;
  const words = countedWords(search);
  if (words) context.waitUntil(count(context, words));
}

async function count({ env, address, now, settings }: RequestContext, words: string): Promise<void> {
  try {
    const { success } = await env.LIMIT_FORGOT_ADDRESS.limit({ key: `search:${address}` });
    if (success) await countMissed(openDb(env.DB).db, localDay(now, settings.timezone), words);
  } catch (error) {
    console.warn(JSON.stringify({ level: "warn", kind: "search", error: describeError(error) }));
  }
}

/** Forgets the searches of more than 30 days ago. Runs nightly. */
export async function forgetSearches(env: Env): Promise<void> {
  const today = new Date(epochSeconds() * 1000).toISOString().slice(0, 10);
  await deleteMissedBefore(openDb(env.DB).db, addDays(today, -KEPT_DAYS));
}
