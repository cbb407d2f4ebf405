/** Grid lines above zero. */
const MAX_GRID_LINES = 5;
const STEPS = [1, 2, 2.5, 5, 10];
/** Smallest step, cents. */
const MIN_STEP = 100;

/**
 * Chooses round axis ticks from 0 up to at least the largest amount.
 *
 * @param amounts whole cents; null is ignored
 * @returns cents, ascending
 */
export function amountTicks(amounts: (number | null)[]): number[] {
  const largest = Math.max(MIN_STEP * MAX_GRID_LINES, ...amounts.map((amount) => amount ?? 0));
  const minStep = largest / MAX_GRID_LINES;
  const size = 10 ** Math.floor(Math.log10(minStep));
  const step = (STEPS.find((each) => each * size >= minStep) ?? 10) * size;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

const UNITS = [
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** Formats an amount for an axis: `$1.5k`. @param cents whole cents */
export function compactDollars(cents: number): string {
  const amount = cents / 100;
  const [size, letter] = UNITS.find(([unit]) => amount >= unit) ?? [1, ""];
  return `$${Number((amount / size).toFixed(2))}${letter}`;
}

/** Label of a slice; px from the pie's centre, y downwards. */
export interface PieLabel {
  /** Start of the connector, at the slice. */
  from: { x: number; y: number };
  /** Bend of the connector, beside the label. */
  to: { x: number; y: number };
  side: 1 | -1;
}

/** Height of a label with its gap, px. */
const LABEL_HEIGHT = 40;
/** Distances from the slice to the label, and to the connector's bend, px. */
const GAP = 8;
const BEND_DISTANCE = 18;

/**
 * Places a label beside each slice and spreads those of one side so that none overlap.
 *
 * @param percents shares that add up to 100, clockwise from the top
 * @param radius of the pie, px
 */
export function pieLabels(percents: number[], radius: number): PieLabel[] {
  let before = 0;
  const labels = percents.map((percent): PieLabel => {
    const angle = ((before + percent / 2) / 100) * 2 * Math.PI;
    before += percent;
    const at = (distance: number) => ({ x: Math.sin(angle) * distance, y: -Math.cos(angle) * distance });
    const side = Math.sin(angle) < 0 ? -1 : 1;
    return { from: at(radius + GAP / 2), to: at(radius + BEND_DISTANCE), side };
  });
  for (const side of [1, -1]) spread(labels.filter((label) => label.side === side));
  return labels;
}

/** Moves overlapping labels of one side apart around their mean height. */
function spread(labels: PieLabel[]): void {
  const inOrder = labels.toSorted((a, b) => a.to.y - b.to.y);
  const meanHeight = (values: PieLabel[]) =>
    values.reduce((sum, { to }) => sum + to.y, 0) / (values.length || 1);
  const target = meanHeight(inOrder);
  for (const [i, label] of inOrder.entries()) {
    const above = inOrder[i - 1];
    if (above) label.to.y = Math.max(label.to.y, above.to.y + LABEL_HEIGHT);
  }
  const shift = meanHeight(inOrder) - target;
  for (const label of inOrder) label.to.y -= shift;
}
