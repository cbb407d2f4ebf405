import type { Tone } from "~/domain/engraving-plate";
import { type PicturePlate, plateFor } from "./plates";

/** Price and stock of a product, or of one of its units. */
interface Priced {
  priceCents: number;
  /** Pieces that shoppers can buy. */
  stock: number;
  /** Pieces that are there, those on hold included; for staff only. */
  onHand?: number;
}

/** Options that a product offers; one in a single colour offers no choice of it. */
export interface OfferedOptions {
  /** Name of what `colors` lists: `Colour`, or another such as `Size`. */
  label: string;
  /**
   * `swatch` is a CSS background, null for an unknown colour; `picture` the index of a picture in it, `image` its stored
   * entry; `tone` that of engraved words.
   */
  colors: {
    name: string;
    swatch: string | null;
    picture: number | null;
    image: string | null;
    tone?: Tone | null;
    /** Of a choice whose stock is counted: a value of each option, its price and stock. */
    unit?: Priced & { values: string[] };
  }[];
  /** Options whose values make the choices that are counted: one has to be chosen. */
  options?: { name: string; values: { name: string; swatch: string | null }[] }[];
  hasEngraving: boolean;
  /** Pictures on which the words are drawn. */
  plates?: PicturePlate[];
  /** Lines of the first plate or, without one, the length of the field, in words; missing without engraving. */
  room?: string;
}

/** Selected options as lines and messages show them, by their label: missing where the product offers none. */
export interface LabelledOptions {
  color?: string | null;
  /** Name of what `color` is where it is no colour, such as `Size`. */
  label?: string;
  engraving?: string | null;
}

/** Selected options, null where nothing was chosen; with the product they identify a cart line. */
export interface SelectedOptions {
  color: string | null;
  engraving: string | null;
}

const quote = (engraving: string) => `“${engraving}”`;

/** Writes choices in one line, open ones too: `Clay, “Noor”`, `colour not chosen, no words yet`; "" without any. */
export function optionsText({ color, label = "Colour", engraving }: LabelledOptions): string {
  return [
    color === undefined ? "" : (color ?? `${label.toLowerCase()} not chosen`),
    engraving === undefined ? "" : engraving === null ? "no words yet" : quote(engraving),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Returns the price and stock of what was chosen of a product; its own where that is not counted by itself. */
export const offerOf = (
  product: Priced & { choices?: Pick<OfferedOptions, "colors"> | undefined },
  color: string | null | undefined,
): Priced => product.choices?.colors.find(({ name }) => name === color)?.unit ?? product;

/** Appends the choices made to a product's name: `Key tag (Walnut, “Noor”)`. */
export function nameWithOptions(name: string, { color, engraving }: LabelledOptions): string {
  const made = [color, engraving && quote(engraving)].filter(Boolean);
  return made.length > 0 ? `${name} (${made.join(", ")})` : name;
}

/** Lists choices for a message, one a line. */
export function choiceLines(
  quantity: number,
  { color, label = "Colour", engraving }: LabelledOptions,
): string[] {
  return [
    ...(quantity > 1 ? [`Quantity: ${quantity}`] : []),
    ...(color === undefined ? [] : [`${label}: ${color ?? "not chosen yet"}`]),
    ...(engraving === undefined
      ? []
      : [engraving === null ? "Words: none yet" : `Engraving: ${quote(engraving)}`]),
  ];
}

/** Orders the name and the choices of a product as a list item of a message. */
export function itemText(name: string, chosen: LabelledOptions): string {
  const text = optionsText(chosen);
  return text ? `${name} (${text})` : name;
}

/** Picture of a product with what was chosen of it. */
export interface ChosenPicture {
  /** Stored entry. */
  image: string | null;
  /** Plate of the words to engrave, where they are drawn on it. */
  plate?: PicturePlate | undefined;
}

/** Finds the picture of the chosen colour, with the place of the words where some are to be engraved. */
export function chosenPicture(
  image: string | null,
  choices: Pick<OfferedOptions, "colors" | "plates"> | null | undefined,
  { color = null, engraving = null }: LabelledOptions,
): ChosenPicture {
  const plate = engraving ? plateFor(choices?.plates ?? [], color) : undefined;
  if (plate) return { image: plate.image, plate };
  return { image: choices?.colors.find(({ name }) => name === color)?.image ?? image };
}
