import type { OfferedOptions } from "./options";
import type { OfferedUnit } from "./unit-choice";

/**
 * Lists the units that can be bought, the nearest to a choice first: those that differ in the fewest options, then those whose
 * values stand next to the chosen ones.
 */
export function nearestUnits(
  units: OfferedUnit[],
  chosen: string[],
  options: NonNullable<OfferedOptions["options"]>,
): OfferedUnit[] {
  const steps = ({ unit }: OfferedUnit) =>
    options.map(({ values }, i) => {
      const place = (value: string | undefined) => values.findIndex(({ name }) => name === value);
      return Math.abs(place(unit.values[i]) - place(chosen[i]));
    });
  const distance = (unit: OfferedUnit) =>
    steps(unit).reduce((sum, step) => sum + (step > 0 ? options.length * MAX_STEP + step : 0), 0);
  return units.filter(({ unit }) => unit.stock > 0).sort((a, b) => distance(a) - distance(b));
}

/** Values of an option, at most. */
const MAX_STEP = 100;
