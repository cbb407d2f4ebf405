import { isGtin } from "~/domain/gtin";
import type { ProductRow } from "./queries.server";
import { choiceUrl } from "./unit-choice";
import { unitsOf } from "./unit-views";

/** Unit as search engines read it. */
export interface ProductOffer {
  /** Path of the page with its choice. */
  path: string;
  sku: string;
  /** EAN or UPC; null without a valid one. */
  gtin: string | null;
  priceCents: number;
  /** Pieces that shoppers can buy. */
  stock: number;
}

/** Lists what a product offers: one for each unit. */
export const offersOf = (row: ProductRow): ProductOffer[] =>
  unitsOf(row).map(({ id, values, sku, barcode, priceCents, available }) => ({
    path: choiceUrl(row.id, row.options, values),
    sku: sku || id,
    gtin: isGtin(barcode) ? barcode : null,
    priceCents: priceCents ?? row.priceCents,
    stock: available,
  }));
