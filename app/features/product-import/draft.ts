import { type Category, parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import type { ProductField } from "~/features/catalogue/product";
import { COLOR_WORDS } from "~/features/catalogue/units";
import { type Cell, textOf } from "./sheet";

/** Fields that each layout reads in a way of its own. */
export type LayoutField = ProductField & keyof Draft;

/** A product of a file, before its values are parsed. Blank is "", `undefined` or an empty list. */
export interface Draft {
  /** Number of its first row in the file, from 1. */
  row: number;
  lines: number[];
  /** Category as the file names it; staff may choose the shop's category for it. */
  sourceCategory: string;
  /** The file names no category; `sourceCategory` is the product's name. */
  isUncategorised?: boolean;
  name: string;
  description: string;
  price: Cell | undefined;
  /** Prices of its variants; staff choose one where they differ. */
  variantPrices?: Cell[];
  /** Takes the first price of its variants, with a note, where staff chose none. */
  takesFirstPrice?: boolean;
  /** Its prices have decimal points, unless the file shows commas. */
  hasDecimalPoints?: boolean;
  /** Currency of its prices, where the file states one beside them. */
  currency?: string | undefined;
  stock: Cell | undefined;
  category: string;
  /** The category is guessed, not what the file names: only a new product gets it. */
  isGuessed?: boolean;
  colors: string[];
  /** Rows of its variants, whose choices have stock of their own; undefined for a product that is counted as a whole. */
  variants?: DraftVariant[];
  /** Names of options in the order of the file, with the values that it lists; those of variants come after them. */
  listed?: [name: string, values: string[]][];
  /** Codes of a product without variants. */
  codes?: DraftCodes;
  /** The other system does not count its stock. */
  isUncounted?: boolean | undefined;
  /** Texts of the other fields, by name. */
  cells: Partial<Record<ProductField, string>>;
  imageUrls: string[];
  notes: string[];
  /** It names no product: it is one that is stored, found by its key. */
  isPart?: boolean;
  /** The file's own key of the product; undefined where it has none, and the name identifies it. */
  key?: SourceKey | undefined;
  /** Reason for leaving out a valid product. */
  skip?: string;
  /** Error in a row as a whole. */
  problem?: string;
}

/** SKU and barcode of a unit; "" for a blank. */
export interface DraftCodes {
  sku: string;
  barcode: string;
}

/** Row of a variant, before its values are parsed. */
export interface DraftVariant extends DraftCodes {
  line: number;
  /** Options in the file's order; a blank value is one that the row lacks. */
  options: [name: string, value: string][];
  /** undefined for the price of its product. */
  price: Cell | undefined;
  /** Amount beyond the price of the stored product that it is part of; undefined keeps the stored price. */
  surcharge?: Cell | undefined;
  stock: Cell | undefined;
  isUncounted: boolean;
  /** URL of its picture; "" without one. */
  image: string;
}

/** The key by which another system knows a product. */
export interface SourceKey {
  /** Its title, such as Handle. */
  title: string;
  /** The system, or the kind of key where several share it. */
  system: string;
  value: string;
}

/** System of the keys that are SKUs. */
export const SKU_SYSTEM = "sku";

const MAX_KEY_LENGTH = 300;

/** Makes a key of a cell; a blank or overlong one is none. */
export function sourceKeyOf(title: string, system: string, value: string): SourceKey | undefined {
  const key = value.trim().normalize("NFC").toLowerCase();
  return key === "" || key.length > MAX_KEY_LENGTH ? undefined : { title, system, value: key };
}

export type Source = "template" | "shopify" | "woocommerce" | "other";

/** Names of options that are colors: `Color`, `Frame colour`, `pa_color`. */
export const COLOR = new RegExp(String.raw`(?:^|[\s_-])(?:${COLOR_WORDS})$`, "i");

export function filledCells(cells: (Cell | undefined)[]): Cell[] {
  return cells.filter((cell): cell is Cell => textOf(cell) !== "");
}

/** Sums the stock of variants, oversold ones as 0; undefined where none is tracked. */
export function totalStock(cells: (Cell | undefined)[]): Cell | undefined {
  const filled = filledCells(cells);
  // A single one is read, and noted, as it stands.
  if (filled.length < 2) return filled[0];
  const numbers = filled.map((cell) => Number(String(cell).trim()));
  const invalid = filled.find((_, i) => !Number.isFinite(numbers[i]));
  return invalid ?? numbers.reduce((sum, number) => sum + Math.max(0, number), 0);
}

/** Words that indicate a category, the more specific categories first. */
const PATTERNS: [Category, RegExp][] = [
  ["ENGRAVING", /\bengrav\w*|\blaser (?:cut|etch)\w*|\bpersonali[sz]ed\b|\bmonogram\w*/],
  [
    "PHONE_CASE",
    /\b(?:phone|iphone|galaxy|pixel|mobile) (?:[\w-]+ ){0,3}(?:case|cover|bumper|sleeve)s?\b|\b(?:phone|mobile) ?cases?\b|\bmagsafe case\b/,
  ],
  ["CAR_ACCESSORY", /\b(?:car|auto|automotive|vehicle|dash ?cam|windshield|dashboard|truck)\b/],
  [
    "JEWELRY",
    /\bjewel\w*|\b(?:ring|necklace|bracelet|earring|pendant|brooch|anklet|bangle|charm|cufflink)s?\b/,
  ],
  [
    "HEALTH_AND_BEAUTY",
    /\b(?:beauty|health|skin ?care|cosmetics?|make ?up|soap|shampoo|lotion|serum|balm|wellness|hair|nail|massage|vitamin|perfume|fragrance|toothbrush)s?\b/,
  ],
  [
    "COMPUTER_ACCESSORY",
    /\b(?:computer|laptop|macbook|keyboard|mouse|monitor|webcam|usb|hdmi|hub|ssd|printer|trackpad|desktop|pc)s?\b/,
  ],
  [
    "PHONE_ACCESSORY",
    /\b(?:phone|iphone|smartphone|mobile|charger|charging|power ?bank|screen protector|earbuds|headphone|headset|selfie|cable|magsafe|airpods)s?\b/,
  ],
  [
    "HOME_DECOR",
    /\b(?:home|decor|decoration|candle|vase|lamp|cushion|pillow|rug|wall art|print|poster|frame|mug|kitchen|garden|furniture|blanket|clock|coaster|planter|pot|bedding|living)s?\b/,
  ],
];

/**
 * Guesses a category from a product's type, tags or title in another shop.
 *
 * @param hints texts, the most reliable first; one that names a category of the shop decides
 * @returns null where nothing fits
 */
function guessCategory(hints: string[]): Category | null {
  for (const hint of hints) {
    const parts = hint.split(/[,>/|]/).map((part) => part.trim());
    for (const part of parts.reverse()) {
      const named = part && parseCategory(part);
      if (named && named !== "OTHERS") return named;
    }
    const text = ` ${hint.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
    const match = PATTERNS.find(([, pattern]) => pattern.test(text));
    if (match) return match[0];
  }
  return null;
}

/**
 * Reads the category of a product from what another shop names as such; where none of it fits, guesses it from the name,
 * else Others.
 *
 * @param named the one to show first
 * @param name of the product
 * @param hints what is named, the most reliable first
 */
export function categoryOf(
  named: string[],
  name: string,
  hints = named,
): Pick<Draft, "sourceCategory" | "isUncategorised" | "category" | "isGuessed"> {
  const [sourceCategory = name] = named.filter(Boolean);
  const category = guessCategory(hints);
  const isOthers = category === null && named.some((text) => parseCategory(text) === "OTHERS");
  return {
    sourceCategory,
    isUncategorised: !named.some(Boolean),
    category: category ?? (isOthers ? null : guessCategory([name])) ?? "OTHERS",
    isGuessed: category === null && !isOthers,
  };
}

/** Note on a new product that no category fits; none for others. */
export const categoryNotes = ({ category, newCategory }: CategoryValues): string[] =>
  category === null && newCategory === "OTHERS" ? [`No category fits: ${categoryName("OTHERS")}`] : [];

/** Category of a product of a file; null leaves the one of a stored product. */
interface CategoryValues {
  category: Category | null;
  /** Guess for a new product; null where the file names one. */
  newCategory: Category | null;
}
