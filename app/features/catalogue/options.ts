/** Choices that a product offers; a product in one colour leaves none to make. */
export interface Choices {
  /** `swatch` is a CSS background, null for an unknown colour; `picture` the index of a picture in it. */
  colors: { name: string; swatch: string | null; picture: number | null }[];
  hasEngraving: boolean;
}

/** Choices made. A key is missing where the product offers nothing to choose, null where nothing was chosen. */
export interface Chosen {
  color?: string | null;
  engraving?: string | null;
}

/** Values that identify a cart line beside its product. */
export interface Options {
  color: string | null;
  engraving: string | null;
}

const quote = (engraving: string) => `“${engraving}”`;

/** Writes choices in one line, open ones too: `Clay, “Noor”`, `colour not chosen, no words yet`; "" without any. */
export function optionsText({ color, engraving }: Chosen): string {
  return [
    color === undefined ? "" : (color ?? "colour not chosen"),
    engraving === undefined ? "" : engraving === null ? "no words yet" : quote(engraving),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Appends the choices made to a product's name: `Key tag (Walnut, “Noor”)`. */
export function nameWithOptions(name: string, { color, engraving }: Chosen): string {
  const made = [color, engraving && quote(engraving)].filter(Boolean);
  return made.length > 0 ? `${name} (${made.join(", ")})` : name;
}

/** Lists choices for a message, one a line. */
export function choiceLines(quantity: number, { color, engraving }: Chosen): string[] {
  return [
    ...(quantity > 1 ? [`Quantity: ${quantity}`] : []),
    ...(color === undefined ? [] : [`Colour: ${color ?? "not chosen yet"}`]),
    ...(engraving === undefined
      ? []
      : [engraving === null ? "Words: none yet" : `Engraving: ${quote(engraving)}`]),
  ];
}

/** Orders the name and the choices of a product as a list item of a message. */
export function itemText(name: string, chosen: Chosen): string {
  const text = optionsText(chosen);
  return text ? `${name} (${text})` : name;
}
