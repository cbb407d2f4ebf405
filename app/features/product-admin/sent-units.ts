import type { ProductOption } from "~/db/schema";
import { decimalDollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { valuesByName } from "~/features/catalogue/units";
import { type DraftUnit, UNIT_FIELDS, type UnitField, type UnitsDraft, valuesOf } from "./units-draft";

/** Unit as a request names it. */
export interface SentUnit extends Partial<Record<UnitField, string | null>> {
  id?: string;
  options: Record<string, string>;
  stockWas?: string;
}

/** Options and units as a request names them. */
export interface SentUnits {
  options?: ProductOption[];
  units?: SentUnit[];
}

/**
 * Returns what a request says of the units: nothing while they are as they were when the form opened, and of each unit what has
 * changed, so that edits of others stay.
 *
 * @param opened draft that the form opened with
 */
export function sentUnits(draft: UnitsDraft, opened: UnitsDraft): SentUnits {
  if (!draft.isCounted) return opened.isCounted ? { options: [] } : {};
  if (JSON.stringify(textsOf(draft)) === JSON.stringify(textsOf(opened))) return {};
  const options = draft.options.map(({ name, values }) => ({ name, values }));
  const before = new Map(opened.units.map((unit) => [unit.id, unit]));
  const units = draft.units.map((unit): SentUnit => {
    const was = before.get(unit.id);
    const changed = UNIT_FIELDS.filter((field) => unit[field] !== was?.[field]);
    return {
      ...(was && { id: unit.id }),
      options: valuesByName(options, valuesOf(draft, unit)),
      ...Object.fromEntries(changed.map((field) => [field, sentText(unit, field)])),
      ...(was && changed.includes("stock") && { stockWas: was.stock }),
    };
  });
  return { options, units };
}

const textsOf = (draft: UnitsDraft) => [
  draft.isCounted,
  draft.options.map(({ name, values }) => [name, values]),
  draft.units.map((unit) => [unit.id, valuesOf(draft, unit), UNIT_FIELDS.map((field) => unit[field])]),
];

function sentText(unit: DraftUnit, field: UnitField): string | null {
  const text = unit[field].trim();
  if (field === "stock") return text || "0";
  return field === "price" && text === "" ? null : text;
}

/** Writes typed prices as the API takes them. */
export const plainPrices = (units: SentUnit[]): SentUnit[] =>
  units.map((unit) => {
    const price = unit.price ? parseAmount(unit.price) : null;
    return price ? { ...unit, price: decimalDollars(price.cents) } : unit;
  });
