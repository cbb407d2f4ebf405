import { MAX_LINES } from "../document";
import { customLine, type DraftLine, pieces, productLine, type SaleProduct } from "./draft";

/** Change of the lines by a button of the form. */
export type LineEdit =
  | { type: "none" }
  | { type: "find" }
  | { type: "custom" }
  | { type: "add"; unitId: string }
  | { type: "remove"; index: number }
  | { type: "detach"; index: number }
  | { type: "quantity"; index: number; quantity: number };

/** Writes an edit as the value of its button. */
export function editValue(edit: LineEdit): string {
  if (edit.type === "add") return `add.${edit.unitId}`;
  if (edit.type === "remove" || edit.type === "detach") return `${edit.type}.${edit.index}`;
  if (edit.type === "quantity") return `quantity.${edit.index}.${edit.quantity}`;
  return edit.type;
}

/** Parses the value of a button; an unknown one changes nothing. */
export function parseEdit(text: string): LineEdit {
  const [type = "", first = "", second = ""] = text.split(".");
  if (type === "find" || type === "custom") return { type };
  if (type === "add" && first) return { type, unitId: text.slice("add.".length) };
  if (type === "remove" || type === "detach") return { type, index: Number(first) };
  if (type === "quantity") return { type, index: Number(first), quantity: Number(second) };
  return { type: "none" };
}

/**
 * Applies an edit to lines.
 *
 * @param query text of the search, which becomes the description of a custom line
 * @param product of an edit that adds one; undefined when it was deleted
 */
export function applyEdit<L extends DraftLine>(
  lines: L[],
  edit: LineEdit,
  query: string,
  product: SaleProduct | undefined,
): (L | DraftLine)[] {
  if (edit.type === "remove") return lines.filter((_, i) => i !== edit.index);
  // The line of a deleted product becomes a custom line.
  if (edit.type === "detach")
    return lines.map((line, i) => (i === edit.index ? { ...line, unitId: "" } : line));
  if (edit.type === "quantity")
    return lines.map((line, i) => (i === edit.index ? { ...line, quantity: String(edit.quantity) } : line));
  const same = edit.type === "add" ? lines.findIndex((line) => line.unitId === edit.unitId) : -1;
  if (same >= 0 && product && lines[same]?.description === product.name) return oneMore(lines, same);
  if (lines.length >= MAX_LINES) return lines;
  if (edit.type === "custom") return [...lines, customLine(query.trim())];
  return edit.type === "add" && product ? [...lines, productLine(product)] : lines;
}

/** Raises the quantity of a line by 1; one that can't be read becomes 1. */
const oneMore = <L extends DraftLine>(lines: L[], index: number): L[] =>
  lines.map((line, i) => (i === index ? { ...line, quantity: String((pieces(line) ?? 0) + 1) } : line));
