import { decimalDollars } from "~/domain/money";
import { MAX_LINES } from "../document";
import type { CustomerEdit } from "./customer-edits";
import { customLine, type DraftLine, pieces, priceCents, productLine, type SaleProduct } from "./draft";

/** Change of the lines by a button of the form. */
export type LineEdit =
  | { type: "none" }
  | { type: "find" }
  | { type: "custom" }
  | { type: "add"; unitId: string }
  | { type: "choose"; index: number; unitId: string }
  | { type: "remove"; index: number }
  | { type: "detach"; index: number }
  | { type: "quantity"; index: number; quantity: number }
  | CustomerEdit;

/** Writes an edit as the value of its button. */
export function editValue(edit: LineEdit): string {
  if (edit.type === "add") return `add.${edit.unitId}`;
  if (edit.type === "pickCustomer") return `pickCustomer.${edit.id}`;
  if (edit.type === "choose") return `choose.${edit.index}.${edit.unitId}`;
  if (edit.type === "remove" || edit.type === "detach") return `${edit.type}.${edit.index}`;
  if (edit.type === "quantity") return `quantity.${edit.index}.${edit.quantity}`;
  return edit.type;
}

/** Parses the value of a button; an unknown one changes nothing. */
export function parseEdit(text: string): LineEdit {
  const [type = "", first = "", second = ""] = text.split(".");
  if (type === "find" || type === "custom") return { type };
  if (type === "findCustomer" || type === "addCustomer" || type === "noCustomer") return { type };
  if (type === "pickCustomer") return { type, id: text.slice("pickCustomer.".length) };
  if (type === "add" && first) return { type, unitId: text.slice("add.".length) };
  if (type === "choose" && second)
    return { type, index: Number(first), unitId: text.slice(`choose.${first}.`.length) };
  if (type === "remove" || type === "detach") return { type, index: Number(first) };
  if (type === "quantity") return { type, index: Number(first), quantity: Number(second) };
  return { type: "none" };
}

/**
 * Applies an edit to lines.
 *
 * @param query text of the search, which becomes the description of a custom line
 * @param product of an edit that adds or chooses one; undefined when it was deleted
 * @param products units whose prices the lines have
 */
export function applyEdit<L extends DraftLine>(
  lines: L[],
  edit: LineEdit,
  query: string,
  product: SaleProduct | undefined,
  products: ReadonlyMap<string, SaleProduct>,
): (L | DraftLine)[] {
  if (edit.type === "remove") return lines.filter((_, i) => i !== edit.index);
  // The line of a deleted product becomes a custom line.
  if (edit.type === "detach")
    return lines.map((line, i) => (i === edit.index ? { ...line, unitId: "" } : line));
  if (edit.type === "choose")
    return lines.map((line, i) => (i === edit.index && product ? ofUnit(line, product, products) : line));
  if (edit.type === "quantity")
    return lines.map((line, i) => (i === edit.index ? { ...line, quantity: String(edit.quantity) } : line));
  const same = edit.type === "add" ? lines.findIndex((line) => line.unitId === edit.unitId) : -1;
  if (same >= 0 && product && lines[same]?.description === product.name) return oneMore(lines, same);
  if (lines.length >= MAX_LINES) return lines;
  if (edit.type === "custom") return [...lines, customLine(query.trim())];
  return edit.type === "add" && product ? [...lines, productLine(product)] : lines;
}

/** Changes a line to another unit, whose price it takes unless another one was agreed. */
function ofUnit<L extends DraftLine>(
  line: L,
  unit: SaleProduct,
  products: ReadonlyMap<string, SaleProduct>,
): L {
  const isTagPrice = priceCents(line) === products.get(line.unitId)?.priceCents;
  return {
    ...line,
    ...{ unitId: unit.id, description: unit.name },
    ...(isTagPrice && { price: decimalDollars(unit.priceCents) }),
  };
}

/** Raises the quantity of a line by 1; one that can't be read becomes 1. */
const oneMore = <L extends DraftLine>(lines: L[], index: number): L[] =>
  lines.map((line, i) => (i === index ? { ...line, quantity: String((pieces(line) ?? 0) + 1) } : line));
