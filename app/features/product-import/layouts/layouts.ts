import type { Draft, Source } from "../draft";
import { Columns, type Mapping, type Sheet } from "../sheet";
import { isShopify, shopifyDrafts, shopifyMapping } from "./shopify";
import { isWooCommerce, wooCommerceDrafts, wooCommerceMapping } from "./woocommerce";

/** An export of another shop, which groups rows by its own rules. */
export interface Layout {
  source: Source;
  fits(columns: Columns): boolean;
  mapping(sheet: Sheet, columns: Columns): Mapping;
  /** @param now epoch seconds */
  drafts(sheet: Sheet, columns: Columns, now: number): Draft[];
}

const LAYOUTS: Layout[] = [
  { source: "shopify", fits: isShopify, mapping: shopifyMapping, drafts: shopifyDrafts },
  { source: "woocommerce", fits: isWooCommerce, mapping: wooCommerceMapping, drafts: wooCommerceDrafts },
];

export function findLayout(columns: Columns): Layout | undefined {
  return LAYOUTS.find(({ fits }) => fits(columns));
}

export function isKnownLayout(headers: string[]): boolean {
  return findLayout(new Columns(headers)) !== undefined;
}
