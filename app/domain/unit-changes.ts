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
  return comparedParts(was, is)
    .filter(([, from, to]) => from !== to)
    .map(([part, from, to]) => ({
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

/** Compares the parts that both states have. */
const comparedParts = (was: UnitState, is: UnitState) =>
  PARTS.filter(([, key]) => was[key] !== undefined && is[key] !== undefined).map(
    ([part, key, text]): [part: string, from: string, to: string] => [
      part,
      ...(key === "image" ? pictures(text(was), text(is)) : ([text(was), text(is)] as const)),
    ],
  );

/** Names pictures, whose keys mean nothing to a reader. */
const pictures = (was: string, is: string): [string, string] => [
  was && "one",
  is && (was === "" || was === is ? "one" : "another"),
];

const stateOf = ({ values, sku, barcode, priceCents, image, stock }: UnitState): UnitState => ({
  ...{ values, sku, barcode, priceCents, image, stock },
});

/**
 * Compares units by their ids.
 *
 * @returns those that differ, by id
 */
export function differingUnits(
  before: (UnitState & { id: string })[],
  after: (UnitState & { id: string })[],
): Record<string, UnitChange> {
  const old = new Map(before.map((unit) => [unit.id, stateOf(unit)]));
  const kept = new Set(after.map(({ id }) => id));
  const changes = [
    ...before
      .filter(({ id }) => !kept.has(id))
      .map((unit) => [unit.id, [stateOf(unit), null]] as [string, UnitChange]),
    ...after.map((unit) => [unit.id, [old.get(unit.id) ?? null, stateOf(unit)]] as [string, UnitChange]),
  ];
  return Object.fromEntries(changes.filter(([, change]) => partsOf(change).length > 0));
}
