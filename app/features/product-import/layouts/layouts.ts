import type { Draft, Source } from "../draft";
import { Columns, type Mapping, type Sheet } from "../sheet";
import { layoutOf } from "./layout-data";
import { OTHER_SYSTEMS } from "./other-systems";
import { isShopify, shopifyDrafts, shopifyMapping } from "./shopify";
import { isWooCommerce, wooCommerceDrafts, wooCommerceMapping } from "./woocommerce";
import { englishHeaders } from "./woocommerce-headers";

/** Export of another shop, which groups rows by its own rules. */
export interface Layout {
  source: Source;
  /** As the dry run names it, where its source doesn't. */
  title?: string;
  /** A product may have several rows. */
  isGrouped: boolean;
  /** Headers in the language of the layout; as they are without it. */
  translate?(headers: string[]): string[];
  fits(columns: Columns): boolean;
  mapping(sheet: Sheet, columns: Columns): Mapping;
  /** Reads the products. @param now epoch seconds */
  drafts(sheet: Sheet, columns: Columns, now: number): Draft[];
}

const LAYOUTS: Layout[] = [
  {
    source: "shopify",
    isGrouped: true,
    fits: isShopify,
    mapping: shopifyMapping,
    drafts: shopifyDrafts,
  },
  {
    source: "woocommerce",
    isGrouped: true,
    translate: englishHeaders,
    fits: isWooCommerce,
    mapping: wooCommerceMapping,
    drafts: wooCommerceDrafts,
  },
  ...OTHER_SYSTEMS.map(layoutOf),
];

/** Finds the layout of a file by its headers, with the columns as the layout names them. */
export function findLayout(headers: string[]): { layout: Layout; columns: Columns } | null {
  for (const layout of LAYOUTS) {
    const columns = new Columns(layout.translate?.(headers) ?? headers);
    if (layout.fits(columns)) return { layout, columns };
  }
  return null;
}
