import { grouped } from "./grouped";
import { dollars } from "./money";
import { choiceText } from "./unit-name";

/** Unit at a moment; a part that is missing is not compared. */
export interface UnitState {
  values: string[];
  sku?: string | undefined;
  barcode?: string | undefined;
  /** Cents; null for the product's price. */
  priceCents?: number | null | undefined;
  image?: string | undefined;
  stock?: number | null | undefined;
}

/** A unit before and after a change; null where there was, or is, none. */
export type UnitChange = [before: UnitState | null, after: UnitState | null];

/** Difference of a part of a product, as readers see it. */
export interface PartChange {
  label: string;
  from: string;
  to: string;
}

export const NONE = "none";

/** Lists in which parts a unit differs: `Moss / 52 cm: Stock`, 4, 5. */
export function partsOf([was, is]: UnitChange): PartChange[] {
  if (was === null || is === null) return is ? [addedUnit(is)] : was ? [removedUnit(was)] : [];
  const choice = choiceText(is.values);
  return comparedParts(was, is).map(({ part, from, to }) => ({
    label: choice ? `${choice}: ${part}` : part,
    from: from || NONE,
    to: to || NONE,
  }));
}

/** Names a unit by its choice. */
const nameOf = ({ values }: UnitState) => choiceText(values) || "Without choices";
const removedUnit = (unit: UnitState) => ({ label: nameOf(unit), from: "there", to: NONE });
const addedUnit = (unit: UnitState) => ({
  label: nameOf(unit),
  from: NONE,
  to: `${grouped(unit.stock ?? 0)} in stock`,
});

/** Parts of a unit with their texts; the stock of an only unit is the product's. */
const PARTS: [part: string, key: keyof UnitState, text: (unit: UnitState) => string][] = [
  ["Choice", "values", ({ values }) => choiceText(values)],
  ["SKU", "sku", ({ sku }) => sku ?? ""],
  ["Barcode", "barcode", ({ barcode }) => barcode ?? ""],
  [
    "Own price",
    "priceCents",
    ({ priceCents }) => (typeof priceCents === "number" ? dollars(priceCents) : ""),
  ],
  [
    "Stock",
    "stock",
    ({ stock, values }) => (typeof stock === "number" && values.length > 0 ? grouped(stock) : ""),
  ],
  ["Picture", "image", ({ image }) => image ?? ""],
];

/** Compares the parts that both states have. @returns those that differ */
const comparedParts = (was: UnitState, is: UnitState) =>
  PARTS.filter(
    ([, key, text]) => was[key] !== undefined && is[key] !== undefined && text(was) !== text(is),
  ).map(([part, key, text]) => {
    const [from, to] = key === "image" ? pictures(text(was), text(is)) : [text(was), text(is)];
    return { part, key, from, to };
  });

/** Names pictures, whose keys mean nothing to a reader. */
const pictures = (was: string, is: string): [string, string] => [
  was && "one",
  is && (was ? "another" : "one"),
];

/** Picks the choice of a unit, and parts of it. */
const partsIn = ({ values, ...unit }: UnitState, keys: (keyof UnitState)[]): UnitState =>
  Object.assign({ values }, ...keys.map((key) => ({ [key]: key === "values" ? values : unit[key] })));

/** Returns what differs between two states of a unit; null for nothing. */
function differenceOf(was: UnitState | undefined, is: UnitState): UnitChange | null {
  if (!was) return [null, partsIn(is, ["stock"])];
  const keys = comparedParts(was, is).map(({ key }) => key);
  return keys.length > 0 ? [partsIn(was, keys), partsIn(is, keys)] : null;
}

/**
 * Compares units by their ids.
 *
 * @returns those that differ, by id, with the parts that do
 */
export function differingUnits(
  before: (UnitState & { id: string })[],
  after: (UnitState & { id: string })[],
): Record<string, UnitChange> {
  const old = new Map(before.map((unit) => [unit.id, unit]));
  const kept = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !kept.has(id));
  return Object.fromEntries([
    ...removed.map((unit): [string, UnitChange] => [unit.id, [partsIn(unit, []), null]]),
    ...after.flatMap((unit): [string, UnitChange][] => {
      const change = differenceOf(old.get(unit.id), unit);
      return change ? [[unit.id, change]] : [];
    }),
  ]);
}
