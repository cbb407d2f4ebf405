import type { CartEntry } from "~/session/cookies.server";

/** Key of a cart line; without options, the first line of the product. */
export type LineKey = Pick<CartEntry, "id"> & Partial<Pick<CartEntry, "color" | "engraving">>;

/** Appends a line, or adds its quantity to the one with the same options, or to the one that `find` returns. */
export function addLine<Entry extends CartEntry>(
  lines: Entry[],
  line: Entry,
  find: (lines: Entry[], line: Entry) => Entry | undefined = findLine,
): void {
  const same = find(lines, line);
  if (same) same.quantity += line.quantity;
  else lines.push(line);
}

export function findLine<Entry extends CartEntry>(
  lines: Entry[],
  { id, color, engraving }: LineKey,
): Entry | undefined {
  return lines.find(
    (line) =>
      line.id === id &&
      (color === undefined || line.color === color) &&
      (engraving === undefined || line.engraving === engraving),
  );
}

/** Finds the entry of the same unit, whose words may be those of another time. */
export const findSameUnit = (
  entries: CartEntry[],
  { id, engraving, color, unit }: CartEntry,
): CartEntry | undefined =>
  entries.find(
    (other) =>
      other.id === id &&
      other.engraving === engraving &&
      (other.unit && unit ? other.unit === unit : other.color === color),
  );
