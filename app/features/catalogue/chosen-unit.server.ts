import type { Db } from "~/db/client.server";
import { AppError, fieldError } from "~/http/errors";
import { findSellableProducts, findUnitsOf, type SellableProduct } from "./queries.server";
import { choiceField } from "./unit-choice";
import { choiceText } from "./unit-name";
import { type ChoiceFields, choiceUrl, chosenIn, requireChoice } from "./unit-views.server";

/** Address of what can be bought: its product's page, with the choice. */
export const productUrl = ({ productId, options, values }: SellableProduct) =>
  choiceUrl(productId, options, values);

interface Choice extends ChoiceFields {
  /** Value of the only option, as clients of before send it. */
  color?: string | null | undefined;
}

/**
 * Finds the unit that a form chooses of a product. Without chosen values a unit stays, and a product without options.
 *
 * @throws AppError invalid (400) at the field of an open option, conflict (409) for a choice that is not made
 */
export async function chosenUnit(
  db: Db,
  product: SellableProduct | undefined,
  fields: Choice,
): Promise<SellableProduct | undefined> {
  if (!product || product.options.length === 0) return product;
  const { options, productId } = product;
  const isNamed = options.some((_, i) => fields[choiceField(i)]);
  if (!isNamed && product.values.length > 0) return product;
  const former = options.length === 1 && !isNamed ? { choice1: fields.color ?? null } : fields;
  const values = requireChoice(options, former);
  const [unit] = await findUnitsOf(db, [{ productId, values }]);
  if (!unit) throw fieldError("conflict", choiceField(0), `${choiceText(values)} is not made.`);
  const [found] = await findSellableProducts(db, [unit.id]);
  return found;
}

/** Finds what a question is about: the chosen unit, or the product while an option is open. */
export async function askedUnit(
  db: Db,
  product: SellableProduct | undefined,
  fields: Choice,
): Promise<SellableProduct | undefined> {
  const isWhole = product && !chosenIn(product.options, (_, i) => fields[choiceField(i)]).includes(null);
  if (!isWhole) return product;
  return chosenUnit(db, product, fields).catch((error: unknown) => {
    if (error instanceof AppError) return product;
    throw error;
  });
}
