import type { DraftUnit, UnitsDraft } from "./units-draft";

/** Options and units before something of them was removed. */
export interface Removed extends Pick<UnitsDraft, "options" | "units"> {
  /** `Moss: 4 choices, 8 in stock`. */
  text: string;
}

/** Keeps what was removed, so that it can be taken back, where a unit went with it. */
export function removing(before: UnitsDraft, name: string, after: UnitsDraft): UnitsDraft {
  const { options, units } = before;
  const lost = units.length - after.units.length;
  if (lost <= 0) return after;
  const stockOf = (all: DraftUnit[]) => all.reduce((sum, { stock }) => sum + (Number(stock) || 0), 0);
  const pieces = stockOf(units) - stockOf(after.units);
  const stock = pieces > 0 ? `, ${pieces} in stock` : "";
  const text = `${name || "An option"}: ${lost} ${lost === 1 ? "choice" : "choices"}${stock}`;
  return { ...after, removed: { text, options, units } };
}

/** Takes the last removal back. */
export const restored = (draft: UnitsDraft, removed: Removed | null): UnitsDraft =>
  removed ? { ...draft, options: removed.options, units: removed.units, fill: null } : draft;
