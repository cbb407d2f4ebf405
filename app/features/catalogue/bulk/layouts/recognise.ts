import type { Category } from "../../categories";
import { Columns, doubleHeader, guessMapping, type Mapping } from "../columns";
import { type Draft, NO_CATEGORY, type Source } from "../draft";
import type { Sheet } from "../sheet";
import { isShopify, shopifyDrafts } from "./shopify";
import { templateDrafts } from "./template";
import { isWooCommerce, wooCommerceDrafts } from "./woocommerce";

/** A file whose products were found. */
export interface Recognised {
  source: Source;
  drafts: Draft[];
  /** Where the columns go; null for the exports of other shops, whose columns are read by their names. */
  mapping: Mapping | null;
  /** Why nothing could be read by these columns; staff may say where they go. */
  problem?: string;
}

/** What staff say of a file. */
export interface Choices {
  /** Where the columns go; null leaves it to be guessed. */
  columns: Mapping | null;
  /** Which category a kind is, by the kind's key. */
  categories: Record<string, Category>;
}

const NO_NAME = "The first row must name the columns: none of them is “name”";

/** What kinds are compared by. */
export function kindKey(kind: string): string {
  return kind.trim().toLowerCase();
}

/**
 * Recognises by its headers what a file is, and reads its products.
 *
 * @param choices staff's word; what they leave open is guessed
 * @param now epoch seconds
 */
export function recognise(sheet: Sheet, choices: Choices, now: number): Recognised {
  const found = recogniseLayout(sheet, choices.columns, now);
  for (const draft of found.drafts) {
    const chosen = Object.hasOwn(choices.categories, kindKey(draft.kind))
      ? choices.categories[kindKey(draft.kind)]
      : null;
    if (chosen)
      Object.assign(draft, {
        category: chosen,
        notes: draft.notes.filter((note) => !note.startsWith(NO_CATEGORY)),
      });
  }
  return found;
}

function recogniseLayout(sheet: Sheet, chosen: Mapping | null, now: number): Recognised {
  const columns = new Columns(sheet.headers);
  if (!chosen && isShopify(columns))
    return { source: "shopify", drafts: shopifyDrafts(sheet, columns), mapping: null };
  if (!chosen && isWooCommerce(columns))
    return { source: "woocommerce", drafts: wooCommerceDrafts(sheet, columns, now), mapping: null };
  const mapping = chosen ?? guessMapping(sheet.headers);
  const source = !chosen && columns.has("name", "price") ? "template" : "other";
  const double = chosen ? null : doubleHeader(sheet.headers, mapping);
  if (!mapping.includes("name")) return { source, drafts: [], mapping, problem: NO_NAME };
  if (double) return { source, drafts: [], mapping, problem: `The column “${double}” stands twice` };
  return { source, drafts: templateDrafts(sheet, mapping), mapping };
}
