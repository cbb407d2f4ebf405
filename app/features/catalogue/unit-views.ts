import { imageUrl } from "~/features/storage/schema";
import type { ProductRow } from "./queries.server";
import { type ProductUnit, UNIT, valuesByName } from "./units";

/** Converts the options and units of a product to the format of the API. */
export const apiUnits = (row: ProductRow, { raw, isStaff }: { raw: boolean; isStaff: boolean }) => ({
  options: row.options,
  units: unitsOf(row).map((unit) => ({
    id: unit.id,
    options: valuesByName(row.options, unit.values),
    ...UNIT.apiValues(unit),
    price: (unit.priceCents ?? row.priceCents) / 100,
    stock: isStaff ? unit.stock : unit.available,
    available: unit.available,
    image: unit.image && (raw ? unit.image : imageUrl(unit.image)),
  })),
});

/**
 * Returns the units of a product. The only one of a product without options has the product's stock: a write returns the
 * product before its triggers write the unit.
 */
export const unitsOf = ({ id, options, units, stock, available }: ProductRow): ProductUnit[] =>
  options.length > 0
    ? units
    : units.slice(0, 1).map((unit) => ({ ...unit, id, values: [], stock, available, priceCents: null }));
