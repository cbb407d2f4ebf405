/** Units of a product, at most. */
export const MAX_UNITS = 100;

/** Names a unit by its values: `Moss / 52 cm`; "" for the unit of a product without options. */
export const choiceText = (values: string[]) => values.join(" / ");

/** Appends the choice to a product's name: `Phone case (Moss / 52 cm)`. */
export const unitName = (name: string, values: string[]) =>
  values.length > 0 ? `${name} (${choiceText(values)})` : name;
