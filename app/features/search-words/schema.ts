import { z } from "zod";
import { readQuery, searchTerms } from "~/features/catalogue/search-query";
import { requiredText } from "~/http/fields";

/** Words of one side of a pair, and letters of a word. */
const MAX_WORDS = 4;
const MAX_LETTERS = 40;

/** Finds the first word that a search leaves out, such as `for`. */
const leftOut = (words: string[]) => words.find((word) => readQuery(word).words.length === 0);

const termsOf = (text: string) => text.split(/[\s-]+/).flatMap(searchTerms);

/** Word, or a few that belong together, as the search folds them: lower case, without accents. */
const phrase = (required: string) =>
  requiredText(required, 100)
    .superRefine((text, context) => {
      const words = termsOf(text);
      const problem = problemOf(words);
      if (problem) context.addIssue({ code: "custom", message: problem });
    })
    .transform((text) => termsOf(text).join(" "))
    .meta({ examples: ["key ring"] });

function problemOf(words: string[]): string | null {
  if (words.length === 0) return "Must have a letter or a digit";
  if (words.length > MAX_WORDS) return `At most ${MAX_WORDS} words`;
  if (words.some((word) => Array.from(word).length >= MAX_LETTERS))
    return `A word has fewer than ${MAX_LETTERS} letters`;
  const stop = leftOut(words);
  return stop ? `The search leaves out “${stop}”. Write it without` : null;
}

/** Directions of a pair: each finds the other, or the first finds the second alone. */
export const DIRECTIONS = ["both", "first"] as const;

const pair = {
  word: phrase("Please enter what shoppers type"),
  meaning: phrase("Please enter what the shop calls it"),
  direction: z.enum(DIRECTIONS).default("both"),
};

const differs = ({ word, meaning }: { word: string; meaning: string }) => word !== meaning;
const SAME = { path: ["meaning"], message: "The search finds a word by itself. Enter another one" };

export const WordInput = z.object(pair).refine(differs, SAME);
export type WordInput = z.infer<typeof WordInput>;

/** Pair as it is stored. */
export const StoredWord = z.object({
  word: z.string().max(200),
  meaning: z.string().max(200),
  direction: z.enum(DIRECTIONS),
});
export type StoredWord = z.infer<typeof StoredWord>;

/** Changed pair, with the one that the form opened with; a form sends it as JSON. */
export const WordChange = z.object({ ...pair, was: z.preprocess(parsed, StoredWord) }).refine(differs, SAME);

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Pair that is removed. */
export const WordKey = StoredWord.omit({ direction: true });
