import { grouped } from "~/domain/grouped";
import { NONE, type PartChange, partsOf, type UnitState } from "~/domain/unit-changes";

type KeptUnit = UnitState & { id: string };

/** Changes of units that are listed of one product. */
const MAX_LISTED = 12;

/** Lists in which units, codes, own prices and stocks two states of a product differ. */
export function choicesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): PartChange[] {
  const [was, is] = [unitsOf(before), unitsOf(after)];
  const known = new Map(was.map((unit) => [unit.id, unit]));
  const kept = new Set(is.map(({ id }) => id));
  const changes = [
    ...was.filter(({ id }) => !kept.has(id)).flatMap((unit) => partsOf([unit, null])),
    ...is.flatMap((unit) => partsOf([known.get(unit.id) ?? null, unit])),
  ];
  const more = changes.length - MAX_LISTED;
  const listed = changes.slice(0, MAX_LISTED);
  return more > 0 ? [...listed, { label: "Further changes", from: NONE, to: grouped(more) }] : listed;
}

const read = <T>(value: unknown, otherwise: T): T =>
  typeof value === "string" ? JSON.parse(value) : otherwise;

/** Reads the units of a kept product with their stocks, where it keeps them. */
function unitsOf({ choices, stocks }: Record<string, unknown>): KeptUnit[] {
  const { units } = read<{ units: KeptUnit[] }>(choices, { units: [] });
  const counts = read<Record<string, number>>(stocks, {});
  return units.map((unit) => ({ ...unit, stock: counts[unit.id] ?? 0 }));
}
