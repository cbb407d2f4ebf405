import type { ProductOption } from "~/db/schema";
import type { Plate, Tone } from "~/domain/engraving-plate";
import { choiceText } from "~/domain/unit-name";
import { imageUrl } from "~/features/storage/schema";
import { AppError, fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { colorIn, has, picturesOf, spaced } from "./colour-pictures";
import { engravingNote, roomOf } from "./engraved-lines";
import { MAX_ENGRAVING } from "./engraving";
import type { LabelledOptions, OfferedOptions, SelectedOptions } from "./options";
import { plateFor } from "./plates";
import { apiFields } from "./product";
import type { CardRow, ProductRow } from "./queries.server";
import { plainText, sanitizeRichText } from "./rich-text.server";
import { lightnessOf, swatchOf } from "./swatches";
import { apiUnits } from "./unit-views";
import { coloursOf, type ProductUnit } from "./units";

/** Product in the format of the API; `plates` by the entry of their image. */
export type ApiProduct = ReturnType<typeof apiProduct>;

/**
 * Converts a product to the format of the API.
 *
 * @param raw keeps `minio:{key}` entries instead of converting them to URLs
 * @param isStaff shows the whole stock; others see what they can buy
 */
export function apiProduct(row: ProductRow, { raw, isStaff }: { raw: boolean; isStaff: boolean }) {
  const content = {
    ...row,
    description: sanitizeRichText(row.description),
    stock: isStaff ? row.stock : row.available,
  };
  return {
    id: row.id,
    productId: row.id,
    ...apiFields(content, (entry) => (raw ? entry : imageUrl(entry))),
    available: row.available,
    ...apiUnits(row, { raw, isStaff }),
    createdAt: timestamp(row.createdAt),
  };
}

/** Description as its page shows it: a beginning, and the rest behind a label; an empty rest hides nothing. */
export interface FoldedText {
  lead: string;
  rest: string;
  label: string;
}

/** Number of characters from which a description is folded. */
const LONG_TEXT = 280;

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
  return { lead, rest, label: "More about it" };
}

/** Cuts a text after a word and escapes it for HTML. */
function beginning(text: string): string {
  const cut = text
    .toWellFormed()
    .slice(0, LONG_TEXT / 2)
    .replace(/\s+\S*$/, "");
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Product in the format of its page. */
export type ProductView = ReturnType<typeof productView>;

/** Picks the fields that the page of a product shows; the browser gets no others. */
export const productView = (row: ProductRow) => ({
  id: row.id,
  name: row.name,
  descriptionHtml: sanitizeRichText(row.description),
  priceCents: row.fromCents,
  stock: row.stock,
  available: row.available,
  category: row.category,
  colors: row.colors,
  hasEngraving: row.hasEngraving,
  /** Stored entries (`minio:{key}` or a URL) with alternative texts. */
  images: row.imageUrls.map((url, i) => ({ url, alt: row.imageAlts[i] ?? row.name })),
});

/** Fields of a product that its options need. */
interface WithOptions {
  name: string;
  colors: string[];
  hasEngraving: boolean;
  /** Name of what `colors` lists; "" for colours. */
  optionLabel: string;
  options: ProductOption[];
  units: ProductUnit[];
}

/** Lists what can be chosen beside words: the choices that are counted, else the free ones. */
const choicesOf = ({
  colors,
  options,
  units,
}: Pick<WithOptions, "colors" | "options" | "units">): string[] =>
  options.length > 0 ? units.map(({ values }) => choiceText(values)) : colors;

/** Names what is chosen: `Colour`, `Size`, `Colour / Size`; "" for colours. */
const labelOf = ({ optionLabel, options }: Pick<WithOptions, "optionLabel" | "options">): string =>
  options.length > 0 ? options.map(({ name }) => name).join(" / ") : optionLabel;

/** Unit that a line of a product sells, or the product where it has one. */
export interface SoldUnit {
  /** Null for a product of one unit. */
  unitId: string | null;
  priceCents: number;
  /** Pieces that shoppers can buy. */
  stock: number;
  /** Pieces in stock, with those on hold. */
  onHand: number;
  /** Own picture; "" without one. */
  image: string;
}

/** Finds the unit of a choice. @returns null where the choice of a product with several is open */
export function soldUnit(
  product: WithOptions & { priceCents: number; ownPriceCents: number; stock: number; onHand?: number },
  choice: string | null,
): SoldUnit | null {
  const { priceCents, stock, onHand = stock, options, units } = product;
  if (options.length === 0) return { unitId: null, priceCents, stock, onHand, image: "" };
  const unit = units.find(({ values }) => choiceText(values) === choice);
  return unit
    ? {
        unitId: unit.id,
        priceCents: unit.priceCents ?? product.ownPriceCents,
        stock: unit.available,
        onHand: unit.stock,
        image: unit.image,
      }
    : null;
}

/** Returns the index of the picture that shows the first of some colours which a product has; 0 without one. */
function pictureIn({ colors, imageAlts }: Pick<WithPictures, "colors" | "imageAlts">, wanted: string[]) {
  const pictures = picturesOf(colors, imageAlts);
  const shown = wanted.map((word) => pictures[colors.findIndex((color) => has(spaced(color), word))]);
  return shown.find((picture) => picture !== undefined) ?? 0;
}

/** Card of a list; with what its picture is picked by, where the search is for a colour. */
export type FoundCard = CardRow & Partial<Pick<ProductRow, "colors" | "imageUrls" | "imageAlts">>;

/** Builds a card, with the picture that shows one of some colours. */
export function cardOf(
  { row: _, colors, imageUrls, imageAlts, ...found }: FoundCard & { row?: number },
  wanted: string[],
): CardRow {
  if (!colors || !imageUrls || !imageAlts) return found;
  const picture = pictureIn({ colors, imageAlts }, wanted);
  return { ...found, image: imageUrls[picture] ?? null, imageAlt: imageAlts[picture] ?? null };
}

/** Materials by the tone in which words are engraved on them. */
const MATERIALS: [RegExp, Tone][] = [
  [/\b(?:walnut|oak|beech|birch|cedar|maple|cherry|bamboo|cork|wood|leather)\b/, "burnt"],
  [/\b(?:gold|silver|brass|steel|copper|aluminium)\b/, "cut"],
  [/\b(?:slate|glass|clear)\b/, "light"],
];

/** Lightness of a plate from which dark words are read more easily than light ones. */
const LIGHT_PLATE = 0.6;

/**
 * Returns the tone of words on a plain plate of a colour: its material's, else that of the product's plates, and another where
 * that would be dark on dark or light on light; null where none is known. The plate of an unknown colour is light.
 */
function toneOf(color: string, plates: Plate[]): Tone | null {
  const name = color.toLowerCase();
  const tone = MATERIALS.find(([material]) => material.test(name))?.[1] ?? plates[0]?.tone ?? null;
  if (tone === null) return null;
  if ((lightnessOf(name.trim()) ?? 1) < LIGHT_PLATE) return "light";
  return tone === "light" ? "dark" : tone;
}

/** Fields of a product that its choices need, with its pictures. */
interface WithPictures extends WithOptions, Pick<ProductRow, "plates"> {
  priceCents: number;
  /** The product's own, where `priceCents` is the lowest of its units. */
  ownPriceCents?: number;
  imageUrls: string[];
  imageAlts: string[];
}

/** Lists what a shopper can choose. */
export function offeredOptions(product: WithPictures): OfferedOptions {
  const { hasEngraving, imageUrls, imageAlts, options, units } = product;
  const colors = choicesOf(product);
  const plates = hasEngraving
    ? imageUrls.flatMap((image, picture) => {
        const plate = product.plates[image];
        // The only colour need not be named.
        const color = colors.length > 1 ? colorIn(imageAlts[picture] ?? "", colors) : (colors[0] ?? null);
        return plate ? [{ ...plate, picture, image, color }] : [];
      })
    : [];
  const hues = options.length > 0 ? units.map(({ values }) => colourIn(options, values)) : colors;
  const pictures = picturesOf(
    colors.map((name, i) => hues[i] ?? name),
    imageAlts,
  );
  const own = units.map(({ image }) => imageUrls.indexOf(image));
  return {
    label: labelOf(product) || "Colour",
    ...(options.length > 0 && { options: options.map(offeredValues) }),
    colors: colors.map((name, i) => {
      const unit = options.length > 0 ? units[i] : undefined;
      const picture = unit && (own[i] ?? -1) >= 0 ? (own[i] ?? null) : (pictures[i] ?? null);
      const image = picture === null ? null : (imageUrls[picture] ?? null);
      return {
        name,
        swatch: swatchOf(hues[i]),
        picture,
        image,
        ...(unit && { unit: offeredUnit(unit, product) }),
        ...(hasEngraving && { tone: toneOf(name, plates) }),
      };
    }),
    hasEngraving,
    ...(plates[0] && { plates }),
    ...(hasEngraving && { room: plates[0] ? roomOf(plates[0]) : `up to ${MAX_ENGRAVING} letters` }),
  };
}

const offeredUnit = (
  unit: ProductUnit,
  { priceCents, ownPriceCents = priceCents }: Pick<WithPictures, "priceCents" | "ownPriceCents">,
) => ({
  values: unit.values,
  priceCents: unit.priceCents ?? ownPriceCents,
  stock: unit.available,
});

/** Option with its values, and the backgrounds of colours. */
const offeredValues = (option: ProductOption) => ({
  name: option.name,
  values: option.values.map((name) => ({
    name,
    swatch: coloursOf([option]).length > 0 ? swatchOf(name) : null,
  })),
});

/** Returns a unit's value of the option that is a colour; null without one. */
const colourIn = (options: ProductOption[], values: string[]): string | null =>
  values[options.findIndex(({ name }) => coloursOf([{ name, values }]).length > 0)] ?? null;

/** Says that words exceed the plate of a colour; of one without a picture, that of another. @returns null when they fit */
export function noteOn(
  { plates = [] }: Pick<OfferedOptions, "plates">,
  { color = null, engraving }: LabelledOptions,
): string | null {
  const plate = plateFor(plates, color) ?? plates[0];
  return plate && engraving ? engravingNote(engraving, plate) : null;
}

/** Reduces options to those that a product offers now; its only colour is always chosen. */
export function currentOptions(
  { hasEngraving, ...product }: WithOptions,
  { color, engraving }: SelectedOptions,
): SelectedOptions {
  const colors = choicesOf(product);
  const known = colors.length === 1 ? colors[0] : colors.find((one) => one === color);
  return { color: known ?? null, engraving: hasEngraving ? engraving : null };
}

/** Tells choices that are open from those that a product does not offer. */
export function shownOptions(product: WithOptions, options: SelectedOptions): LabelledOptions {
  const { color, engraving } = currentOptions(product, options);
  const hasChoice = choicesOf(product).length > 0;
  const label = labelOf(product);
  return {
    ...(hasChoice && { color }),
    ...(hasChoice && label && label !== "Colour" && { label }),
    ...(product.hasEngraving && { engraving }),
  };
}

/** Asks for the options that a choice leaves open. */
const chooseFirst = (open: Pick<ProductOption, "name">[]) =>
  `Choose ${open.map(({ name }) => name).join(" and ")} first.`;

/** Finds the options that a choice leaves open. */
const openOptions = (options: ProductOption[], choice: string) => {
  const named = choice.toLowerCase().split(" / ");
  return options.filter(({ values }) => !values.some((value) => named.includes(value.toLowerCase())));
};

const notMade = ({ name }: WithOptions, choice: string) =>
  `${name} isn't made as “${choice}”. Choose another.`;

/** Checks chosen options. @throws AppError invalid (400) for a colour or words that the product does not offer */
export function checkOptions(product: WithOptions, { color, engraving }: SelectedOptions): SelectedOptions {
  const { name, hasEngraving, options } = product;
  const colors = choicesOf(product);
  const known = colors.find((one) => one.toLowerCase() === color?.toLowerCase()) ?? null;
  if (color !== null && known === null) {
    const open = openOptions(options, color);
    if (open.length === 0 && options.length > 0)
      throw fieldError("invalid", "color", notMade(product, color));
    if (open.length < options.length) throw fieldError("invalid", "color", chooseFirst(open));
    const listed = colors.length > 0 ? `Choose ${colors.slice(0, 5).join(", ")}.` : "It comes in one colour.";
    throw fieldError("invalid", "color", `${name} doesn't come in “${color}”. ${listed}`);
  }
  if (engraving !== null && !hasEngraving)
    throw fieldError("invalid", "engraving", `${name} can't be engraved.`);
  return currentOptions(product, { color: known, engraving });
}

/** Finds the unit that was chosen. @throws AppError invalid (400) for an open choice; conflict (409) for one that is sold out */
export function requireUnit(product: Parameters<typeof soldUnit>[0], choice: string | null): SoldUnit {
  const unit = soldUnit(product, choice);
  if (!unit) throw fieldError("invalid", "color", chooseFirst(product.options));
  if (unit.stock > 0) return unit;
  throw new AppError(
    "conflict",
    choice && unit.unitId
      ? `${choice} is out of stock. Ask us when it will be back.`
      : "This product is out of stock",
  );
}
