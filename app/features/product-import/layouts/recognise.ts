import type { Category } from "~/domain/categories";
import { FIELDS, type ProductField } from "~/features/catalogue/product";
import { unescapeFormula } from "~/http/formula";
import { duplicateHeader, guessMapping, picturesInOrder } from "../columns";
import { categoryOf, type Draft, type LayoutField, type Source, totalStock } from "../draft";
import { decodeDraft, splitEntityList } from "../html-signs";
import {
  currencyColumn,
  type PriceColumn,
  priceColumns,
  statedCurrency,
  type VariantPrice,
} from "../price-column";
import {
  type Cell,
  Columns,
  isErrorColumn,
  JOINED_FIELD,
  type Mapping,
  NO_READING,
  type ReadingChoices,
  type Sheet,
  type SheetRow,
  textOf,
} from "../sheet";
import { withoutTotals } from "../totals";
import { isPath, pathNotes, pictureUrls } from "./layout-cells";
import { findLayout, type Layout } from "./layouts";
import { takenColumns, templateDrafts } from "./template";

/** A file's products, found by its layout. */
export interface RecognisedLayout {
  source: Source;
  /** Name of the layout, where the source doesn't say it. */
  title: string | null;
  /** Remark on every file of the layout. */
  remark?: string | undefined;
  /** A product may have several rows. */
  isGrouped: boolean;
  drafts: Draft[];
  /** Field of each column; in another shop's export, of the main column of each field. */
  mapping: Mapping;
  /** Columns that are not taken over. */
  unread: number[];
  /** Reason why these columns can't be read; staff may map them. */
  problem?: string;
  /** Columns among which staff must name the price; nothing is read before. */
  priceColumns?: PriceColumn[];
}

export interface MappingChoices {
  /** Field of each column; null to guess them. */
  columns: Mapping | null;
  /** Headers of the columns by field, NO_COLUMN for none; used when `columns` is null. */
  names: Partial<Record<ProductField, string>>;
  /** Category by category key; `""` for all products without a category in the file. */
  categories: Record<string, Category>;
  reading: ReadingChoices;
  /** Price of a product whose variants have several; null to ask. */
  variantPrice: VariantPrice | null;
  /** Stock of what the other system does not count; null leaves it. */
  untracked: number | null;
}

export const NO_CHOICES: MappingChoices = {
  columns: null,
  names: {},
  categories: {},
  reading: NO_READING,
  variantPrice: null,
  untracked: null,
};

const noName = (row: number) =>
  `${row === 1 ? "The first row" : `Row ${row}`} must name the columns: none of them is “name”`;

/** Name of a column by which staff say that the file has none for a field. No header has it as its key. */
export const NO_COLUMN = "-";

/** Key by which category names of files are compared. */
export function categoryKey(name: string): string {
  return name.trim().toLowerCase();
}

/**
 * Recognises a file's layout by its headers and reads its products. What the choices leave open is guessed.
 *
 * @param now epoch seconds
 */
export function recogniseLayout(sheet: Sheet, choices: MappingChoices, now: number): RecognisedLayout {
  const found = guessLayout(sheet, choices, now);
  const categories = new Map(Object.entries(choices.categories));
  for (const draft of found.drafts) {
    const chosen = chosenCategory(draft, categories);
    if (!chosen) continue;
    draft.category = chosen;
    draft.isGuessed = false;
  }
  return found;
}

function chosenCategory(
  { sourceCategory, isUncategorised }: Draft,
  chosen: Map<string, Category>,
): Category | undefined {
  return chosen.get(categoryKey(sourceCategory)) ?? (isUncategorised ? chosen.get("") : undefined);
}

function guessLayout(sheet: Sheet, choices: MappingChoices, now: number): RecognisedLayout {
  const found = findLayout(sheet.headers);
  const layout = found?.layout;
  const columns = found?.columns ?? new Columns(sheet.headers);
  const guess = layout ? layout.mapping(sheet, columns) : guessMapping(sheet.headers, sheet.rows);
  const source = layout?.source ?? (columns.has("name", "price") ? "template" : "other");
  const { title = null, remark, isGrouped = false } = layout ?? {};
  const file = { source, title, remark, isGrouped };
  const candidates = priceColumns(sheet.headers, sheet.rows);
  const mapping = choices.columns ?? withNames(withoutForeign(guess, candidates), choices.names, columns);
  const problem = columnProblem(sheet, choices, columns, mapping, layout);
  if (problem) return { ...file, drafts: [], mapping, unread: [], problem };
  const prices = layout?.isPart ? null : openPrices(candidates, choices, mapping);
  if (prices) return { ...file, drafts: [], mapping, unread: [], priceColumns: prices };
  const drafts = layout
    ? layoutDrafts(layout, { sheet, columns, guess, mapping }, now)
    : templateDrafts(sheet, mapping);
  const others = [currencyColumn(sheet.headers), ...(layout ? [] : takenColumns(sheet.headers))];
  const isTaken = (column: number) => others.includes(column) || (layout && columns.isRead(column));
  const unread = mapping.flatMap((field, column) =>
    field || isTaken(column) || isErrorColumn(sheet.headers[column] ?? "") ? [] : [column],
  );
  const products = withRowRemarks(drafts, sheet).map(decodeDraft).map(withoutPaths);
  return { ...file, drafts: withoutTotals(products), mapping, unread };
}

/** Leaves out the pictures that are named by paths, with a note. */
function withoutPaths(draft: Draft): Draft {
  const path = draft.imageUrls.find(isPath);
  if (path === undefined) return draft;
  return {
    ...draft,
    imageUrls: draft.imageUrls.filter((entry) => !isPath(entry)),
    notes: [...draft.notes, ...pathNotes(path)],
  };
}

interface MappedSheet {
  sheet: Sheet;
  columns: Columns;
  /** The layout's own columns. */
  guess: Mapping;
  mapping: Mapping;
}

/** Reads the products of a layout, at reduced prices where these count. */
function layoutDrafts(layout: Layout, { sheet, columns, guess, mapping }: MappedSheet, now: number): Draft[] {
  const priced = layout.priced?.(sheet, columns, mapping.indexOf("price"), now) ?? sheet;
  return applyMapping(layout.drafts(priced, columns, now), priced, guess, mapping);
}

/** Leaves a layout's price column open where it is in another currency. */
function withoutForeign(guess: Mapping, candidates: PriceColumn[]): Mapping {
  const foreign = candidates.filter(({ isForeign }) => isForeign).map(({ column }) => column);
  return guess.map((field, column) => (field === "price" && foreign.includes(column) ? null : field));
}

/** Lists the columns that may be the price where none is certainly and staff haven't chosen; null for no question. */
function openPrices(
  candidates: PriceColumn[],
  { columns, names }: MappingChoices,
  mapping: Mapping,
): PriceColumn[] | null {
  if (mapping.includes("price") || columns || names.price !== undefined) return null;
  const open = candidates.filter(({ column }) => mapping[column] === null);
  return open.some(({ kind }) => kind !== "cost") ? open : null;
}

/** Adds the currency that rows state, and the reader's remarks on them, to the products of these rows. */
function withRowRemarks(drafts: Draft[], { headers, rows }: Sheet): Draft[] {
  const stated = statedCurrency(headers);
  const remarks = new Map(rows.map((row) => [row.line, { currency: stated(row), notes: row.notes ?? [] }]));
  return drafts.map((draft) => {
    const own = draft.lines.flatMap((line) => remarks.get(line) ?? []);
    return {
      ...draft,
      currency: own.find(({ currency }) => currency)?.currency,
      notes: [...draft.notes, ...own.flatMap(({ notes }) => notes)],
    };
  });
}

/** Replaces the guess where staff name a column. */
function withNames(guess: Mapping, names: MappingChoices["names"], columns: Columns): Mapping {
  const mapping = [...guess];
  for (const field of FIELDS) {
    const name = names[field];
    const column = name === undefined ? -1 : columns.indexOf(name);
    if (column === -1 && name !== NO_COLUMN) continue;
    const before = mapping.indexOf(field);
    if (before !== -1) mapping[before] = null;
    if (column !== -1) mapping[column] = field;
  }
  return mapping;
}

function columnProblem(
  sheet: Sheet,
  { columns: chosen, names }: MappingChoices,
  columns: Columns,
  mapping: Mapping,
  layout: Layout | undefined,
): string | null {
  const missing = chosen
    ? undefined
    : Object.values(names).find((name) => name !== NO_COLUMN && columns.indexOf(name) === -1);
  if (missing !== undefined) return `The file has no column “${missing}”`;
  if (!mapping.includes("name") && !layout?.isPart) return noName(sheet.reading.headerRow);
  const duplicate = chosen || layout ? null : duplicateHeader(sheet.headers, mapping);
  return duplicate === null ? null : `The column “${duplicate}” appears twice`;
}

/**
 * Reads the fields that staff mapped to other columns than the layout's own; the rest stays as the layout reads it.
 *
 * @param drafts products as the layout reads them
 * @param guess the layout's own columns
 */
function applyMapping(drafts: Draft[], { headers, rows }: Sheet, guess: Mapping, mapping: Mapping): Draft[] {
  const moved = FIELDS.filter(
    (field) => String(columnsOf(mapping, field, headers)) !== String(columnsOf(guess, field, headers)),
  );
  if (moved.length === 0) return drafts;
  const rowsByLine = new Map(rows.map((row) => [row.line, row]));
  return drafts.map((draft) => {
    const changed = { ...draft };
    const own = draft.lines.flatMap((line) => rowsByLine.get(line) ?? []);
    for (const field of moved) {
      const columns = columnsOf(mapping, field, headers);
      const before = guess.indexOf(field);
      if (field === JOINED_FIELD && columns.includes(before)) {
        // The layout has read the column in its own way, and the other images that it knows.
        const added = columns.filter((column) => column !== before);
        changed.imageUrls = joined(draft.imageUrls, imagesOf(own.flatMap((row) => cellsAt(row, added))));
        continue;
      }
      const cells = own.flatMap((row) => cellsAt(row, columns));
      changed.variants = movedVariants(changed.variants, field, (line) =>
        cellsAt(rowsByLine.get(line) ?? { cells: [] }, columns).find((cell) => textOf(cell) !== ""),
      );
      const read = READ[field as LayoutField];
      if (read) read(changed, cells);
      else changed.cells = { ...changed.cells, [field]: firstText(cells) };
    }
    return changed;
  });
}

/** Reads a field of variants from another column. @param cellAt its cell in a row */
function movedVariants(
  variants: Draft["variants"],
  field: ProductField,
  cellAt: (line: number) => Cell | undefined,
): Draft["variants"] {
  if (field === "price") return variants?.map((each) => ({ ...each, price: cellAt(each.line) }));
  if (field !== "stock") return variants;
  return variants?.map((each) => {
    const stock = cellAt(each.line);
    return { ...each, stock, isUncounted: stock === undefined };
  });
}

/** Reads a field from one column of all rows of a product. */
const READ: Record<LayoutField, (draft: Draft, cells: Cell[]) => void> = {
  name: (draft, cells) => {
    draft.name = firstText(cells);
  },
  description: (draft, cells) => {
    draft.description = firstText(cells);
  },
  price: (draft, cells) => {
    const filled = cells.filter((cell) => textOf(cell) !== "");
    draft.price = filled[0];
    if (draft.variantPrices) draft.variantPrices = filled;
  },
  stock: (draft, cells) => {
    draft.stock = totalStock(cells);
  },
  category: (draft, cells) => {
    Object.assign(draft, categoryOf([firstText(cells)], draft.name));
  },
  colors: (draft, cells) => {
    draft.colors = [...new Set(cells.flatMap((cell) => splitEntityList(unescapeFormula(textOf(cell)))))];
  },
  imageUrls: (draft, cells) => {
    draft.imageUrls = joined([], imagesOf(cells));
  },
};

/** Lists the columns of a field, those of pictures in the order that their headers name. */
function columnsOf(mapping: Mapping, field: ProductField, headers: string[]): number[] {
  const columns = mapping.flatMap((each, column) => (each === field ? [column] : []));
  return field === JOINED_FIELD ? picturesInOrder(headers, columns) : columns;
}

const cellsAt = ({ cells }: Pick<SheetRow, "cells">, columns: number[]) =>
  columns.flatMap((column) => cells[column] ?? []);

const imagesOf = (cells: Cell[]) => cells.flatMap((cell) => pictureUrls(unescapeFormula(textOf(cell))));

const joined = (before: string[], more: string[]) => [...new Set([...before, ...more])];

function firstText(cells: Cell[]): string {
  return cells.map((cell) => unescapeFormula(textOf(cell))).find(Boolean) ?? "";
}
