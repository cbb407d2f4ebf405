import { productName, type SaleProduct } from "./draft";

type Hit = Pick<SaleProduct, "productId" | "name" | "choice" | "available">;

/**
 * Returns the unit that a text means by itself: that of this name, else one of the only product that is found or has this
 * name, since its choice is made in the line.
 */
export function onlyHit<P extends Hit>(text: string, found: P[]): P | undefined {
  const name = text.trim().toLowerCase();
  const exact = found.find((unit) => unit.name.toLowerCase() === name);
  if (exact) return exact;
  const named = found.filter((unit) => productName(unit).toLowerCase() === name);
  const units = named.length > 0 ? named : found;
  if (new Set(units.map(({ productId }) => productId)).size > 1) return undefined;
  return units.find(({ available }) => available > 0) ?? units[0];
}
