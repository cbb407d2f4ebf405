import { findCode } from "~/features/catalogue/operations/codes.server";
import { listProducts } from "~/features/catalogue/operations/products.server";
import type { StaffContext } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import { foundUnits, MAX_FOUND, type SaleProduct } from "./draft";
import { onlyHit } from "./only-hit";

export const NOTHING_FOUND = { only: null, found: null };

/**
 * Finds the units that a text means: the only one, that of an exact code, else all that are found.
 *
 * @param isEntered by Enter, which means the only one that a search finds too
 */
export async function findUnits(
  context: StaffContext,
  text: string,
  isEntered: boolean,
): Promise<{ only: string | null; found: string[] | null }> {
  if (text.trim() === "") return NOTHING_FOUND;
  const [exact, second] = (await resultOrNull(findCode.execute(context, { code: text }))) ?? [];
  if (exact && !second) return { only: exact.unitId, found: null };
  const found = await findProducts(context, text);
  const only = isEntered && !exact ? onlyHit(text, found) : undefined;
  return only ? { only: only.id, found: null } : { only: null, found: found.map(({ id }) => id) };
}

async function findProducts(context: StaffContext, search: string): Promise<SaleProduct[]> {
  const list = await resultOrNull(
    listProducts.execute(context, { search, raw: "1", hidden: "1", limit: MAX_FOUND }),
  );
  return foundUnits(list?.rows ?? [], search);
}
