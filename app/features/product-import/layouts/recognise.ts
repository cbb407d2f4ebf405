import type { Category } from "~/features/catalogue/categories";
import { FIELDS, type ProductField, splitList, splitUrls } from "~/features/catalogue/product-fields";
import { unescapeFormula } from "~/http/formula";
import {
  categoryOrOthers,
  type Draft,
  NO_CATEGORY,
  type Source,
  sourceCategoryOf,
  totalStock,
} from "../draft";
import {
  type Cell,
  Columns,
  duplicateHeader,
  guessMapping,
  type Mapping,
  type Sheet,
  textOf,
} from "../sheet";
import { isShopify, shopifyDrafts, shopifyMapping } from "./shopify";
import { isWooCommerce, wooCommerceDrafts, wooCommerceMapping } from "./woocommerce";

/** A file's products, found by its layout. */
export interface RecognisedLayout {
  source: Source;
  drafts: Draft[];
  /** Field of each column; in another shop's export, of the main column of each field. */
  mapping: Mapping;
  /** Reason why these columns can't be read; staff may map them. */
  problem?: string;
}

export interface Choices {
  /** Field of each column; null to guess them. */
  columns: Mapping | null;
  /** Headers of the columns by field; used when `columns` is null. */
  names: Partial<Record<ProductField, string>>;
  /** Category by category key; `""` for all products without a category in the file. */
  categories: Record<string, Category>;
}

export const NO_CHOICES: Choices = { columns: null, names: {}, categories: {} };

const NO_NAME = "The first row must name the columns: none of them is “name”";

/** Key by which category names of files are compared. */
export function categoryKey(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Recognises a file's layout by its headers and reads its products. What the choices leave open is guessed.
 *
 * @param now epoch seconds
 */
export function recogniseLayout(sheet: Sheet, choices: Choices, now: number): RecognisedLayout {
  const found = guessLayout(sheet, choices, now);
  const categories = new Map(Object.entries(choices.categories));
  for (const draft of found.drafts) {
    const chosen = chosenCategory(draft, categories);
    if (chosen)
      Object.assign(draft, {
        category: chosen,
        notes: draft.notes.filter((note) => !note.startsWith(NO_CATEGORY)),
      });
  }
  return found;
}

function chosenCategory(
  { sourceCategory, isUncategorised }: Draft,
  chosen: Map<string, Category>,
): Category | undefined {
  return chosen.get(categoryKey(sourceCategory)) ?? (isUncategorised ? chosen.get("") : undefined);
}

interface Layout {
  source: Source;
  fits(columns: Columns): boolean;
  mapping(sheet: Sheet, columns: Columns): Mapping;
  drafts(sheet: Sheet, columns: Columns, now: number): Draft[];
}

/** Exports of other shops, which group rows by their own rules. */
const LAYOUTS: Layout[] = [
  { source: "shopify", fits: isShopify, mapping: shopifyMapping, drafts: shopifyDrafts },
  { source: "woocommerce", fits: isWooCommerce, mapping: wooCommerceMapping, drafts: wooCommerceDrafts },
];

function guessLayout(sheet: Sheet, choices: Choices, now: number): RecognisedLayout {
  const columns = new Columns(sheet.headers);
  const layout = LAYOUTS.find(({ fits }) => fits(columns));
  const guess = layout ? layout.mapping(sheet, columns) : guessMapping(sheet.headers);
  const source = layout?.source ?? (columns.has("name", "price") ? "template" : "other");
  const mapping = choices.columns ?? withNames(guess, choices.names, columns);
  const problem = columnProblem(sheet, choices, columns, mapping, layout);
  if (problem) return { source, drafts: [], mapping, problem };
  const drafts = layout
    ? applyMapping(layout.drafts(sheet, columns, now), sheet, guess, mapping)
    : templateDrafts(sheet, mapping);
  return { source, drafts, mapping };
}

/** Replaces the guess where staff name a column. */
function withNames(guess: Mapping, names: Choices["names"], columns: Columns): Mapping {
  const mapping = [...guess];
  for (const field of FIELDS) {
    const name = names[field];
    const column = name === undefined ? -1 : columns.indexOf(name);
    if (column === -1) continue;
    const before = mapping.indexOf(field);
    if (before !== -1) mapping[before] = null;
    mapping[column] = field;
  }
  return mapping;
}

function columnProblem(
  sheet: Sheet,
  { columns: chosen, names }: Choices,
  columns: Columns,
  mapping: Mapping,
  layout: Layout | undefined,
): string | null {
  const missing = chosen ? undefined : Object.values(names).find((name) => columns.indexOf(name) === -1);
  if (missing !== undefined) return `The file has no column “${missing}”`;
  if (!mapping.includes("name")) return NO_NAME;
  const duplicate = chosen || layout ? null : duplicateHeader(sheet.headers, mapping);
  return duplicate === null ? null : `The column “${duplicate}” appears twice`;
}

/** Reads rows of one product each: the template, and any other file whose columns are mapped. */
function templateDrafts(sheet: Sheet, mapping: Mapping): Draft[] {
  const columns = Object.fromEntries(FIELDS.map((field) => [field, mapping.indexOf(field)])) as Record<
    ProductField,
    number
  >;
  return sheet.rows.map((row) => {
    const text = (field: ProductField) => unescapeFormula(textOf(row.cells[columns[field]]));
    return {
      row: row.line,
      lines: [row.line],
      sourceCategory: text("category"),
      name: text("name"),
      description: text("description"),
      // Numbers of a spreadsheet stay numbers: 12.5 is unambiguous.
      price: row.cells[columns.price],
      stock: row.cells[columns.stock],
      category: text("category"),
      colors: splitList(text("colors")),
      hasEngraving: text("hasEngraving"),
      imageUrls: splitUrls(text("imageUrls")),
      notes: [],
      ...(row.problem && { problem: row.problem }),
    };
  });
}

/**
 * Reads the fields that staff mapped to other columns than the layout's own; the rest stays as the layout reads it.
 *
 * @param drafts products as the layout reads them
 * @param guess the layout's own columns
 */
function applyMapping(drafts: Draft[], { rows }: Sheet, guess: Mapping, mapping: Mapping): Draft[] {
  const moved = FIELDS.filter((field) => mapping.indexOf(field) !== guess.indexOf(field));
  if (moved.length === 0) return drafts;
  const cellsByLine = new Map(rows.map(({ line, cells }) => [line, cells]));
  return drafts.map((draft) => {
    const changed = { ...draft };
    for (const field of moved) {
      const column = mapping.indexOf(field);
      READ[field](
        changed,
        draft.lines.flatMap((line) => cellsByLine.get(line)?.[column] ?? []),
      );
    }
    return changed;
  });
}

/** Reads a field from one column of all rows of a product. */
const READ: Record<ProductField, (draft: Draft, cells: Cell[]) => void> = {
  name: (draft, cells) => {
    draft.name = firstText(cells);
  },
  description: (draft, cells) => {
    draft.description = firstText(cells);
  },
  price: (draft, cells) => {
    draft.price = cells.find((cell) => textOf(cell) !== "");
  },
  stock: (draft, cells) => {
    draft.stock = totalStock(cells);
  },
  category: (draft, cells) => {
    Object.assign(draft, { isUncategorised: false }, sourceCategoryOf([firstText(cells)], draft.name));
    const { category, notes } = categoryOrOthers([draft.sourceCategory, draft.name]);
    draft.category = category;
    draft.notes = [...draft.notes.filter((note) => !note.startsWith(NO_CATEGORY)), ...notes];
  },
  colors: (draft, cells) => {
    draft.colors = [...new Set(cells.flatMap((cell) => splitList(unescapeFormula(textOf(cell)))))];
  },
  hasEngraving: (draft, cells) => {
    draft.hasEngraving = firstText(cells);
  },
  imageUrls: (draft, cells) => {
    draft.imageUrls = [...new Set(cells.flatMap((cell) => splitUrls(unescapeFormula(textOf(cell)))))];
  },
};

function firstText(cells: Cell[]): string {
  return cells.map((cell) => unescapeFormula(textOf(cell))).find(Boolean) ?? "";
}
