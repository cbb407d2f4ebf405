import { formatEnd } from "~/domain/hold-end";
import { AppError, type ErrorDetail } from "~/http/errors";
import type { StaffContext } from "~/http/operation.server";
import {
  findChoices,
  findHeld,
  findSoldProducts,
  type ProductChoices,
  type SoldProduct,
} from "./queries/sale.server";
import type { SaleLine } from "./sale-schema";
import { unitIdOf } from "./schema";

/** Creates the error of lines that can't be sold, whose details the API sends. */
export function lineConflict(details: ErrorDetail[]): AppError {
  const messages = details.map(({ message }) => message);
  const joined = messages.map((message) => message.replace(/\.$/, "")).join("; ");
  return new AppError("conflict", messages.length === 1 ? messages.join() : joined, {
    details,
    isPublic: true,
  });
}

type Line = Pick<SaleLine, "quantity" | "description" | "productId" | "unitId">;

/** Lines of a sale or hold. */
export interface LinesRequest {
  lines: Line[];
  /** Hold that the request itself ends. */
  holdId?: string | undefined;
  /** Pieces of units that the request itself takes back. */
  returned?: ReadonlyMap<string, number> | undefined;
}

/** Reads the units of lines. */
export function productsOf({ db }: StaffContext, { lines }: LinesRequest): Promise<Map<string, SoldProduct>> {
  return findSoldProducts(db, [...new Set(lines.flatMap((line) => unitIdOf(line) || []))]);
}

/** Lists the lines of a sale whose products were deleted, leave a choice open, or do not suffice. */
export async function lineProblems(context: StaffContext, request: LinesRequest): Promise<ErrorDetail[]> {
  const products = await productsOf(context, request);
  const missing = missingUnits(request.lines, products);
  return [
    ...(await explainMissing(context, missing, products)),
    ...(await shortages(context, request, products)),
  ];
}

/** Line whose unit is not sold, with its place. */
interface MissingUnit extends Line {
  index: number;
}

/** Lists the lines that name no unit: deleted, of another product than the line says, or a product with a choice. */
export const missingUnits = (lines: Line[], products: Map<string, SoldProduct>): MissingUnit[] =>
  lines.flatMap((line, index) => {
    const id = unitIdOf(line);
    const unit = products.get(id ?? "");
    const isOfAnother =
      line.unitId !== undefined && line.productId !== undefined && unit?.productId !== line.productId;
    return id && (!unit || isOfAnother) ? [{ ...line, index }] : [];
  });

/**
 * Explains lines that name no unit.
 *
 * @param units that the lines name, by id
 * @param message for a product that was deleted
 */
export async function explainMissing(
  { db }: StaffContext,
  lines: MissingUnit[],
  units: Map<string, SoldProduct>,
  message = "was deleted. Remove the line or sell it as a line of its own.",
): Promise<ErrorDetail[]> {
  if (lines.length === 0) return [];
  const products = await findChoices(db, [...new Set(lines.flatMap(({ productId }) => productId || []))]);
  return lines.map((line) => {
    const product = products.get(line.productId ?? "");
    const reason = product && unitProblem(line, product, units.get(line.unitId ?? ""));
    return {
      path: `lines.${line.index}`,
      message: reason ?? `${line.description || "This product"} ${message}`,
    };
  });
}

/** Explains a line of a product that is there: its choice is open, unknown, or another product's. */
function unitProblem(
  { productId, unitId }: Line,
  { name, choices }: ProductChoices,
  unit: SoldProduct | undefined,
): string {
  const listed = `choose one of ${choices.slice(0, 5).join(", ")}${choices.length > 5 ? ", …" : ""}`;
  if (unitId === undefined || unitId === productId) return `${name}: ${listed}`;
  const what = unit ? `${unit.name} is no choice of ${name}` : `${name} has no such choice`;
  return choices.length > 0 ? `${what}: ${listed}` : `${what}.`;
}

/** Lists the lines whose products do not suffice, with what is left. @param holdId that the request itself ends */
export async function shortages(
  context: StaffContext,
  { lines, holdId, returned }: LinesRequest,
  products: Map<string, SoldProduct>,
): Promise<ErrorDetail[]> {
  const needed = new Map<string, number>();
  for (const line of lines) {
    const id = unitIdOf(line);
    if (id) needed.set(id, (needed.get(id) ?? 0) + line.quantity);
  }
  const held = new Map(
    (await findHeld(context.db, [...needed.keys()], holdId)).map((row) => [row.unitId, row]),
  );
  return lines.flatMap((line, i) => {
    const product = products.get(unitIdOf(line) ?? "");
    if (!product) return [];
    const hold = held.get(product.id);
    const stock = product.stock + (returned?.get(product.id) ?? 0);
    if ((needed.get(product.id) ?? 0) <= stock - (hold?.quantity ?? 0)) return [];
    return [{ path: `lines.${i}`, message: stockMessage({ ...product, stock }, hold, context) }];
  });
}

/** Formats a shortage: `Walnut lamp: 2 left, 1 of them on hold until today 18:00`; without stock nothing can be on hold. */
function stockMessage(
  { name, stock }: Pick<SoldProduct, "name" | "stock">,
  hold: { quantity: number; until: number } | undefined,
  { now, settings }: StaffContext,
): string {
  if (stock === 0) return `${name}: none left`;
  if (!hold) return `${name}: ${stock} left`;
  const some = hold.quantity < stock ? `${hold.quantity} of them ` : stock > 1 ? "all of them " : "";
  return `${name}: ${stock} left, ${some}on hold until ${formatEnd(hold.until, now, settings)}`;
}
