import type { ProductOption } from "~/db/schema";
import { decimalDollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { choiceText, MAX_UNITS } from "~/domain/unit-name";
import { coloursOf, combinations, MAX_OPTIONS, type ProductUnit } from "~/features/catalogue/units";
import type { Line } from "~/http/form-fields";
import { splitList } from "~/records/cells";
import { type Removed, removing, restored } from "./unit-removals";

/** Option as the form holds it. */
export interface DraftOption {
  name: string;
  values: string[];
  /** Text of values that are typed and not added yet. */
  add: string;
}

/** Texts of a unit's fields. */
export const UNIT_FIELDS = ["price", "stock", "sku", "barcode", "image"] as const;
export type UnitField = (typeof UNIT_FIELDS)[number];

/** Unit as the form holds it. */
export interface DraftUnit extends Record<UnitField, string> {
  /** "" for a new one. */
  id: string;
  /** Position of its value in each option; -1 in one without values. */
  at: number[];
}

/** Values that a fill replaced. */
interface Fill {
  field: UnitField;
  text: string;
  before: Record<string, string>;
}

/** Options and units of the product form, saved or not. */
export interface UnitsDraft {
  isCounted: boolean;
  options: DraftOption[];
  units: DraftUnit[];
  /** The last fill, which can be taken back. */
  fill: Fill | null;
  /** The last removal, which can be taken back until something else is changed. */
  removed: Removed | null;
  problem: string | null;
}

/** Act of a button of the units: its name, and numbers or a field. */
export type UnitsAct = string;

const EMPTY_UNIT = { id: "", price: "", stock: "", sku: "", barcode: "", image: "" };
const NO_UNITS: UnitsDraft = {
  isCounted: false,
  options: [],
  units: [],
  fill: null,
  removed: null,
  problem: null,
};

/** Creates the draft of a product; null for a new one. */
export function draftOf(product: { options: ProductOption[]; units: ProductUnit[] } | null): UnitsDraft {
  if (!product || product.options.length === 0) return NO_UNITS;
  const { options, units } = product;
  return {
    ...NO_UNITS,
    isCounted: true,
    options: options.map((option) => ({ ...option, add: "" })),
    units: units.map(({ id, values, priceCents, stock, sku, barcode, image }) => ({
      ...{ id, sku, barcode, image },
      at: values.map((value, i) => options[i]?.values.indexOf(value) ?? -1),
      price: priceCents === null ? "" : decimalDollars(priceCents),
      stock: String(stock),
    })),
  };
}

/** Lists the values of a unit. */
export const valuesOf = ({ options }: Pick<UnitsDraft, "options">, { at }: Pick<DraftUnit, "at">): string[] =>
  options.map(({ values }, i) => values[at[i] ?? -1] ?? "");

export const unitKey = ({ id, at }: DraftUnit): string => id || at.join(".");

/** Position of the option by which the units are grouped: that of colours, else the first. */
export function groupingOption({ options }: Pick<UnitsDraft, "options">): number {
  const colours = options.findIndex((option) => coloursOf([option]).length > 0);
  return Math.max(colours, 0);
}

/** Groups the positions of units by a value; one group where only one option has values. */
export function groupedUnits(draft: UnitsDraft): { value: number; units: number[] }[] {
  const { options, units } = draft;
  const all = units.map((_, i) => i);
  if (options.filter(({ values }) => values.length > 0).length < 2) return [{ value: -1, units: all }];
  const option = groupingOption(draft);
  return (options[option]?.values ?? [])
    .map((_, value) => ({ value, units: all.filter((i) => units[i]?.at[option] === value) }))
    .filter((group) => group.units.length > 0);
}

/** Choices of a product that is counted as a whole. */
export interface FreeChoices {
  /** Name of the choice; "" for Colour. */
  label: string;
  values: string[];
}

/** Applies what a button does. @param free choices of a product that is counted as a whole */
export function applyAct(draft: UnitsDraft, act: UnitsAct, free: FreeChoices): UnitsDraft {
  const [name = "", a = "", b = ""] = act.split(":");
  const [first, second] = [Number(a), Number(b)];
  const cleared = { ...draft, problem: null, removed: null };
  switch (name) {
    case "count":
      // Turned off and on again, nothing is lost.
      return draft.units.length > 0 ? { ...cleared, isCounted: true } : counted(cleared, free);
    case "uncount":
      return { ...cleared, isCounted: false, fill: null };
    case "option":
      return draft.options.length >= MAX_OPTIONS
        ? draft
        : withOptions(cleared, [...draft.options, { name: "", values: [], add: "" }]);
    case "add":
      return withAdded(cleared, first);
    case "fill":
      return filled(cleared, a as UnitField, second);
    case "fill-all":
      return filled(cleared, a as UnitField, null);
    case "undo":
      return undone(cleared);
    case "restore":
      return restored(cleared, draft.removed);
    case "complete":
      return withMissing(cleared);
    default:
      return withoutPart(draft, cleared, name, first, second);
  }
}

/** Removes an option, a value or a unit, and keeps what goes with it. */
function withoutPart(
  draft: UnitsDraft,
  cleared: UnitsDraft,
  name: string,
  first: number,
  second: number,
): UnitsDraft {
  const { options, units } = draft;
  switch (name) {
    case "drop-option":
      return removing(draft, options[first]?.name ?? "", withoutOption(cleared, first));
    case "drop":
      return removing(draft, options[first]?.values[second] ?? "", withoutValue(cleared, first, second));
    case "remove": {
      const left = { ...cleared, fill: null, units: units.filter((_, i) => i !== first) };
      return removing(draft, choiceText(valuesOf(draft, units[first] ?? { at: [] })), left);
    }
    default:
      return draft;
  }
}

function counted(draft: UnitsDraft, { label, values }: FreeChoices): UnitsDraft {
  const empty = { ...draft, isCounted: true, options: [], units: [] };
  return withValues(
    withOptions(empty, [{ name: label || "Colour", values: [], add: "" }]),
    0,
    values.filter((value, i) => values.findIndex((other) => isSame(other, value)) === i),
  );
}

const isSame = (a: string, b: string) =>
  a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();

function withOptions(draft: UnitsDraft, options: DraftOption[]): UnitsDraft {
  const units = draft.units.map((unit) => ({ ...unit, at: options.map((_, i) => unit.at[i] ?? -1) }));
  return { ...draft, options, units, fill: null };
}

/** Adds the values that are typed for an option. */
function withAdded(draft: UnitsDraft, at: number): UnitsDraft {
  const option = draft.options[at];
  const typed = splitList(option?.add ?? "");
  const fresh = typed.filter(
    (value, i) =>
      !option?.values.some((known) => isSame(known, value)) &&
      typed.findIndex((other) => isSame(other, value)) === i,
  );
  return withValues(draft, at, fresh);
}

/** Adds values to an option, with the units that they make together with the values of the others. */
function withValues(draft: UnitsDraft, at: number, fresh: string[]): UnitsDraft {
  const option = draft.options[at];
  if (!option) return draft;
  const options = draft.options.with(at, { ...option, values: [...option.values, ...fresh], add: "" });
  const from = option.values.length;
  // The units that there are get the first value of an option that had none.
  const known = draft.units.map((unit) =>
    from === 0 && fresh.length > 0 ? { ...unit, at: unit.at.with(at, 0) } : unit,
  );
  const isFirst = known.length === 0;
  const created = places(options).filter((place) => isFirst || (place[at] ?? -1) >= Math.max(from, 1));
  return withUnits(draft, options, [...known, ...created.map((place) => ({ ...EMPTY_UNIT, at: place }))]);
}

/** Every combination of positions in the options that have values. */
const places = (options: DraftOption[]): number[][] =>
  options.every(({ values }) => values.length === 0)
    ? []
    : combinations(
        options.map(({ name, values }) => ({
          name,
          values: values.length > 0 ? values.map((_, i) => String(i)) : ["-1"],
        })),
      ).map((place) => place.map(Number));

/** Puts the units into the order of their values, each once; refuses more than a product may have. */
function withUnits(draft: UnitsDraft, options: DraftOption[], units: DraftUnit[]): UnitsDraft {
  const byPlace = new Map(units.map((unit) => [unit.at.join("."), unit]));
  for (const unit of units.toReversed()) byPlace.set(unit.at.join("."), unit);
  if (byPlace.size > MAX_UNITS)
    return { ...draft, problem: `${byPlace.size} choices are more than ${MAX_UNITS}. Nothing is added.` };
  const sorted = [...byPlace.values()].sort(
    (a, b) => a.at.map((place, i) => place - (b.at[i] ?? 0)).find((difference) => difference !== 0) ?? 0,
  );
  return { ...draft, options, units: sorted, fill: null };
}

/** Adds the units that have been removed. */
function withMissing(draft: UnitsDraft): UnitsDraft {
  const created = places(draft.options).map((at) => ({ ...EMPTY_UNIT, at }));
  return withUnits(draft, draft.options, [...draft.units, ...created]);
}

/** Number of combinations without a unit. */
export const missingUnits = ({ options, units }: UnitsDraft): number => places(options).length - units.length;

/** Removes an option; the stocks of units that differ in it alone are added up. */
function withoutOption(draft: UnitsDraft, at: number): UnitsDraft {
  const merged = new Map<string, DraftUnit>();
  for (const unit of draft.units) {
    const rest = { ...unit, at: unit.at.toSpliced(at, 1) };
    const key = rest.at.join(".");
    const same = merged.get(key);
    const stock = String(Number(same?.stock ?? 0) + Number(rest.stock));
    merged.set(key, same ? { ...same, stock } : rest);
  }
  const options = draft.options.toSpliced(at, 1);
  const isLast = options.every(({ values }) => values.length === 0);
  return { ...draft, options, units: isLast ? [] : [...merged.values()], fill: null };
}

function withoutValue(draft: UnitsDraft, at: number, value: number): UnitsDraft {
  const option = draft.options[at];
  if (!option) return draft;
  const options = draft.options.with(at, { ...option, values: option.values.toSpliced(value, 1) });
  const left = draft.units
    .filter((unit) => unit.at[at] !== value)
    .map((unit) => ({
      ...unit,
      at: unit.at.map((place, i) => (i === at && place > value ? place - 1 : place)),
    }));
  return { ...draft, options, units: left, fill: null };
}

/**
 * Copies a field of a unit into those below it in its group.
 *
 * @param from position of the unit; null for the first one of all, into all
 */
function filled(draft: UnitsDraft, field: UnitField, from: number | null): UnitsDraft {
  if (!UNIT_FIELDS.includes(field)) return draft;
  const groups = groupedUnits(draft).map(({ units }) => units);
  const rows = from === null ? groups.flat() : (groups.find((units) => units.includes(from)) ?? []);
  const [first, ...below] = from === null ? rows : rows.slice(rows.indexOf(from));
  const text = draft.units[first ?? -1]?.[field];
  if (text === undefined) return draft;
  const before: Record<string, string> = {};
  const units = draft.units.map((unit, i) => {
    if (!below.includes(i) || unit[field] === text) return unit;
    before[i] = unit[field];
    return { ...unit, [field]: text };
  });
  return { ...draft, units, fill: { field, text, before } };
}

function undone(draft: UnitsDraft): UnitsDraft {
  const { fill } = draft;
  if (!fill) return draft;
  const units = draft.units.map((unit, i) => ({ ...unit, [fill.field]: fill.before[i] ?? unit[fill.field] }));
  return { ...draft, units, fill: null };
}

/** Adds the values that are typed and not added yet. */
export const withTypedValues = (draft: UnitsDraft): UnitsDraft =>
  draft.options.reduce((all, { add }, i) => (add.trim() === "" ? all : withAdded(all, i)), draft);

/** Replaces the stocks that a form opened with by those of an edit conflict, by the id of the unit. */
export const withStocks = (draft: UnitsDraft, stocks: Record<string, unknown>): UnitsDraft => ({
  ...draft,
  units: draft.units.map((unit) => ({ ...unit, stock: String(stocks[unit.id] ?? unit.stock) })),
});

/** Sums at the foot of the units. @param priceCents of the product */
export function totalsOf({ units }: UnitsDraft, priceCents: number | null) {
  const prices = units
    .map(({ price }) => (price.trim() === "" ? priceCents : (parseAmount(price)?.cents ?? null)))
    .filter((cents) => cents !== null);
  const stock = units.reduce(
    (sum, unit) => sum + (/^\d{1,7}$/.test(unit.stock.trim()) ? Number(unit.stock) : 0),
    0,
  );
  return { stock, min: Math.min(...prices), max: Math.max(...prices), hasPrice: prices.length > 0 };
}

/** Names a unit for screen readers. */
export const unitLabel = (draft: UnitsDraft, unit: DraftUnit): string =>
  choiceText(valuesOf(draft, unit).filter((value) => value !== ""));

/** Fields of the units in a form without a script. */
export const OPTION_INPUTS = ["name", "values", "add"] as const;
export const UNIT_INPUTS = ["id", "at", ...UNIT_FIELDS] as const;

interface DraftEntries {
  counted: string | undefined;
  fill: string | undefined;
  options: Line[];
  units: Line[];
}

/** Reads the draft of a form that was sent without a script. */
export function readDraft({ counted: isCounted, fill, options, units }: DraftEntries): UnitsDraft {
  const text = (line: Line, name: string) => line[name]?.[0] ?? "";
  return {
    ...NO_UNITS,
    isCounted: isCounted === "1",
    fill: readFill(fill),
    options: options.map((line) => ({
      name: text(line, "name"),
      values: line.values ?? [],
      add: text(line, "add"),
    })),
    units: units.map((line) => ({
      id: text(line, "id"),
      at: text(line, "at").split(".").map(Number),
      ...(Object.fromEntries(UNIT_FIELDS.map((field) => [field, text(line, field)])) as Record<
        UnitField,
        string
      >),
    })),
  };
}

function readFill(json: string | undefined): Fill | null {
  try {
    const fill = JSON.parse(json ?? "null") as Fill | null;
    return fill && typeof fill.before === "object" && UNIT_FIELDS.includes(fill.field) ? fill : null;
  } catch {
    return null;
  }
}
