import { imageUrl } from "~/features/storage/schema";
import { AppError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import type { Choices, Chosen, Options } from "./options";
import type { ProductField } from "./product-fields";
import type { ProductRow } from "./queries.server";
import { plainText, sanitizeRichText } from "./rich-text.server";

/** Product in the format of the API. */
export interface ApiProduct extends Record<ProductField, unknown> {
  id: string;
  productId: string;
  name: string;
  description: string;
  /** Dollars. */
  price: number;
  stock: number;
  /** Stock without what is on hold. */
  available: number;
  category: string;
  colors: string[];
  hasEngraving: boolean;
  imageUrls: string[];
  createdAt: { seconds: number; nanoseconds: number };
}

/**
 * Converts a product to the format of the API.
 *
 * @param raw keeps `minio:{key}` entries instead of converting them to URLs
 * @param isStaff shows the whole stock; others see what they can buy
 */
export function apiProduct(
  row: ProductRow,
  { raw, isStaff }: { raw: boolean; isStaff: boolean },
): ApiProduct {
  return {
    id: row.id,
    productId: row.id,
    name: row.name,
    description: sanitizeRichText(row.description),
    price: row.priceCents / 100,
    stock: isStaff ? row.stock : row.available,
    available: row.available,
    category: row.category,
    colors: row.colors,
    hasEngraving: row.hasEngraving,
    imageUrls: raw ? row.imageUrls : row.imageUrls.map((entry) => imageUrl(entry)),
    createdAt: timestamp(row.createdAt),
  };
}

/** Product in the format of its page. */
export interface ProductView {
  id: string;
  name: string;
  descriptionHtml: string;
  priceCents: number;
  stock: number;
  available: number;
  category: string;
  colors: string[];
  hasEngraving: boolean;
  /** Stored entries (`minio:{key}` or a URL) with alternative texts. */
  images: { url: string; alt: string }[];
}

/** Description as its page shows it: a beginning, and the rest behind a label; an empty rest hides nothing. */
export interface FoldedText {
  lead: string;
  rest: string;
  label: string;
}

/** Number of characters from which a description is folded. */
const LONG_TEXT = 280;
const MAX_LABELS = 4;

/**
 * Splits a description after its first paragraph.
 *
 * @param html sanitised
 */
export function foldText(html: string): FoldedText {
  const [, lead = "", rest = ""] = /^\s*(<p>(?:(?!<\/p>).)*<\/p>)(.*)$/s.exec(html) ?? [];
  const text = plainText(html);
  if (text.length < LONG_TEXT) return { lead: html, rest: "", label: "" };
  if (plainText(rest).trim() === "")
    return { lead: `<p>${beginning(text)}…</p>`, rest: html, label: "The whole description" };
  const words = [...rest.matchAll(/<strong>([^<]{2,30}?):?<\/strong>/g)].map(([, word = ""]) => word);
  const named = words.slice(0, MAX_LABELS).map((word) => word.toLowerCase());
  return { lead, rest, label: named.length > 0 ? `More: ${named.join(", ")}` : "More about it" };
}

/** Cuts a text after a word and escapes it for HTML. */
function beginning(text: string): string {
  const cut = text
    .toWellFormed()
    .slice(0, LONG_TEXT / 2)
    .replace(/\s+\S*$/, "");
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function productView(row: ProductRow): ProductView {
  const { id, name, priceCents, stock, available, category, colors, hasEngraving } = row;
  const images = row.imageUrls.map((url, i) => ({ url, alt: row.imageAlts[i] ?? name }));
  const descriptionHtml = sanitizeRichText(row.description);
  return {
    id,
    name,
    descriptionHtml,
    priceCents,
    stock,
    available,
    category,
    colors,
    hasEngraving,
    images,
  };
}

/** Product as far as its options need it. */
interface Optional {
  name: string;
  colors: string[];
  hasEngraving: boolean;
}

/** Colours of common names, and of the materials that products are made of. */
const SWATCHES = new Map(
  `black #26282a, white #f7f6f2, grey #8b8f90, gray #8b8f90, silver #c3c8ca, red #b93a32, orange #d87a34,
  yellow #ecc842, green #3f7a54, blue #3e6ea6, navy #25355a, purple #6d4f91, violet #6d4f91, pink #d98ea0,
  brown #70492f, beige #d9c8a9, turquoise #46a5a0, teal #2f7475, burgundy #6f2638, olive #72753f, moss #33503f,
  sand #d2b98f, clay #a65d40, ink #354250, rose #c47f84, tan #bb855a, cream #f1e7d0, ivory #f3ecdb,
  oat #dbcbb0, honey #d99a35, sage #98aa8c, mint #a9d4bd, fir #2f4d3d, eucalyptus #7d9a8c, jade #5d9c7d,
  celadon #afc4ae, leaf #5d8a4c, terracotta #bb6647, ochre #c48c34, slate #545e63, graphite #44484b,
  charcoal #393c3f, steel #9aa3a8, gold #cfa64c, brass #b8944a, copper #b3704a, walnut #664830, oak #bf9766,
  beech #d9b98d, leather #93613c, rose gold #d0a08c, rose quartz #e3bfbe, slate blue #5b6f8b, coral #e07f69`
    .split(/,\s+/)
    .map((pair): [string, string] => [pair.slice(0, -8), pair.slice(-7)]),
);

/** Reads the background of one colour: a known name, or one with light, pale or dark before it. */
function plainSwatch(name: string): string | undefined {
  const known = SWATCHES.get(name);
  if (known) return known;
  const [, shade, rest = ""] = /^(light|pale|dark) (.+)$/.exec(name) ?? [];
  const base = SWATCHES.get(rest);
  if (!base) return undefined;
  return `color-mix(in oklab,${base},${shade === "dark" ? "black 35%" : "white 45%"})`;
}

/** Returns the CSS background of a colour, halved for `A and B`; null for an unknown name. */
export function swatchOf(color: string | null | undefined): string | null {
  const parts = (color ?? "")
    .trim()
    .toLowerCase()
    .split(/ (?:and|on) /);
  const swatches = parts.map(plainSwatch);
  if (parts.length > 2 || !swatches.every((swatch) => swatch !== undefined)) return null;
  const [first = null, second] = swatches;
  return second ? `linear-gradient(135deg,${first} 50%,${second} 50%)` : first;
}

/** Finds the first picture whose alternative text names a colour. */
function pictureOf(color: string, alts: string[]): number | null {
  const word = color
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const texts = alts.map((alt) => ` ${alt.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `);
  const index = word === "" ? -1 : texts.findIndex((text) => text.includes(` ${word} `));
  return index === -1 ? null : index;
}

/** Lists what a shopper can choose. @param alts alternative texts of the product's pictures */
export function choicesOf({ colors, hasEngraving }: Optional, alts: string[] = []): Choices {
  return {
    colors: colors.map((name) => ({ name, swatch: swatchOf(name), picture: pictureOf(name, alts) })),
    hasEngraving,
  };
}

/** Reduces options to those that a product offers now; its only colour is always chosen. */
export function currentOptions({ colors, hasEngraving }: Optional, { color, engraving }: Options): Options {
  const known = colors.length === 1 ? colors[0] : colors.find((one) => one === color);
  return { color: known ?? null, engraving: hasEngraving ? engraving : null };
}

/** Tells choices that are open from those that a product does not offer. */
export function chosenOf(product: Optional, options: Options): Chosen {
  const { color, engraving } = currentOptions(product, options);
  return {
    ...(product.colors.length > 0 && { color }),
    ...(product.hasEngraving && { engraving }),
  };
}

/** Checks chosen options. @throws AppError invalid (400) for a colour or words that the product does not offer */
export function checkOptions(product: Optional, { color, engraving }: Options): Options {
  const { name, colors, hasEngraving } = product;
  const known = colors.find((one) => one.toLowerCase() === color?.toLowerCase()) ?? null;
  if (color !== null && known === null) {
    const listed = colors.length > 0 ? `Choose ${colors.slice(0, 5).join(", ")}.` : "It comes in one colour.";
    throw new AppError("invalid", `${name} doesn't come in “${color}”. ${listed}`);
  }
  if (engraving !== null && !hasEngraving) throw new AppError("invalid", `${name} can't be engraved.`);
  return currentOptions(product, { color: known, engraving });
}
