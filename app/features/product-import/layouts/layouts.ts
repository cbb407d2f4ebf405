import type { Draft, Source } from "../draft";
import { Columns, type Mapping, type Sheet } from "../sheet";
import { layoutOf } from "./layout-data";
import { OTHER_SYSTEMS } from "./other-systems";
import { isShopify, shopifyDrafts, shopifyMapping } from "./shopify";
import { isWooCommerce, wooCommerceDrafts, wooCommerceMapping } from "./woocommerce";
import { englishHeaders } from "./woocommerce-headers";

/** Format of another shop system's exports, with its own columns and its own grouping of rows. */
export interface Layout {
  source: Source;
  /** Name in the dry run; needed for the source `other` alone. */
  title?: string;
  /** Remark on every such file in the dry run. */
  remark?: string;
  /** A product may have several rows. */
  isGrouped: boolean;
  /** Translates headers to the language in which the layout names them; they stay without it. */
  translate?(headers: string[]): string[];
  /** Tests for the columns by which a file of this layout is known. */
  fits(columns: Columns): boolean;
  /** Rows name no product: each is one that is stored, found by its key. */
  isPart?: boolean;
  /** Applies the reduced prices of a file to the column of its usual ones. @param now epoch seconds */
  priced?(sheet: Sheet, columns: Columns, usual: number, now: number): Sheet;
  /** Chooses the field of each column. */
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

/** Finds the layout of a file by its headers, and the columns under their translated headers. */
export function findLayout(headers: string[]): { layout: Layout; columns: Columns } | null {
  for (const layout of LAYOUTS) {
    const columns = new Columns(layout.translate?.(headers) ?? headers);
    if (layout.fits(columns)) return { layout, columns };
  }
  return null;
}
