import escapeRegExp from "escape-string-regexp";
import { foldText, wordsOf } from "~/db/text";
import { SAID_CODES, SAID_NAMES, SAID_SIGNS } from "~/domain/currencies";
import { CURRENCY_SIGN } from "~/domain/currency";
import { MAX_CENTS } from "~/domain/money";
import { isColour, NUMERALS } from "./search-words";

/**
 * Rules by which a shopper's text is understood: prices, numbers with units, stop words, words. search.ts turns the words
 * into full-text expressions. See docs/decisions/0002-product-search.md.
 */

/** Maximum number of words; the rest of a query is ignored, so that a pasted page costs no more than a sentence. */
export const MAX_WORDS = 8;
/** Maximum length of a word; a longer one is found by its prefix. */
export const MAX_LETTERS = 40;

/** Word of a query, or a number with its unit. */
export interface QueryWord {
  /** As it is displayed, such as `750 ml`. */
  label: string;
  /** Lower case without diacritics; of a number with its unit, without the space. */
  text: string;
  /** Spellings of a number with its unit, as phrases of the index; empty for a word. */
  spellings: string[];
}

export interface PriceRange {
  /** Cents, both ends included; null for none. */
  min: number | null;
  max: number | null;
}

export interface SearchQuery {
  /** Text without the price. */
  text: string;
  words: QueryWord[];
  /** Price that the text names; null without one. */
  price: PriceRange | null;
  /** The text asks for what costs least. */
  isCheapestFirst: boolean;
}

/** Units with their spellings. */
const UNITS = [
  ["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
  ["cl"],
  ["l", "litre", "litres", "liter", "liters"],
  ["mm", "millimetre", "millimetres"],
  ["cm", "centimetre", "centimetres", "centimeter", "centimeters"],
  ["m", "metre", "metres", "meter", "meters"],
  ["inch", "inches", "in"],
  ["ft", "foot", "feet"],
  ["mg"],
  ["g", "gram", "grams"],
  ["kg", "kilo", "kilos"],
  ["oz", "ounce", "ounces"],
  ["lb", "lbs", "pounds"],
  ["w", "watt", "watts"],
  ["v", "volt", "volts"],
  ["mah"],
  ["hz"],
  ["mb"],
  ["gb"],
  ["tb"],
  ["hours", "hour"],
  ["minutes", "minute"],
  ["years", "year"],
];
/** Units of one quantity, as multiples of its smallest. */
const QUANTITIES: Record<string, number>[] = [
  { ml: 1, cl: 10, l: 1000 },
  { mm: 1, cm: 10, m: 1000 },
  { g: 1, kg: 1000 },
];
const SPELLINGS = new Map(UNITS.flatMap((unit) => unit.map((name) => [name, unit] as const)));
const UNIT_NAMES = [...SPELLINGS.keys()].sort((a, b) => b.length - a.length).join("|");
const NO_UNIT = `(?![\\p{L}\\p{N}]|[.,/]\\d|\\s?["″%°]|[\\s-]?(?:${UNIT_NAMES})(?![\\p{L}\\p{N}]))`;

const NUMBER = `(\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d{1,3}(?:\\.\\d{3})+,\\d{1,2}|\\d+(?:[.,]\\d{1,2})?)${NO_UNIT}`;
/** Currencies; the number is read in the shop's own, whichever is typed. */
const SIGNS = `${SAID_SIGNS}|${escapeRegExp(CURRENCY_SIGN)}`;
const BEFORE = `(?:(?:${SIGNS})\\s?|(?:${SAID_NAMES}|${SAID_CODES})\\s)`;
const AFTER = `(?:\\s?(?:${SIGNS}|${SAID_NAMES}|${SAID_CODES})(?![\\p{L}\\p{N}]))`;
const AMOUNT = `(?:${BEFORE}|\\s?)${NUMBER}${AFTER}?`;
/** Words before the number of a version: `usb 3.20`, `bluetooth 5.30`. */
const BEFORE_VERSION =
  "(?<!(?<!\\p{L})(?:usb(?:[\\s-][abc])?|bluetooth|hdmi|displayport|thunderbolt|pcie|wi-?fi|android|ios|version|ver|v|gen|model|size)\\s+)";
/** Number with cents. */
const CENTS = `${BEFORE_VERSION}(\\d{1,3}(?:,\\d{3})+\\.\\d{2}|\\d+\\.\\d{2})${NO_UNIT}`;
/**
 * Amount that is one without words about a price: `$25`, `25 dollars`, `15.50`. A number alone may be part of a name, unless
 * it has cents.
 */
const MONEY = `(?:${BEFORE}${NUMBER}${AFTER}?|${NUMBER}${AFTER}|${CENTS})`;
const START = "(?<![\\p{L}\\p{N}.,/-])";
const pricePattern = (text: string) => new RegExp(START + text, "iu");
/** Words before an amount and after it, by the end of the range that it is. */
const UP_TO =
  "(?:not? (?:more than|over|above)|(?<!not? )(?:under|below|less than|cheaper than)|up to|at most|max(?:imum)?|<)";
const FROM =
  "(?:not? (?:less than|under|below)|(?<!not? )(?:over|above|more than)|at least|min(?:imum)?|(?:starting )?from|starting at|>)";
const OR_LESS = "\\s+(?:or|and)\\s+(?:less|under|below|cheaper)(?!\\p{L})";
const OR_MORE = "\\s+(?:or|and)\\s+(?:more|up|over|above)(?!\\p{L})";
const BETWEEN_ENDS = "\\s*(?:,|&|and|but|to)?\\s*";

type PricePattern = readonly [pattern: RegExp, ends: "both" | "max" | "min" | "around"];
const PRICES: readonly PricePattern[] = [
  [pricePattern(`(?:between|from)\\s+${AMOUNT}\\s*(?:and|to|-|–|—)\\s*${AMOUNT}`), "both"],
  [pricePattern(`${AMOUNT}\\s*(?:-|–|—|\\bto\\b)\\s*${AMOUNT}`), "both"],
  // Otherwise the words after the first amount would stand before the second.
  [pricePattern(`${AMOUNT}${OR_MORE}${BETWEEN_ENDS}${AMOUNT}${OR_LESS}`), "both"],
  [pricePattern(`${AMOUNT}${OR_LESS}${BETWEEN_ENDS}${AMOUNT}${OR_MORE}`), "both"],
  [pricePattern(`${UP_TO}\\s*${AMOUNT}`), "max"],
  [pricePattern(`${FROM}\\s*${AMOUNT}`), "min"],
  [pricePattern(`(?:around|about|roughly|approximately|~)\\s*${AMOUNT}`), "around"],
  [pricePattern(`${AMOUNT}${OR_LESS}`), "max"],
  [pricePattern(`${AMOUNT}${OR_MORE}`), "min"],
  [pricePattern(`${MONEY}\\s?\\+`), "min"],
  // Beside words, it may be a part of a name.
  [new RegExp(`^\\s*${NUMBER}\\s?\\+\\s*$`, "u"), "min"],
  [pricePattern(MONEY), "max"],
];
/** Takes the place of a price; text has no line breaks. */
const TAKEN = "\n";
const BETWEEN_TAKEN = new RegExp(`${TAKEN}${BETWEEN_ENDS}${TAKEN}`, "iu");

const UNITS_IN_WORDS = [
  ...NUMERALS,
  ..."thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" "),
];
const TENS_IN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const VALUES_IN_WORDS = new Map([
  ["a", 1],
  ...UNITS_IN_WORDS.map((word, at) => [word, at + 1] as const),
  ...TENS_IN_WORDS.map((word, at) => [word, (at + 2) * 10] as const),
]);
const BELOW_HUNDRED = `(?:(?:${TENS_IN_WORDS.join("|")})(?:[\\s-](?:${UNITS_IN_WORDS.slice(0, 9).join("|")}))?|${UNITS_IN_WORDS.join("|")})`;
const IN_WORDS = `(?:(?:a|${BELOW_HUNDRED})\\s(?:hundred|thousand)(?:\\s(?:and\\s)?${BELOW_HUNDRED})?|${BELOW_HUNDRED})(?!\\p{L})`;
/** Numbers in words after words about a price, and before a currency. */
const PRICES_IN_WORDS = [
  new RegExp(
    `(?<=(?<!\\p{L})(?:under|below|less than|cheaper than|up to|at most|over|above|more than|at least|between|from|starting at|around|about|max|min)\\s+)${IN_WORDS}`,
    "giu",
  ),
  new RegExp(`(?<=(?<!\\p{L})(?:between|from)\\s+\\d+\\s+(?:and|to)\\s+)${IN_WORDS}`, "giu"),
  new RegExp(`(?<!\\p{L})${IN_WORDS}(?=\\s(?:${SAID_NAMES}|or (?:less|under|more))(?!\\p{L}))`, "giu"),
];

/** Reads a number in words. @param words of IN_WORDS, such as `two hundred and thirty-five` */
function numberInWords(words: string): number {
  let number = 0;
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    if (word === "hundred") number *= 100;
    else if (word === "thousand") number *= 1000;
    else number += VALUES_IN_WORDS.get(word) ?? 0;
  }
  return number;
}

const withPricesInDigits = (query: string) =>
  PRICES_IN_WORDS.reduce(
    (text, pattern) => text.replace(pattern, (words) => String(numberInWords(words))),
    query,
  );
/** Share of a price by which what costs around it may differ. */
const AROUND = 0.2;

const NUMBER_WITH_UNIT = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(\\d+(?:[.,]\\d+)?)[\\s-]?(${UNIT_NAMES}|["″])(?![\\p{L}\\p{N}])`,
  "giu",
);
const GLUED_NUMBER = /^(\d+)(\p{L}{1,4})$/u;

/** Words that ask for what costs least first. */
const LOW_PRICE = "cheap cheaper cheapest affordable inexpensive budget".split(" ");

/** Words that say nothing about a product: of grammar and questions, of prices without a number, of praise, and people that it is for. */
const STOP_WORDS = new Set([
  ...LOW_PRICE,
  ...`a an the and or not of for with in on to at by from into my me i we you your our is are be am it its this that these those
  some any do does did have has had need want wants looking look searching find show get buy please there one like
  can could will would shall should may might must was were been being
  what which who whose whom where when why how much many
  under below over above than less more around about price prices priced
  best better nice nicest good great cool cute pretty beautiful lovely perfect amazing awesome favourite favorite popular
  quality idea ideas something anything everything nothing thing things stuff item items product products
  he she him her his mum mums mom moms mummy mommy dad dads daddy grandma grandpa wife husband girlfriend boyfriend`.split(
    /\s+/,
  ),
]);

/** Words that say nothing beside a colour. */
const COLOUR_NOUNS = new Set("colour color colours colors coloured colored".split(" "));

/** Letters, digits and signs of another width, as Japanese keyboards type them. */
const FULL_WIDTH = /[\uff01-\uffee]+/gu;

/** Words about the stock, which say nothing of a product: what can be bought comes first anyway. */
const IN_STOCK = /(?<!\p{L})(?:(?:now|currently|still)\s+)?(?:in[\s-]stock|available(?:\s+now)?)(?!\p{L})/giu;

/** People after `for`; their names alone may describe a product. */
const RECIPIENT =
  /(?<!\p{L})for\s+(?:(?:my|your|our|his|her|a|an|the)\s+)?(?:best\s+)?(?:mother|father|parents?|grandmother|grandfather|grandparents|sister|brother|son|daughter|friends?|couples?|teacher|colleague|boss|women|woman|men|man|kids|children|everyone)(?!\p{L})/giu;

/**
 * Reads a price, numbers with units and words from a query. A shopper's query of stop words alone is empty; in the back
 * office they count where there is nothing else.
 *
 * @param query any text
 * @param isShoppers false for lists of the back office, which have no price filter
 */
export function readQuery(query: string, isShoppers = true): SearchQuery {
  const typed = query.replace(FULL_WIDTH, (part) => part.normalize("NFKC"));
  const { text, price } = isShoppers ? takePrice(withPricesInDigits(typed)) : { text: typed, price: null };
  const subject = isShoppers ? text.replace(IN_STOCK, " in ").replace(RECIPIENT, " for ") : text;
  const words = readWords(subject);
  const isCheapestFirst = isShoppers && words.some((word) => LOW_PRICE.includes(word.text));
  const hasColour = words.some(({ text }) => isColour(text));
  const meaningful = words.filter(
    ({ text }) => !STOP_WORDS.has(text) && !(hasColour && COLOUR_NOUNS.has(text)),
  );
  const read = { price, isCheapestFirst };
  if (meaningful.length > 0) return { ...read, text, words: meaningful.slice(0, MAX_WORDS) };
  return isShoppers && words.length > 0
    ? { ...read, text: "", words: [] }
    : { ...read, text, words: words.slice(0, MAX_WORDS) };
}

/** Takes the price out of a text: a range, or two ends of one, in any order and place. */
function takePrice(query: string): Pick<SearchQuery, "text" | "price"> {
  const taken = takeEnd(query, PRICES);
  if (!taken) return { text: query.trim(), price: null };
  const other = { min: "max", max: "min", both: null, around: null }[taken.ends];
  const second = takeEnd(
    taken.rest,
    PRICES.filter(([, ends]) => ends === other),
  );
  const amounts = [...taken.amounts, ...(second?.amounts ?? [])];
  const rest = second ? second.rest.replace(BETWEEN_TAKEN, " ") : taken.rest;
  return {
    text: rest.replace(/\s+/g, " ").trim(),
    price: rangeOf(amounts, second ? "both" : taken.ends),
  };
}

function takeEnd(query: string, patterns: readonly PricePattern[]) {
  for (const [pattern, ends] of patterns) {
    const found = pattern.exec(query);
    if (!found) continue;
    const rest = query.slice(0, found.index) + TAKEN + query.slice(found.index + found[0].length);
    return { ends, amounts: found.slice(1).filter(Boolean).map(toCents), rest };
  }
  return null;
}

function rangeOf([first = 0, second = first]: number[], ends: PricePattern[1]): PriceRange {
  if (ends === "around")
    return {
      min: Math.ceil(first * (1 - AROUND)),
      max: Math.min(MAX_CENTS, Math.floor(first * (1 + AROUND))),
    };
  return {
    min: ends === "max" ? null : Math.min(first, second),
    max: ends === "min" ? null : Math.max(first, second),
  };
}

/** Reads an amount; a comma before one or two digits separates cents. */
function toCents(text: string): number {
  const number = /,\d{1,2}$/.test(text)
    ? text.replaceAll(".", "").replace(",", ".")
    : text.replaceAll(",", "");
  return Math.min(MAX_CENTS, Math.round(Number(number) * 100));
}

/** Splits a text into distinct words; a number and its unit are one. */
function readWords(query: string): QueryWord[] {
  const found = new Map<string, QueryWord>();
  const add = (word: QueryWord) => found.has(word.text) || found.set(word.text, word);
  let end = 0;
  for (const match of query.matchAll(NUMBER_WITH_UNIT)) {
    for (const word of plainWords(query.slice(end, match.index))) add(word);
    add(measure(match[1] ?? "", (match[2] ?? "").replace(/["″]/, "inch").toLowerCase()));
    end = match.index + match[0].length;
  }
  for (const word of plainWords(query.slice(end))) add(word);
  return [...found.values()];
}

function plainWords(text: string): QueryWord[] {
  return searchTerms(text).map((word) => {
    const [, number, letters] = GLUED_NUMBER.exec(word) ?? [];
    const spellings = number && letters ? [word, `${number} ${letters}`] : [];
    return { label: word, text: word, spellings };
  });
}

/** Number with its unit, in all spellings of the unit, with a space and without, also in other units: 0.75 l is 750 ml. */
function measure(amount: string, unit: string): QueryWord {
  const spellings = [[amount, unit] as const, ...inOtherUnits(amount, unit)].flatMap(([number, of]) =>
    (SPELLINGS.get(of) ?? [of]).flatMap((name) =>
      ["", " "].map((space) => `${number.replace(/[.,]/, " ")}${space}${name}`),
    ),
  );
  return { label: `${amount} ${unit}`, text: `${amount}${unit}`, spellings };
}

function inOtherUnits(amount: string, unit: string): [amount: string, unit: string][] {
  const own = SPELLINGS.get(unit)?.[0] ?? unit;
  const units = QUANTITIES.find((each) => own in each) ?? {};
  const smallest = Number(amount.replace(",", ".")) * (units[own] ?? 0);
  return Object.entries(units)
    .filter(([other]) => other !== own)
    .map(([other, size]) => [String(Number((smallest / size).toFixed(4))), other]);
}

/**
 * Splits a text into words like the index.
 *
 * @param text any; everything but letters and digits separates words
 * @returns distinct lower-case words without diacritics, each cut after 40 characters
 */
export function searchTerms(text: string): string[] {
  const words = wordsOf(foldText(text)).slice(0, 4 * MAX_WORDS);
  return [...new Set(words.map((word) => Array.from(word).slice(0, MAX_LETTERS).join("")))];
}
