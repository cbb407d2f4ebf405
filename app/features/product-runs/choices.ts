import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { choiceText } from "~/domain/unit-name";

/** Difference of a part of a product, as readers see it. */
export interface PartChange {
  label: string;
  from: string;
  to: string;
}

interface KeptUnit {
  id: string;
  values: string[];
  sku: string;
  barcode: string;
  /** Cents; null for the product's price. */
  priceCents: number | null;
}

/** Changes of units that are listed of one product. */
const MAX_LISTED = 12;
const NONE = "none";

/** Lists in which units, codes, own prices and stocks two states of a product differ. */
export function choicesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): PartChange[] {
  const [was, is] = [unitsOf(before), unitsOf(after)];
  const [stocksBefore, stocksAfter] = [stocksOf(before), stocksOf(after)];
  const known = new Map(was.map((unit) => [unit.id, unit]));
  const kept = new Set(is.map(({ id }) => id));
  const changes = [
    ...was
      .filter(({ id }) => !kept.has(id))
      .map((unit) => ({ label: nameOf(unit), from: "there", to: NONE })),
    ...is.flatMap((unit) => {
      const old = known.get(unit.id);
      if (!old)
        return [{ label: nameOf(unit), from: NONE, to: `${grouped(stocksAfter[unit.id] ?? 0)} in stock` }];
      return unitChanges(old, unit, [stocksBefore[unit.id], stocksAfter[unit.id]]);
    }),
  ];
  const more = changes.length - MAX_LISTED;
  const listed = changes.slice(0, MAX_LISTED);
  return more > 0 ? [...listed, { label: "Further changes", from: NONE, to: grouped(more) }] : listed;
}

const read = <T>(value: unknown, otherwise: T): T =>
  typeof value === "string" ? JSON.parse(value) : otherwise;
const unitsOf = ({ choices }: Record<string, unknown>) =>
  read<{ units: KeptUnit[] }>(choices, { units: [] }).units;
const stocksOf = ({ stocks }: Record<string, unknown>) => read<Record<string, number>>(stocks, {});
const nameOf = ({ values }: KeptUnit) => choiceText(values) || "Without choices";

function unitChanges(was: KeptUnit, is: KeptUnit, [from, to]: (number | undefined)[]): PartChange[] {
  const price = ({ priceCents }: KeptUnit) => (priceCents === null ? "" : dollars(priceCents));
  const pairs: [string, string, string][] = [
    ["Choice", choiceText(was.values), choiceText(is.values)],
    ["SKU", was.sku, is.sku],
    ["Barcode", was.barcode, is.barcode],
    ["Own price", price(was), price(is)],
    ["Stock", grouped(from ?? 0), grouped(to ?? 0)],
  ];
  const choice = choiceText(is.values);
  return pairs.flatMap(([part, from, to]) =>
    from === to ? [] : [{ label: choice ? `${choice}: ${part}` : part, from: from || NONE, to: to || NONE }],
  );
}
