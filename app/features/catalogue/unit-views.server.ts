import type { ProductOption } from "~/db/schema";
import { fieldError } from "~/http/errors";
import { picturesOf, swatchOf } from "./product-views.server";
import type { ProductRow } from "./queries.server";
import { type Chosen, choiceField, type OfferedOption, type OfferedUnit, priceOf } from "./unit-choice";
import { choiceText } from "./unit-name";
import { coloursOf, isColour } from "./units";

type WithOptions = Pick<ProductRow, "options" | "imageUrls" | "imageAlts">;

/** Returns the value of the option of colours; null without one. */
const colourOf = (options: ProductOption[], values: string[]) =>
  values[options.findIndex(({ name }) => isColour(name))] ?? null;

/** Finds the picture of a unit: its own, else that of its colour. */
function pictureOf({ options, imageUrls, imageAlts }: WithOptions, values: string[], own: string) {
  if (own && imageUrls.includes(own)) return imageUrls.indexOf(own);
  const colours = coloursOf(options);
  return picturesOf(colours, imageAlts)[colours.indexOf(colourOf(options, values) ?? "")] ?? null;
}

interface Sellable extends WithOptions {
  values: string[];
  image: string | null;
  ownImage: string;
  colors: string[];
  optionLabel: string;
}

/**
 * Makes the choice of a unit the only colour of a product, by which lines and messages show it, and its picture the
 * product's. A product whose choice is open has no colours to choose.
 */
export function withChoice<Row extends Sellable>({ ownImage, ...row }: Row) {
  const { options, values } = row;
  if (options.length === 0) return { ...row, colour: null };
  const picture = values.length > 0 ? pictureOf(row, values, ownImage) : null;
  return {
    ...row,
    image: picture === null ? row.image : (row.imageUrls[picture] ?? row.image),
    colors: values.length > 0 ? [choiceText(values)] : [],
    optionLabel: options.map(({ name }) => name).join(" / "),
    /** Value of the option of colours. */
    colour: colourOf(options, values),
  };
}

/** Options of a product with their values, as fields offer them. */
export const offeredValues = (options: ProductOption[]): OfferedOption[] =>
  options.map(({ name, values }) => ({
    name,
    values: values.map((value) => ({ name: value, swatch: isColour(name) ? swatchOf(value) : null })),
  }));

/** Chooses values by what a request names: an unknown one counts as open, the only one of an option is chosen. */
export const chosenIn = (
  options: ProductOption[],
  named: (option: ProductOption, index: number) => string | null | undefined,
): Chosen =>
  options.map((option, i) => {
    const { values } = option;
    const wanted = named(option, i)?.normalize("NFC").toLowerCase();
    const known = values.find((value) => value.normalize("NFC").toLowerCase() === wanted);
    return known ?? (values.length === 1 ? (values[0] ?? null) : null);
  });

/** Options and units of a product for its page, with the choice of its address; none for a product without options. */
export function offeredUnits(row: ProductRow, params: URLSearchParams) {
  const { options } = row;
  const units: OfferedUnit[] = row.units.map(({ id, values, priceCents, available, image }) => ({
    ...{ id, values, priceCents: priceCents ?? row.priceCents, stock: available },
    picture: pictureOf(row, values, image),
  }));
  if (options.length === 0) return { options: [], units: [], chosen: [], priceCents: row.priceCents };
  const priceCents = units.length > 0 ? priceOf(units).cents : row.priceCents;
  return {
    ...{ options: offeredValues(options), units, priceCents },
    chosen: chosenIn(options, ({ name }) => params.get(name)),
  };
}

/** Address of a product with a choice. */
export function choiceUrl(id: string, options: Pick<ProductOption, "name">[], chosen: Chosen): string {
  const named = options.flatMap(({ name }, i) => (chosen[i] ? [[name, chosen[i] ?? ""]] : []));
  return `/products/${id}${named.length > 0 ? `?${new URLSearchParams(named)}` : ""}`;
}

/** Fields of a form that choose a value of each option. */
export type ChoiceFields = Partial<Record<ReturnType<typeof choiceField>, string | null>>;

/** Reads the values that a form chooses of each option. @throws AppError invalid (400) at the field of an open option */
export function requireChoice(options: ProductOption[], fields: ChoiceFields): string[] {
  const chosen = chosenIn(options, (_, i) => fields[choiceField(i)]);
  const open = chosen.indexOf(null);
  const option = options[open];
  if (option) throw fieldError("invalid", choiceField(open), `Choose: ${option.name}`);
  return chosen.map((value) => value ?? "");
}
