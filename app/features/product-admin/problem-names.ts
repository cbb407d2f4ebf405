import { PRODUCT } from "~/features/catalogue/product";
import { UNIT } from "~/features/catalogue/units";
import { type UnitField, type UnitsDraft, unitLabel } from "./units-draft";

interface Problem {
  path: string;
  message: string;
}

/** Columns of the units. */
export const UNIT_COLUMNS: Record<UnitField, string> = {
  price: "Price",
  stock: "Stock",
  sku: UNIT.fields.sku.label,
  barcode: UNIT.fields.barcode.label,
  image: "Picture",
};

/** Problems that the message above the form repeats. */
const MAX_NAMED = 5;

/**
 * Composes the message above a refused form, in which a choice has its name where the error has its place in a list.
 *
 * @param message of the error
 */
export function namedProblems(message: string, details: Problem[], draft: UnitsDraft): string {
  if (!message.startsWith("Validation error: ") || !details.some(({ path }) => path.includes(".")))
    return message;
  const named = details.map((problem) => `${nameOf(problem.path, draft)}: ${problem.message}`);
  const more = named.length - MAX_NAMED;
  return `Validation error: ${named.slice(0, MAX_NAMED).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

/** Names the field of an error: `Clay / S, Price` for `units.8.price`. A field that stands by itself keeps its name. */
function nameOf(path: string, draft: UnitsDraft): string {
  const [list = "", index = "", field = ""] = path.split(".");
  if (index === "") return path;
  const at = Number(index);
  if (list === "options") return draft.options[at]?.name.trim() || `Option ${at + 1}`;
  if (list !== "units") return PRODUCT.columns.find(({ name }) => name === list)?.field.label ?? path;
  const column = Object.hasOwn(UNIT_COLUMNS, field) ? UNIT_COLUMNS[field as UnitField] : "";
  if (!draft.isCounted && column) return column;
  const unit = draft.units[at];
  return [(unit && unitLabel(draft, unit)) || `Choice ${at + 1}`, column].filter(Boolean).join(", ");
}
