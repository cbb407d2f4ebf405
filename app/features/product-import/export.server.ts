import Papa from "papaparse";
import { FIELDS, PRODUCT_FIELDS, type ProductField } from "~/features/catalogue/product-fields";
import type { ProductRow } from "~/features/catalogue/queries.server";
import { isNarrowed, type ListPlace } from "~/features/product-admin/list-params";
import { shelfPage } from "~/features/product-admin/product-list.server";
import type { RequestContext } from "~/http/request-context.server";
import { asCell, guarded } from "./draft";
import { findAfter, findByIds } from "./queries.server";

const ROWS_AT_ONCE = 500;
const BOM = "\ufeff";
/** The template, with a row that shows how (back office 9: product_template.csv). */
export function templateCsv(): Response {
  const text = BOM + Papa.unparse([[...FIELDS], Object.values(PRODUCT_FIELDS).map(({ example }) => example)]);
  return fileResponse(`${text}\r\n`, "product_template.csv");
}

/**
 * The catalogue in the template's format, or what a search and filters leave of it: imported again, it changes nothing.
 * Cells that a spreadsheet would run have an apostrophe in front, which the import takes off.
 *
 * @param context of a member of staff
 * @param place in the list of products
 */
export function catalogueCsv(context: RequestContext, place: ListPlace): Response {
  const encoder = new TextEncoder();
  const parts = isNarrowed(place) ? foundRows(context, place) : allRows(context);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`${BOM}${FIELDS.join(",")}\r\n`));
    },
    async pull(controller) {
      const { value: rows, done } = await parts.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(`${Papa.unparse(rows.map(cellsOf))}\r\n`));
    },
  });
  return fileResponse(stream, `products-${new Date(context.now * 1000).toISOString().slice(0, 10)}.csv`);
}

async function* allRows({ db }: RequestContext): AsyncGenerator<ProductRow[], undefined> {
  for (let after = 0; ; ) {
    const rows = await findAfter(db, after, ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

/** What the list shows, page by page. */
async function* foundRows(
  context: RequestContext,
  place: ListPlace,
): AsyncGenerator<ProductRow[], undefined> {
  for (let page = 1; ; page++) {
    const { rows, total } = await shelfPage(context, { ...place, page, size: ROWS_AT_ONCE });
    if (rows.length === 0) return;
    yield await findByIds(
      context.db,
      rows.map(({ id }) => id),
    );
    if (page * ROWS_AT_ONCE >= total) return;
  }
}

/** Cells of the spreadsheet. */
const CELL: Record<ProductField, (product: ProductRow) => string> = {
  name: ({ name }) => name,
  description: ({ description }) => description,
  price: ({ priceCents }) => (priceCents / 100).toFixed(2),
  stock: ({ stock }) => String(stock),
  category: ({ category }) => category,
  colors: ({ colors }) => asCell(colors),
  imageUrls: ({ imageUrls }) => imageUrls.join(", "),
};

function cellsOf(product: ProductRow): string[] {
  return FIELDS.map((field) => guarded(CELL[field](product)));
}

/**
 * A file to be kept.
 *
 * @param body of CSV with a mark, so that spreadsheets read it as UTF-8
 */
export function fileResponse(body: BodyInit, fileName: string, type = "text/csv; charset=utf-8"): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
    },
  });
}
