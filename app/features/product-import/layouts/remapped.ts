import { unescapeFormula } from "~/http/formula";
import { FIELDS, type Field, type Mapping } from "../columns";
import { type Draft, NO_CATEGORY, splitList, splitUrls } from "../draft";
import { guessCategory } from "../guess-category";
import { type Cell, type Sheet, textOf } from "../sheet";
import { kindOf, stockOf } from "./shopify";

/**
 * Reads anew what staff take from another column than the layout would; the rest stays as the layout reads it.
 *
 * @param drafts as the layout reads them
 * @param guess where the layout's own columns are
 * @param mapping staff's word
 */
export function applyMapping(drafts: Draft[], { rows }: Sheet, guess: Mapping, mapping: Mapping): Draft[] {
  const moved = FIELDS.filter((field) => mapping.indexOf(field) !== guess.indexOf(field));
  if (moved.length === 0) return drafts;
  const cellsOf = new Map(rows.map(({ line, cells }) => [line, cells]));
  return drafts.map((draft) => {
    const changed = { ...draft };
    for (const field of moved) {
      const place = mapping.indexOf(field);
      READ[field](
        changed,
        draft.lines.flatMap((line) => cellsOf.get(line)?.[place] ?? []),
      );
    }
    return changed;
  });
}

/** What a product's cells of one column say: of all of its rows, in their order. */
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
    draft.stock = stockOf(cells);
  },
  category: (draft, cells) => {
    Object.assign(draft, { isUntyped: false }, kindOf([firstText(cells)], draft.name));
    const category = guessCategory([draft.kind, draft.name]);
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
