import { z } from "zod";
import { searchKey } from "~/db/text";
import { MessageAnswer } from "~/http/answers";
import { AppError, fieldError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { deleteWord, findMissed, findWords, insertWord, MAX_WORDS, updateWord } from "./queries.server";
import { StoredWord, WordChange, WordInput, WordKey } from "./schema";

/** Searches without a result that are listed. */
export const MAX_MISSED = 50;

const text = z.string({ error: "Must be text" }).max(200, "Must be at most 200 characters").default("");

/** Words of the search by the beginning of either side, a page of 50. */
export const WordList = z.object({
  q: text.meta({ description: "Beginning of either side", examples: ["key"] }),
  word: text.meta({ description: "Of the last pair of the page before", examples: [""] }),
  meaning: text.meta({ description: "Of the last pair of the page before", examples: [""] }),
});

const WordsAnswer = z.object({
  words: z.array(StoredWord),
  isLast: z.boolean(),
});

/** Lists the words with the same meaning in a search. */
export const listWords = operation({
  route: "GET search/words",
  summary: "List the words that mean the same in a search, 50 at a time",
  answer: WordsAnswer,
  access: "manager",
  input: WordList,
  run: ({ db, input: { q, word, meaning } }) => findWords(db, searchKey(q), { word, meaning }),
});

/** Adds words with the same meaning. @throws AppError conflict (409) for what is in the list, and for a full list */
export const addWord = operation({
  route: "POST search/words",
  summary: "Add words that mean the same in a search",
  answer: StoredWord,
  errors: [409],
  access: "manager",
  input: WordInput,
  status: 201,
  async run({ db, input }) {
    const obstacle = await insertWord(db, input);
    if (obstacle === "full")
      throw new AppError(
        "conflict",
        `The list has ${MAX_WORDS} entries. Remove one that nobody needs first.`,
      );
    if (obstacle) throw inList();
    return input;
  },
});

const inList = () => fieldError("conflict", "word", "The list has this already");

/** Changes words with the same meaning. @throws AppError conflict (409) for what was changed since, or is in the list */
export const changeWord = operation({
  route: "PUT search/words",
  summary: "Change words that mean the same in a search",
  answer: StoredWord,
  errors: [409],
  access: "manager",
  input: WordChange,
  async run({ db, input: { was, ...pair } }) {
    const obstacle = await updateWord(db, was, pair);
    if (obstacle === "gone")
      throw new AppError("conflict", "Somebody else has changed or removed it. Look at the list again.");
    if (obstacle) throw inList();
    return pair;
  },
});

/** Removes words with the same meaning. @throws AppError notFound (404) */
export const removeWord = operation({
  route: "DELETE search/words",
  summary: "Remove words that mean the same in a search",
  answer: MessageAnswer,
  query: ["word", "meaning"],
  errors: [404],
  access: "manager",
  input: WordKey,
  async run({ db, input }) {
    if (!(await deleteWord(db, input))) throw new AppError("notFound", "It is not in the list any more.");
    return { message: `Removed: ${input.word} = ${input.meaning}` };
  },
});

/** Lists the searches of 30 days that found nothing, the most frequent first. */
export const listMissed = operation({
  route: "GET search/missed",
  summary: "List the searches of 30 days that found nothing, the 50 most frequent",
  answer: z.array(z.object({ words: z.string(), searches: z.int() })),
  access: "manager",
  input: z.object({}),
  run: ({ db }) => findMissed(db, MAX_MISSED),
});
