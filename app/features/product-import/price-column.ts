import { CURRENCY } from "~/domain/money";
import { type SheetRow, textOf } from "./sheet";

/** Choices of the price of a product whose variants have several. */
export const VARIANT_PRICES = ["lowest", "highest", "first"] as const;
export type VariantPrice = (typeof VARIANT_PRICES)[number];

/** A column whose header speaks of a price. */
export interface PriceColumn {
  column: number;
  header: string;
  /** `price` says nothing else, a `synonym` means the price of the shop, a `cost` is what the shop pays. */
  kind: "price" | "synonym" | "uncertain" | "cost";
  /** Reason why it may be no price of the shop. */
  reason?: string;
}

const PRICE = /^(?:price|preis|prix|precio|preco|prezzo|prijs|pris|cena)s?$/;
const COMPOUND = /(?:price|preis|prijs)$/;
/** Headers without a word for price that mean one. */
const BARE = /^(?:amount|msrp|rrp|uvp|cost|costs|unit cost|cost per item|kosten|ek|cout|costo|coste)$/;
/** Words, joined, that mean the price of the shop. */
const SYNONYMS = new Set(
  `unitprice priceperunit regularprice retailprice sellingprice sellprice salesprice grossprice pricegross
  priceincltax pricetaxincl pricetaxincluded pricewithtax amount verkaufspreis einzelpreis bruttopreis preisbrutto
  prixttc prixdevente prixunitaire preciodeventa preciounitario pvp prezzodivendita prezzounitario prezzoivato
  verkoopprijs eenheidsprijs`.split(/\s+/),
);
const COST =
  /^(?:buy|buying|purchas\w*|costs?|cogs|landed|wholesale|supplier|vendor|dealer|trade|factory|shipping|delivery|freight|deposit|einkauf\w*|ek|ekpreis|kosten|einstand\w*|grosshandel\w*|handler\w*|achat|cout|fournisseur|acquisto|costo|compra|coste|inkoop\w*|costprice|buyprice)$/;
const DOUBTS: [RegExp, string][] = [
  [
    /^(?:old|former|previous|was|before|original|compare|alt|alter|ancien|anterior|vecchio)$/,
    "a former price",
  ],
  [/^(?:avg|average|mean|median|durchschnitt\w*|moyen|medio|promedio)$/, "an average"],
  [
    /^(?:net|nett|netto|nettopreis|excl|excluding|excluded|exclusive|untaxed|ht|ohne|without|zzgl)$/,
    "a price without tax",
  ],
  [/^(?:msrp|rrp|srp|uvp|recommended|suggested|list|listen\w*|conseille)$/, "a recommended price"],
  [
    /^(?:sale|special|promo\w*|discount\w*|offer|angebot\w*|aktion\w*|sonder\w*|reduced|member\w*|solde|oferta)$/,
    "a reduced price",
  ],
  [/^(?:min|max|minimum|maximum|lowest|highest|from|floor|cap)$/, "a limit"],
];
const CURRENCIES =
  /^(?:USD|CAD|EUR|GBP|AUD|NZD|CHF|JPY|CNY|INR|MXN|BRL|SEK|NOK|DKK|PLN|CZK|HUF|RON|ZAR|SGD|HKD|KRW|TRY|ILS|AED|THB)$/i;
const FOREIGN_SIGN = /[€£¥₹₩₽₺]|(?:US|AU|NZ|HK|A)\s?\$/i;
/** Rows in which a column shows whether it holds numbers. */
const TRIED_ROWS = 200;

/**
 * Finds the columns that speak of a price, and hold numbers or nothing at all but the bare word.
 *
 * @param rows none to judge by the headers alone
 */
export function priceColumns(headers: string[], rows: SheetRow[]): PriceColumn[] {
  return headers
    .flatMap((header, column) => classify(header, column) ?? [])
    .filter(({ kind, column }) => kind === "price" || rows.length === 0 || hasNumbers(rows, column));
}

/** Returns the column that is the price beyond doubt; null for none. */
export function certainPrice(columns: PriceColumn[]): number | null {
  const named = columns.filter(({ kind }) => kind === "price");
  if (named.length > 0) return named.length === 1 || sameHeader(named) ? (named[0]?.column ?? null) : null;
  const [only, ...others] = columns;
  return only?.kind === "synonym" && others.length === 0 ? only.column : null;
}

/** Two columns of one header are a fault of their own. */
function sameHeader(columns: PriceColumn[]): boolean {
  return new Set(columns.map(({ header }) => wordsOf(header).join(""))).size === 1;
}

function hasNumbers(rows: SheetRow[], column: number): boolean {
  return rows.slice(0, TRIED_ROWS).some(({ cells }) => /\d/.test(textOf(cells[column])));
}

function classify(header: string, column: number): PriceColumn | null {
  const words = wordsOf(header);
  const isPrice = words.some((word) => PRICE.test(word) || COMPOUND.test(word)) || BARE.test(words.join(" "));
  if (!isPrice) return null;
  if (words.some((word) => COST.test(word))) return { column, header, kind: "cost", reason: "a cost" };
  const foreign = foreignCurrency(header, words);
  if (foreign) return { column, header, kind: "uncertain", reason: `a price in ${foreign}` };
  const doubt = DOUBTS.find(([pattern]) => words.some((word) => pattern.test(word)));
  if (doubt) return { column, header, kind: "uncertain", reason: doubt[1] };
  const ownWords = words.filter((word) => word.toUpperCase() !== CURRENCY && word !== "ca" && word !== "c");
  const isBare = ownWords.length === 1 && PRICE.test(ownWords[0] ?? "");
  if (isBare) return { column, header, kind: ownWords.length === words.length ? "price" : "synonym" };
  return { column, header, kind: SYNONYMS.has(ownWords.join("")) ? "synonym" : "uncertain" };
}

function foreignCurrency(header: string, words: string[]): string | null {
  const code = words.find((word) => CURRENCIES.test(word) && word.toUpperCase() !== CURRENCY);
  if (code && words.length > 1) return code.toUpperCase();
  return FOREIGN_SIGN.exec(header)?.[0] ?? null;
}

/** Parts a header into words without accents: `PriceNet` is two, and so is `priceeur`. */
function wordsOf(header: string): string[] {
  return header
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
    .flatMap(withoutCurrency);
}

/** Parts a word that joins a price and a currency. */
function withoutCurrency(word: string): string[] {
  const joined = /^(price|preis|prix)([a-z]{3})$|^([a-z]{3})(price|preis)$/.exec(word);
  const [price, code] = [joined?.[1] ?? joined?.[4], joined?.[2] ?? joined?.[3]];
  return price && code && CURRENCIES.test(code) ? [price, code] : [word];
}
