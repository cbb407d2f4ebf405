import { unescapeFormula } from "~/http/formula";
import type { Field, Mapping } from "../columns";
import { type Draft, splitList, splitUrls } from "../draft";
import { type Sheet, type SheetRow, textOf } from "../sheet";

/**
 * Reads rows of one product each: the template, and any other file whose columns are known.
 *
 * @param mapping where each column goes
 */
export function templateDrafts(sheet: Sheet, mapping: Mapping): Draft[] {
  const place = (field: Field) => mapping.indexOf(field);
  const places = {
    name: place("name"),
    description: place("description"),
    price: place("price"),
    stock: place("stock"),
    category: place("category"),
    colors: place("colors"),
    imageUrls: place("imageUrls"),
  };
  return sheet.rows.map((row) => {
    const text = (field: Field) => unescapeFormula(textOf(row.cells[places[field]]));
    return {
      ...numbers(row, places),
      row: row.line,
      lines: [row.line],
      kind: text("category"),
      name: text("name"),
      description: text("description"),
      category: text("category"),
      colors: splitList(text("colors")),
      imageUrls: splitUrls(text("imageUrls")),
      notes: [],
      ...(row.problem && { problem: row.problem }),
    };
  });
}

/** Cells of numbers stay what they are: 12.5 isn't read as people write it. */
function numbers({ cells }: SheetRow, places: Record<"price" | "stock", number>) {
  return { price: cells[places.price], stock: cells[places.stock] };
}
