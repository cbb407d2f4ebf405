import type { ProductOption } from "~/db/schema";
import { dollars } from "~/domain/money";
import { SCARCE_STOCK } from "~/domain/stock-levels";
import type { OfferedOptions } from "./options";

/** Choice of a product whose stock is counted for each. */
export type OfferedUnit = OfferedOptions["colors"][number] & { unit: { values: string[] } };

/** Names the form field of an option, by its index: a name of the shop's own could be read as a path. */
export const choiceField = (index: number) => `choice${index + 1}`;

/** Lists the choices that are units. */
export const unitsIn = ({ colors }: Pick<OfferedOptions, "colors">): OfferedUnit[] =>
  colors.filter((choice): choice is OfferedUnit => choice.unit !== undefined);

/** Finds the unit of chosen values; undefined for values that are not made together. */
export const unitOf = <Unit extends { unit: { values: string[] } }>(units: Unit[], chosen: string[]) =>
  units.find(({ unit }) => unit.values.every((value, i) => value === chosen[i]));

/**
 * Second line of an option's tiles: what the value costs where that differs, else what is left; `isOut` for none. It is of the
 * other values that are chosen, and names them where the value itself is to be had.
 */
export function tileNotes(
  units: OfferedUnit[],
  chosen: string[],
  option: number,
  values: { name: string }[],
) {
  const others = ` in ${chosen.toSpliced(option, 1).join(", ")}`;
  const found = values.map(({ name }) => unitOf(units, chosen.with(option, name))?.unit);
  const isPriced = new Set(found.flatMap((unit) => unit?.priceCents ?? [])).size > 1;
  return found.map((unit, i) => {
    if (!unit?.stock) {
      const own = units.filter(({ unit: { values: its } }) => its[option] === values[i]?.name);
      const isElsewhere = own.some((other) => !unit || other.unit.stock);
      return { text: (unit ? "sold out" : "not made") + (isElsewhere ? others : ""), isOut: true };
    }
    const left = unit.stock <= SCARCE_STOCK ? `${unit.stock} left` : "in stock";
    return { text: isPriced ? dollars(unit.priceCents) : left, isOut: false };
  });
}

/** Builds the address of a product with a choice. */
export const choiceUrl = (
  id: string,
  options: Pick<ProductOption, "name">[],
  values: (string | null)[],
): string => {
  const named = options.flatMap(({ name }, i) => (values[i] ? [[name, values[i] ?? ""]] : []));
  return `/products/${id}${named.length > 0 ? `?${new URLSearchParams(named)}` : ""}`;
};

/** Builds the address of a product with a choice by its name, as cards and lines have it. */
export const choicePath = (
  { id, choices }: { id: string; choices?: OfferedOptions | undefined },
  choice: string | null | undefined,
): string =>
  choiceUrl(
    id,
    choices?.options ?? [],
    (choices && unitsIn(choices).find(({ name }) => name === choice)?.unit.values) ?? [],
  );
