import type { Category } from "~/features/catalogue/categories";
import { Columns, duplicateHeader, FIELDS, type Field, guessMapping, type Mapping } from "../columns";
import { type Draft, NO_CATEGORY, type Source } from "../draft";
import type { Sheet } from "../sheet";
import { applyMapping } from "./remapped";
import { isShopify, shopifyDrafts, shopifyMapping } from "./shopify";
import { templateDrafts } from "./template";
import { isWooCommerce, wooCommerceDrafts, wooCommerceMapping } from "./woocommerce";

/** A file whose products were found. */
export interface RecognisedLayout {
  source: Source;
  drafts: Draft[];
  /** Where the columns go; of another shop's export, the ones that its fields are mostly read from. */
  mapping: Mapping;
  /** Why nothing could be read by these columns; staff may say where they go. */
  problem?: string;
}

/** What staff say of a file. */
export interface Choices {
  /** Where the columns go; null leaves it to be guessed. */
  columns: Mapping | null;
  /** Headers of the columns that fields are read from; only where `columns` says nothing. */
  names: Partial<Record<Field, string>>;
  /** Which category a kind is, by the kind's key; under `""` that of products of which the file says nothing. */
  categories: Record<string, Category>;
}

/** Nobody said anything: all is guessed. */
export const NO_CHOICES: Choices = { columns: null, names: {}, categories: {} };

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
export function recogniseLayout(sheet: Sheet, choices: Choices, now: number): RecognisedLayout {
  const found = guessLayout(sheet, choices, now);
  const categories = new Map(Object.entries(choices.categories));
  for (const draft of found.drafts) {
    const chosen = chosenFor(draft, categories);
    if (chosen)
      Object.assign(draft, {
        category: chosen,
        notes: draft.notes.filter((note) => !note.startsWith(NO_CATEGORY)),
      });
  }
  return found;
}

function chosenFor({ kind, isUntyped }: Draft, chosen: Map<string, Category>): Category | undefined {
  return chosen.get(kindKey(kind)) ?? (isUntyped ? chosen.get("") : undefined);
}

interface Layout {
  source: Source;
  fits(columns: Columns): boolean;
  mapping(sheet: Sheet, columns: Columns): Mapping;
  drafts(sheet: Sheet, columns: Columns, now: number): Draft[];
}

/** The exports of other shops, whose rows belong together by their own rules. */
const LAYOUTS: Layout[] = [
  { source: "shopify", fits: isShopify, mapping: shopifyMapping, drafts: shopifyDrafts },
  { source: "woocommerce", fits: isWooCommerce, mapping: wooCommerceMapping, drafts: wooCommerceDrafts },
];

function guessLayout(sheet: Sheet, choices: Choices, now: number): RecognisedLayout {
  const columns = new Columns(sheet.headers);
  const layout = LAYOUTS.find(({ fits }) => fits(columns));
  const guess = layout ? layout.mapping(sheet, columns) : guessMapping(sheet.headers);
  const source = layout?.source ?? (columns.has("name", "price") ? "template" : "other");
  const mapping = choices.columns ?? named(guess, choices.names, columns);
  const problem = problemOf(sheet, choices, columns, mapping, layout);
  if (problem) return { source, drafts: [], mapping, problem };
  const drafts = layout
    ? applyMapping(layout.drafts(sheet, columns, now), sheet, guess, mapping)
    : templateDrafts(sheet, mapping);
  return { source, drafts, mapping };
}

/** The guess, but for the columns that staff name. */
function named(guess: Mapping, names: Choices["names"], columns: Columns): Mapping {
  const mapping = [...guess];
  for (const field of FIELDS) {
    const name = names[field];
    const place = name === undefined ? -1 : columns.place(name);
    if (place === -1) continue;
    const before = mapping.indexOf(field);
    if (before !== -1) mapping[before] = null;
    mapping[place] = field;
  }
  return mapping;
}

function problemOf(
  sheet: Sheet,
  { columns: chosen, names }: Choices,
  columns: Columns,
  mapping: Mapping,
  layout: Layout | undefined,
): string | null {
  const missing = chosen ? undefined : Object.values(names).find((name) => columns.place(name) === -1);
  if (missing !== undefined) return `The file has no column “${missing}”`;
  if (!mapping.includes("name")) return NO_NAME;
  const double = chosen || layout ? null : duplicateHeader(sheet.headers, mapping);
  return double === null ? null : `The column “${double}” stands twice`;
}
