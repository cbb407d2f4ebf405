import { CURRENCY_SIGN } from "~/domain/currency";
import { foreignSign, isCurrencyCode, isOwnCurrency } from "./currency";
import { foreignCurrency } from "./money";
import { headerKey, type SheetRow, textOf } from "./sheet";

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
  /** Its cells, or the file beside them, name another currency than the shop's. */
  isForeign?: true;
}

const PRICE = /^(?:price|preis|prix|precio|preco|prezzo|prijs|pris|cena)s?$/;
const COMPOUND = /(?:price|preis|prijs)$/;
/** Headers without a word for price that mean one. */
const BARE = /^(?:amount|msrp|rrp|uvp|vkp?|cost|costs|unit cost|cost per item|kosten|ek|cout|costo|coste)$/;
/** Words, joined, that mean the price of the shop. */
const SYNONYMS = new Set(
  `unitprice priceperunit regularprice retailprice sellingprice sellprice salesprice grossprice pricegross
  priceincltax pricetaxincl pricetaxincluded pricewithtax vk vkp verkaufspreis einzelpreis bruttopreis preisbrutto
  prixttc prixdevente prixunitaire preciodeventa preciounitario pvp prezzodivendita prezzounitario prezzoivato
  verkoopprijs eenheidsprijs`.split(/\s+/),
);
const COST =
  /^(?:buy|buying|purchas\w*|costs?|cogs|landed|wholesale|supplier|vendor|dealer|trade|factory|shipping|delivery|freight|deposit|einkauf\w*|ek|ekpreis|kosten|einstand\w*|grosshandel\w*|handler\w*|achat|cout|fournisseur|acquisto|costo|compra|coste|inkoop\w*|costprice|buyprice)$/;
/** Phrases in which a word for a cost means none: a buyer pays a `buy it now`, and shipping may be part of a price. */
const NO_COSTS = [
  "buy (?:it )?now",
  "to buy",
  "achat immediat",
  "(?:incl?|included|including|inclusive|with|without|excl?|excluding|before|after|plus|no|free) (?:of )?(?:shipping|delivery|freight|deposit)",
  "(?:shipping|delivery|freight|deposit) (?:incl|included|free|excl|excluded|extra)",
];
const NO_COST = new RegExp(`\\b(?:${NO_COSTS.join("|")})\\b`, "g");
const TAX = "(?:tax(?:es)?|vat|gst|hst|pst|qst|mwst|ust|steuern?|tva|taxes?|iva|btw)";
/** Phrases that mean a price without tax, though one of their words alone means something else. */
const BEFORE_TAX = new RegExp(
  `\\b(?:pre|before|without|less|no|net of|vor|avant|antes de|prima di) ?${TAX}\\b`,
);
const WITHOUT_TAX = "a price without tax";
const REDUCED = "a reduced price";
const DOUBTS: [RegExp, string][] = [
  [
    /^(?:old|former|previous|was|before|original|compare|alt|alter|ancien|anterior|vecchio)$/,
    "a former price",
  ],
  [/^(?:avg|average|mean|median|durchschnitt\w*|moyen|medio|promedio)$/, "an average"],
  [
    /^(?:net|nett|netto|nettopreis|ex|exc|excl|excluding|excluded|exclusive|untaxed|ht|ohne|without|zzgl)$/,
    WITHOUT_TAX,
  ],
  [/^(?:msrp|rrp|srp|uvp|recommended|suggested|list|listen\w*|conseille)$/, "a recommended price"],
  [
    /^(?:sale|special|promo\w*|discount\w*|offer|angebot\w*|aktion\w*|sonder\w*|reduced|clearance|solde|oferta)$/,
    REDUCED,
  ],
  [
    /^(?:member\w*|tier\w*|bulk|volume|quantity|qty|level|group|staffel\w*|mengen\w*)$/,
    "a price for quantities or groups",
  ],
  [/^(?:min|max|minimum|maximum|lowest|highest|from|floor|cap)$/, "a limit"],
];
/** Rows in which a column shows whether it holds numbers. */
const TRIED_ROWS = 200;
const DATE = /\d{1,4}([-/.])\d{1,2}\1\d{1,4}/;

/**
 * Finds the columns that speak of a price, and hold numbers or nothing at all but the bare word. One in another
 * currency is never certain.
 *
 * @param rows none to judge by the headers alone
 */
export function priceColumns(headers: string[], rows: SheetRow[]): PriceColumn[] {
  const stated = statedCurrency(headers);
  return headers
    .flatMap((header, column) => classify(header, column) ?? [])
    .filter(({ kind, column }) => kind === "price" || rows.length === 0 || hasNumbers(rows, column))
    .map((each) => {
      if (each.kind === "cost") return each;
      const filled = rows.filter(({ cells }) => textOf(cells[each.column]) !== "");
      const foreign = filled.flatMap(
        (row) => foreignCurrency(row.cells[each.column] ?? "", stated(row)) ?? [],
      );
      if (foreign.length === 0) return each;
      const some = foreign.length < filled.length ? "some prices" : "a price";
      return { ...each, kind: "uncertain", reason: `${some} in ${foreign[0]}`, isForeign: true };
    });
}

/** Returns the column that is the price beyond doubt; null for none. */
export function certainPrice(columns: PriceColumn[]): number | null {
  const named = columns.filter(({ kind }) => kind === "price");
  const [only, ...others] = named.length > 0 ? [...named, ...columns.filter(isRival)] : columns;
  if (only?.kind === "price" && sameHeader([only, ...others])) return only.column;
  return only?.kind === "synonym" && others.length === 0 ? only.column : null;
}

/** Detects a second `price`: a reduced one, one with a number or a letter, or in the currency of the shop. */
function isRival({ kind, header, reason }: PriceColumn): boolean {
  if (kind === "price" || kind === "cost") return false;
  if (reason === REDUCED) return true;
  const others = wordsOf(header).filter((word) => !PRICE.test(word));
  return (
    others.length > 0 && others.every((word) => /^(?:\d+|[a-z]|ca|in)$/.test(word) || isOwnCurrency(word))
  );
}

/** Two columns of one header are a fault of their own. */
function sameHeader(columns: PriceColumn[]): boolean {
  return new Set(columns.map(({ header }) => wordsOf(header).join(""))).size === 1;
}

function hasNumbers(rows: SheetRow[], column: number): boolean {
  return rows.slice(0, TRIED_ROWS).some(({ cells }) => {
    const text = textOf(cells[column]);
    return /\d/.test(text) && !DATE.test(text);
  });
}

/** Headers of a column that names the currency of each row. */
const CURRENCY_HEADERS = new Set(
  "currency currencycode pricecurrency currencyiso wahrung wahrungscode devise moneda moeda valuta".split(
    " ",
  ),
);

/** eBay states the currency of a file in a header: `*Action(SiteID=US|Currency=USD)`. */
const CURRENCY_IN_HEADER = /\bCurrency=([A-Z]{3})\b/i;

/** Finds the column that states the currency of each row; -1 for none. */
export const currencyColumn = (headers: string[]): number =>
  headers.findIndex((header) => CURRENCY_HEADERS.has(headerKey(header)));

/** Reads the currency of a row in the column that names it, or else in a header; undefined for none. */
export function statedCurrency(headers: string[]): (row: SheetRow) => string | undefined {
  const column = currencyColumn(headers);
  const ofFile = headers.flatMap((header) => CURRENCY_IN_HEADER.exec(header)?.[1] ?? [])[0];
  return ({ cells }) => textOf(cells[column]) || ofFile;
}

function classify(header: string, column: number): PriceColumn | null {
  const words = wordsOf(header);
  const unnumbered = words.filter((word) => !/\d/.test(word)).join(" ");
  const isPrice = words.some((word) => PRICE.test(word) || COMPOUND.test(word)) || BARE.test(unnumbered);
  if (!isPrice) return null;
  const telling = words.join(" ").replace(NO_COST, "");
  if (telling.split(" ").some((word) => COST.test(word)))
    return { column, header, kind: "cost", reason: "a cost" };
  const foreign = headerCurrency(header, words);
  if (foreign) return { column, header, kind: "uncertain", reason: `a price in ${foreign}` };
  const doubt = doubtOf(telling);
  if (doubt) return { column, header, kind: "uncertain", reason: doubt };
  const ownWords = words.filter(
    (word) =>
      !isOwnCurrency(word) &&
      word !== "in" &&
      !(header.includes(CURRENCY_SIGN) && isOwnCurrency(word + CURRENCY_SIGN)),
  );
  const isBare = ownWords.length === 1 && PRICE.test(ownWords[0] ?? "");
  if (isBare) return { column, header, kind: ownWords.length === words.length ? "price" : "synonym" };
  return { column, header, kind: SYNONYMS.has(ownWords.join("")) ? "synonym" : "uncertain" };
}

/** Returns why a header may mean no price of the shop; undefined for no reason. @param text its words */
function doubtOf(text: string): string | undefined {
  if (BEFORE_TAX.test(text)) return WITHOUT_TAX;
  const words = text.split(" ");
  return DOUBTS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
}

function headerCurrency(header: string, words: string[]): string | null {
  const code = words.find((word) => isCurrencyCode(word) && !isOwnCurrency(word));
  if (code && words.length > 1) return code.toUpperCase();
  return foreignSign(header);
}

/** Parts a header into words and numbers without accents: `PriceNet` is two, and so are `priceeur` and `Price2`. */
function wordsOf(header: string): string[] {
  return header
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
    .filter(Boolean)
    .flatMap(withoutCurrency);
}

/** Parts a word that joins a price and a currency. */
function withoutCurrency(word: string): string[] {
  const joined = /^(price|preis|prix)([a-z]{3})$|^([a-z]{3})(price|preis)$/.exec(word);
  const [price, code] = [joined?.[1] ?? joined?.[4], joined?.[2] ?? joined?.[3]];
  return price && code && isCurrencyCode(code) ? [price, code] : [word];
}
