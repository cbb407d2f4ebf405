import { COMMON_WORDS } from "./common-words";

/** Rules by which a word of a query and a word of the catalogue are the same: number, sound, typos, compounds. */

/** Letters of a word that typo keys cover; the rest is compared after the lookup. */
const KEYED_LETTERS = 7;
/** Letters from which one typo is allowed, and two. */
const ONE_TYPO_FROM = 5;
const TWO_TYPOS_FROM = 9;
/** Letters of the halves of a word with two typos: one half has none, or the first has one. */
const FIRST_HALF = 5;
const LAST_HALF = 4;
/** Maximum number of catalogue words that one word may stand for by typos. */
const MAX_NEAR = 30;

export const letters = (word: string): string[] => Array.from(word);

/** Lookup in the catalogue's words for one word of a query. */
export interface Lookup {
  word: string;
  /** Typo keys; a word one typo away shares one of them; empty for no typos. */
  keys: string[];
  /** Last letters, which a word with two typos before them shares; null for none. */
  ending: string | null;
  /** Its singulars and plurals, and spellings of the same sound. */
  forms: string[];
  alike: string[];
  /** The word as two, as phrases. */
  splits: string[];
}

/** Builds the lookup of a word. Numbers and words of two letters have no other forms. */
export function lookup(word: string): Lookup {
  const length = letters(word).length;
  const isPlain = length >= 3 && !/\p{N}/u.test(word);
  const forms = [word, ...singulars(word)];
  const keys = new Set(isPlain ? forms.flatMap(typoKeys) : []);
  if (isPlain && length >= TWO_TYPOS_FROM)
    for (const key of typoKeys(letters(word).slice(0, FIRST_HALF).join(""))) keys.add(key);
  return {
    word,
    keys: [...keys],
    ending: isPlain && length >= TWO_TYPOS_FROM ? letters(word).slice(-LAST_HALF).join("") : null,
    forms: numberForms(word),
    alike: isPlain ? [...new Set(forms.flatMap(alikeSpellings))] : [],
    splits: [...new Set(forms.flatMap(splitsOf))],
  };
}

/** Minimum letters of the keys of search_synonym_keys: words with typos have five letters or more. */
const MIN_KEY = 4;

/** Builds the keys by which a word, with typos or in another spelling of its sound, finds phrases with synonyms. */
export function phraseKeys(word: string): string[] {
  const { keys, ending, alike } = lookup(word);
  const heads = alike.map((one) => letters(one).slice(0, KEYED_LETTERS).join(""));
  const endings = ending === null ? [] : [`-${ending}`];
  return [...keys, ...heads, ...endings].filter((key) => letters(key).length >= MIN_KEY);
}

/** Letters before an apostrophe, which the index reads as words of their own: `O'Brien`, `l'étoile`. */
const ELIDED = ["o", "d", "l"];

/** Returns a word of 4 to 20 letters as two words, as phrases: `mouse pad` for `mousepad`, `o brien` for `obrien`. */
export function splitsOf(word: string): string[] {
  const all = letters(word);
  if (all.length < 4 || all.length > 20) return [];
  const from = ELIDED.includes(all[0] ?? "") ? 1 : 2;
  return all
    .slice(from)
    .map((_, at) => `${all.slice(0, at + from).join("")} ${all.slice(at + from).join("")}`);
}

/**
 * Builds the full-text expression of a word as two. Two words of three letters or more, unlike `usb c`, may stand in different
 * sentences of a description.
 */
export const splitExpression = (split: string): string =>
  split.split(" ").every((half) => letters(half).length > 2) ? `{name category} : "${split}"` : `"${split}"`;

/** Numbers from one on that are the same in words and digits: a set of four is one of 4. */
export const NUMERALS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Returns a number from 1 to 12 in digits for words, and in words for digits. @returns none for other words */
export function otherNumeral(word: string): string[] {
  const at = NUMERALS.indexOf(word);
  const other = at < 0 ? NUMERALS[Number(word) - 1] : String(at + 1);
  return other ? [other] : [];
}

/** Letters that sound alike. */
const ALIKE: readonly (readonly string[])[] = [
  ["f", "ph"],
  ["c", "k", "ck", "ch", "qu"],
  ["s", "z", "c", "ss"],
  ["i", "y"],
  ["ay", "ey"],
  ["or", "our", "oar"],
  ["er", "re"],
];

/** Shades that shops name, by the colour that shoppers search for. A shade means itself alone. */
const SHADES = new Map([
  ["green", ["moss", "sage", "olive", "celadon", "emerald", "khaki"]],
  ["blue", ["navy", "indigo", "teal", "cobalt"]],
  ["red", ["burgundy", "crimson", "scarlet", "maroon"]],
  ["pink", ["rose", "blush"]],
  ["white", ["ivory", "cream"]],
  ["black", ["ink", "charcoal", "ebony"]],
  ["grey", ["graphite", "charcoal", "slate"]],
  ["gray", ["grey", "graphite", "charcoal", "slate"]],
  ["brown", ["tan", "walnut", "chestnut"]],
  ["beige", ["sand", "cream"]],
  ["orange", ["terracotta"]],
  ["yellow", ["ochre", "mustard"]],
  ["purple", ["lavender", "violet", "plum"]],
]);
export const shadesOf = (word: string): string[] => SHADES.get(word) ?? [];

const COLOURS = new Set([
  ...[...SHADES].flatMap(([colour, shades]) => [colour, ...shades]),
  ..."gold silver bronze copper brass clay turquoise coral peach mint clear".split(" "),
]);
/** Tests for a colour or a shade. */
export const isColour = (word: string): boolean => COLOURS.has(word);

/** Occasions: what a thing is bought for, and never what it is. */
const OCCASIONS = new Set([
  ...`wedding engagement anniversary birthday christmas xmas hanukkah easter diwali halloween thanksgiving valentine
  graduation housewarming retirement christening baptism`.split(/\s+/),
  ...["valentines day", "mothers day", "fathers day"],
]);

/** Tests for an occasion, in singular or plural; one word of no product may have typos. */
export function isOccasion(texts: string[], isKnown: boolean): boolean {
  if (numberForms(texts.join(" ").replace(/ s\b/, "s")).some((form) => OCCASIONS.has(form))) return true;
  const [word = "", ...others] = texts;
  return !isKnown && others.length === 0 && [...OCCASIONS].some((occasion) => isSimilar(word, occasion));
}

/**
 * Things that are named after what they do, so that another form of the verb names the same. Other pairs of such endings
 * differ in meaning: flower and flowing, folder and folding, a reader and a reading lamp.
 */
const AGENTS = new Set(
  `charger holder hanger planter organiser organizer heater warmer cleaner grinder opener sharpener freshener diffuser
  humidifier purifier trimmer straightener dryer peeler slicer steamer dispenser divider massager`.split(
    /\s+/,
  ),
);

/** Returns other forms of a word that is in a thing's name: `charging` and `charge` for `charger`, and the reverse. */
export function verbForms(word: string): string[] {
  const own = word.replace(/(?:ers?|ing|e)$/, "");
  const stem = own === word ? undefined : [own, own.replace(/^re/, "")].find((one) => AGENTS.has(`${one}er`));
  if (!stem) return [];
  const forms = [`${stem}er`, `${stem}ers`, `${stem}ing`, `${stem}e`];
  return [...forms, ...forms.map((form) => `re${form}`)].filter((form) => form !== word);
}

/** Replaces one group of letters by one that sounds alike. @returns at most 40 spellings */
export function alikeSpellings(word: string): string[] {
  const found = new Set<string>();
  for (const group of ALIKE)
    for (const from of group)
      for (let at = word.indexOf(from); at >= 0; at = word.indexOf(from, at + 1))
        for (const to of group) found.add(word.slice(0, at) + to + word.slice(at + from.length));
  found.delete(word);
  return [...found].slice(0, 40);
}

/**
 * Builds typo keys: the word's first 7 letters, and these with each letter left out once. Two words within one typo of
 * each other share at least one key, since leaving out one letter on either side makes them equal.
 *
 * @returns at most 8 keys of 2 to 7 letters
 */
export function typoKeys(word: string): string[] {
  const head = letters(word).slice(0, KEYED_LETTERS);
  return [head.join(""), ...head.map((_, gap) => head.toSpliced(gap, 1).join(""))];
}

/**
 * Returns possible English singulars of a word.
 *
 * @returns e.g. `["boxe", "box"]` for "boxes"; a form that is no word matches nothing
 */
export function singulars(word: string): string[] {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return [];
  const forms = [word.slice(0, -1)];
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  return forms;
}

/** Returns a word with its possible singulars and plurals. */
export function numberForms(word: string): string[] {
  if (word.length < 3 || !/\p{L}$/u.test(word)) return [word];
  const plurals = word.endsWith("s") ? [] : [`${word}s`];
  if (/(?:[sxzo]|[cs]h)$/.test(word)) plurals.push(`${word}es`);
  if (word.endsWith("y")) plurals.push(`${word.slice(0, -1)}ies`);
  return [word, ...singulars(word), ...plurals];
}

/** Counts missing, extra, wrong and swapped letters. @returns the number, or `max` + 1 for more than `max` */
export function typosBetween(a: string, b: string, max: number): number {
  const [left, right] = [letters(a), letters(b)];
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let [before, above]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, i) => i)];
  for (const [i, letter] of left.entries()) {
    const row = [i + 1];
    for (const [j, other] of right.entries()) {
      const isSwap = i > 0 && j > 0 && letter === right[j - 1] && left[i - 1] === other;
      row.push(
        Math.min(
          (above[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
          (above[j] ?? 0) + Number(letter !== other),
          isSwap ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, above] = [above, row];
  }
  return Math.min(above.at(-1) ?? 0, max + 1);
}

/** Returns the typos that a typed word may have. Of two plurals the stem is counted: "gifts" are no "lifts". */
function allowedTypos(typed: string, word: string): number {
  const stem = word.endsWith("s") ? singulars(typed)[0] : undefined;
  const { length } = letters(stem ?? typed);
  return length >= TWO_TYPOS_FROM ? 2 : length >= ONE_TYPO_FROM ? 1 : 0;
}

/** Tests for a common word, in singular or plural. */
const isCommon = (word: string) => [word, ...singulars(word)].some((form) => COMMON_WORDS.has(form));

/** Tests whether two words are long enough to be compared by typos. */
const mayBeTypo = (typed: string, word: string): boolean =>
  allowedTypos(typed, word) > 0 && letters(word).length >= ONE_TYPO_FROM && !isCommon(typed);

function isTypoOf(typed: string, word: string): boolean {
  const max = allowedTypos(typed, word);
  return mayBeTypo(typed, word) && typosBetween(typed, word, max) <= max;
}

/**
 * Tests whether a typed word matches a catalogue word, or a prefix of one, by typos. Both have five letters or more. The
 * last letter of the prefix must be right or at most two letters may follow: otherwise few letters would match any word.
 * A common word is no misspelling.
 */
export function candidateMatches(typed: string, word: string): boolean {
  const [target, length] = [letters(word), letters(typed).length];
  if (!mayBeTypo(typed, word)) return false;
  if (isTypoOf(typed, word)) return true;
  return [-1, 0, 1].some((change) => {
    const prefix = target.slice(0, length + change);
    if (prefix.length >= target.length) return false;
    const isAnchored = prefix.at(-1) === letters(typed).at(-1) || target.length - prefix.length <= 2;
    return isAnchored && typosBetween(typed, prefix.join(""), 1) <= 1;
  });
}

/** Tests whether a typed word is the whole of another one with typos, in singular or plural, or sounds like it. */
export function isSimilar(typed: string, word: string): boolean {
  const forms = [typed, ...singulars(typed)];
  const sounds = new Set(forms.flatMap(alikeSpellings));
  return numberForms(word).some((form) => sounds.has(form) || forms.some((one) => isTypoOf(one, form)));
}

/** Tests whether a typed word is another one, in singular or plural, or similar to it. */
export const isSameOrMisspelled = (typed: string, word: string): boolean =>
  numberForms(typed).includes(word) || isSimilar(typed, word);

/**
 * Filters words that share a typo key with a typed word to those that match it by typos, nearest first.
 *
 * @returns at most 30 words that do not begin with the typed word
 */
export function similarWords(typed: string, candidates: string[]): string[] {
  const forms = [typed, ...singulars(typed)];
  return nearestFirst(
    typed,
    candidates.filter(
      (word) => !word.startsWith(typed) && forms.some((form) => candidateMatches(form, word)),
    ),
  ).slice(0, MAX_NEAR);
}

/** Orders catalogue words that are close to a word without a match, also those that are too far away or short to be a typo. */
export function closeWords(typed: string, candidates: string[]): string[] {
  const max = letters(typed).length >= ONE_TYPO_FROM ? 2 : 1;
  return nearestFirst(
    typed,
    candidates.filter((word) => typosBetween(typed, word, max) <= max),
  );
}

/** Minimum letters of a part of a word that is offered in its place. */
const MIN_PART = 4;
/** Word in its diminutive, such as `doggy`. */
const DIMINUTIVE = /^(\p{L}+(\p{L}))\2(?:y|ie|ies)$/u;

/** Lists beginnings and ends of a word that may be words themselves, longest first: `board` and `skate` of `skateboard`. */
export function partsOf(word: string): string[] {
  const all = letters(word);
  const parts = all.flatMap((_, at) => [all.slice(0, at), all.slice(at)].map((part) => part.join("")));
  const long = [...parts, ...parts.flatMap(singulars)].filter(
    (part) => part !== word && letters(part).length >= MIN_PART,
  );
  return [...new Set([...long, DIMINUTIVE.exec(word)?.[1] ?? []].flat())].sort((a, b) => b.length - a.length);
}

/** Picks the parts of a word that the catalogue has, without those within another one. */
export const knownParts = (word: string, known: Set<string>): string[] =>
  partsOf(word)
    .filter((part) => known.has(part))
    .filter((part, at, parts) => !parts.slice(0, at).some((longer) => longer.includes(part)));

function nearestFirst(typed: string, words: string[]): string[] {
  const distance = new Map(words.map((word) => [word, typosBetween(typed, word, 4)]));
  return [...distance.keys()].sort(
    (a, b) => (distance.get(a) ?? 0) - (distance.get(b) ?? 0) || a.length - b.length || (a < b ? -1 : 1),
  );
}
