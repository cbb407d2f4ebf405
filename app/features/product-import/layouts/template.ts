import { FIELDS } from "~/features/catalogue/product-fields";
import { unescapeFormula } from "~/http/formula";
import type { Field, Mapping } from "../columns";
import { type Draft, NO_CATEGORY, splitList, splitUrls } from "../draft";
import { guessCategory } from "../guess-category";
import { type Cell, type Sheet, textOf } from "../sheet";
import { sourceCategoryOf, totalStock } from "./shopify";

/** Reads rows of one product each: the template, and any other file whose columns are mapped. */
export function templateDrafts(sheet: Sheet, mapping: Mapping): Draft[] {
  const columns = Object.fromEntries(FIELDS.map((field) => [field, mapping.indexOf(field)])) as Record<
    Field,
    number
  >;
  return sheet.rows.map((row) => {
    const text = (field: Field) => unescapeFormula(textOf(row.cells[columns[field]]));
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
export function applyMapping(drafts: Draft[], { rows }: Sheet, guess: Mapping, mapping: Mapping): Draft[] {
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
const READ: Record<Field, (draft: Draft, cells: Cell[]) => void> = {
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
    const category = guessCategory([draft.sourceCategory, draft.name]);
    draft.category = category ?? "OTHERS";
    draft.notes = draft.notes.filter((note) => !note.startsWith(NO_CATEGORY));
    if (!category) draft.notes.push(`${NO_CATEGORY}: OTHERS`);
  },
  colors: (draft, cells) => {
    draft.colors = [...new Set(cells.flatMap((cell) => splitList(unescapeFormula(textOf(cell)))))];
  },
  imageUrls: (draft, cells) => {
    draft.imageUrls = [...new Set(cells.flatMap((cell) => splitUrls(unescapeFormula(textOf(cell)))))];
  },
};

function firstText(cells: Cell[]): string {
  return cells.map((cell) => unescapeFormula(textOf(cell))).find(Boolean) ?? "";
}
