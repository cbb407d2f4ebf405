import { searchKey } from "~/db/text";
import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { addWord, changeWord, MAX_MISSED, removeWord, WordList } from "./operations.server";
import { SEARCH_GROUP, WORDS_PATH } from "./paths";
import { findMissed, findWord, findWords } from "./queries.server";

/** Tells the page of the words from the other settings. */
export const isWordsUrl = (url: string): boolean => new URL(url).searchParams.get("group") === SEARCH_GROUP;

/** Reads the words of the search, and what was searched in vain. */
export const readWordsPage = operation({
  access: "manager",
  input: PageInput,
  async run({ input, db }) {
    const params = Object.fromEntries(new URL(input.url).searchParams);
    const { q, word, meaning } = WordList.catch(() => WordList.parse({})).parse(params);
    const { add = "", edit = "" } = params;
    const [page, missed, edited] = await Promise.all([
      findWords(db, searchKey(q), { word, meaning }),
      findMissed(db, MAX_MISSED),
      edit ? findWord(db, edit) : null,
    ]);
    return {
      heading: { title: "Settings", text: "Takes effect at once, for everybody" },
      ...{ ...page, missed, q },
      isFirst: word === "",
      edited,
      suggested: add.slice(0, 100),
    };
  },
});
export type WordsPageData = ResultOf<typeof readWordsPage>;

const saved = (toast: string) => ({
  done: () => ({ to: WORDS_PATH, toast }),
  failed: failureMessage("Not saved. "),
});

/** Forms of the page. */
export const WORDS_FORMS: FormIntents = {
  addWord: intent(addWord, saved("Added. The search knows it now.")),
  changeWord: intent(changeWord, saved("Changed. The search knows it now.")),
  removeWord: intent(removeWord, {
    done: ({ message }) => ({ to: WORDS_PATH, toast: message }),
    failed: failureMessage("Not removed. "),
  }),
};
