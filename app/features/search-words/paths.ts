/** Group of the settings' page that shows the words of the search. */
export const SEARCH_GROUP = "search";

export const WORDS_PATH = `/admin/settings?group=${SEARCH_GROUP}`;

/** Builds the address of the words with other parameters. */
export const wordsUrl = (params: Record<string, string>): string =>
  `${WORDS_PATH}&${new URLSearchParams(params)}`;
