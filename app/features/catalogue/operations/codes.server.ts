import { z } from "zod";
import { choiceText, unitName } from "~/domain/unit-name";
import { imageUrl } from "~/features/storage/schema";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { FoundUnit } from "../answers";
import { CodeInput, CodeLinkInput } from "../codes";
import { findUnitsByCode, findUnitsById, type UnitRow } from "../codes.queries.server";
import { findProduct } from "../queries.server";
import { unitsOf } from "../unit-views";
import { valuesByName } from "../units";
import { changeProduct } from "./writes.server";

const apiUnit = ({ values, options, priceCents, image, ...unit }: UnitRow, isRaw: boolean) => ({
  ...unit,
  choice: choiceText(values),
  options: valuesByName(options, values),
  price: priceCents / 100,
  image: image && (isRaw ? image : imageUrl(image)),
});

/** GET product/code: the units that have a code, at most 4; none for an unknown one. */
export const findCode = operation({
  route: "GET product/code",
  summary: "Find units by a barcode or SKU",
  answer: z.array(FoundUnit),
  access: "staff",
  input: CodeInput,
  run: async ({ db, input: { code, raw } }) =>
    (await findUnitsByCode(db, code)).map((unit) => apiUnit(unit, raw === "1")),
});

/**
 * PUT product/code: makes a code the barcode of a unit.
 *
 * @throws AppError notFound; conflict (409) where the unit has another barcode than the caller saw
 */
export const linkCode = operation({
  route: "PUT product/code",
  summary: "Give a unit a barcode",
  answer: FoundUnit,
  errors: [404, 409],
  access: "staff",
  input: CodeLinkInput,
  async run(context) {
    const { unitId, barcode, was = "" } = context.input;
    const [unit] = await findUnitsById(context.db, [unitId]);
    const product = unit && (await findProduct(context.db, unit.productId));
    if (!unit || !product) throw new AppError("notFound", "Product not found");
    if (unit.barcode !== was && unit.barcode !== barcode)
      throw new AppError(
        "conflict",
        `${unitName(unit.name, unit.values)} has the barcode ${unit.barcode} already.`,
      );
    const units = unitsOf(product).map(({ id }) => ({ id, options: {}, ...(id === unitId && { barcode }) }));
    await changeProduct(context, { id: product.id, units });
    return apiUnit({ ...unit, barcode }, false);
  },
});
