import { coloursOf } from "~/features/catalogue/units";
import { type FreeChoices, groupingOption, type UnitField, type UnitsDraft } from "./units-draft";

/** Returns the choices that stay when each is not counted any more: the colours, else the values of the first option. */
export function choicesOf({ options }: Pick<UnitsDraft, "options">): FreeChoices {
  const option = options[groupingOption({ options })];
  if (!option) return { label: "", values: [] };
  return { label: coloursOf([option]).length > 0 ? "" : option.name, values: option.values };
}

/** Lists what a product loses that is saved without counting each choice; empty for nothing. */
export function lostParts({ isCounted, options, units }: UnitsDraft): string[] {
  if (isCounted || units.length === 0) return [];
  const kept = groupingOption({ options });
  const others = options.filter((_, i) => i !== kept);
  const own = (field: UnitField) => units.some((unit) => unit[field].trim() !== "");
  return [
    ...others.map(({ name, values }) => `${name} (${values.join(", ")})`),
    ...(own("price") ? ["the prices of single choices"] : []),
    ...(own("sku") || own("barcode") ? ["the SKUs and barcodes of the choices"] : []),
    ...(own("image") ? ["the pictures of the choices"] : []),
  ];
}
