/** Where the words beside a pie stand. Pure; pixels from the pie's centre, y downwards, angles clockwise from the top. */

export interface PieLabel {
  /** Where the line leaves the slice. */
  from: { x: number; y: number };
  /** Where it bends, beside the words. */
  to: { x: number; y: number };
  side: 1 | -1;
}

/** Height of two lines of words and the gap below them. */
const ROOM = 40;
const GAP = 8;
const REACH = 18;

/**
 * A place beside each slice, those of one side pushed apart so that no words lie upon others.
 *
 * @param percents the slices' shares, adding up to 100, in drawing order from the top
 * @param radius of the pie
 */
export function pieLabels(percents: number[], radius: number): PieLabel[] {
  let before = 0;
  const labels = percents.map((percent): PieLabel => {
    const angle = ((before + percent / 2) / 100) * 2 * Math.PI;
    before += percent;
    const at = (distance: number) => ({ x: Math.sin(angle) * distance, y: -Math.cos(angle) * distance });
    const side = Math.sin(angle) < 0 ? -1 : 1;
    return { from: at(radius + GAP / 2), to: at(radius + REACH), side };
  });
  for (const side of [1, -1]) spread(labels.filter((label) => label.side === side));
  return labels;
}

/** Pushes labels of one side apart, keeping their order and, as near as may be, their middle. */
function spread(labels: PieLabel[]): void {
  const inOrder = labels.toSorted((a, b) => a.to.y - b.to.y);
  const middle = (values: PieLabel[]) => values.reduce((sum, { to }) => sum + to.y, 0) / (values.length || 1);
  const wanted = middle(inOrder);
  for (const [i, label] of inOrder.entries()) {
    const above = inOrder[i - 1];
    if (above) label.to.y = Math.max(label.to.y, above.to.y + ROOM);
  }
  const pushed = middle(inOrder) - wanted;
  for (const label of inOrder) label.to.y -= pushed;
}
