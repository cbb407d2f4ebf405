import { FIELDS, PRODUCT_FIELDS, type ProductField } from "~/features/catalogue/product-fields";
import type { ProductRow } from "~/features/catalogue/queries.server";
import { isFiltered, type ListParams, parseProductListParams } from "~/features/product-admin/list-params";
import { productListPage } from "~/features/product-admin/product-list.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { csvFile } from "~/http/streams.server";
import { toCell } from "./draft";
import { findAfter, findByIds } from "./queries.server";

const ROWS_AT_ONCE = 500;
/** Downloads the bulk upload template: the columns and one example row. */
export const templateCsv = operation({
  access: "staff",
  input: PageInput,
  run: async () =>
    csvFile("product_template", [...FIELDS], [[Object.values(PRODUCT_FIELDS).map(({ example }) => example)]]),
});

/**
 * Streams the products that match the list's URL in the template's format; importing the file changes nothing.
 * Cells that a spreadsheet would evaluate get a leading apostrophe, which the import removes.
 */
export const catalogueCsv = operation({
  access: "staff",
  input: PageInput,
  run: async ({ input, ...context }) =>
    catalogueFile(context, parseProductListParams(new URL(input.url).searchParams)),
});

function catalogueFile(context: StaffContext, params: ListParams): Response {
  const chunks = async function* () {
    const parts = isFiltered(params) ? filteredRows(context, params) : allRows(context);
    for await (const rows of parts) yield rows.map(cellsOf);
  };
  const day = new Date(context.now * 1000).toISOString().slice(0, 10);
  return csvFile(`products-${day}`, [...FIELDS], chunks());
}

async function* allRows({ db }: StaffContext): AsyncGenerator<ProductRow[], undefined> {
  for (let after = 0; ; ) {
    const rows = await findAfter(db, after, ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

/** Reads the filtered list, page by page. */
async function* filteredRows(
  context: StaffContext,
  params: ListParams,
): AsyncGenerator<ProductRow[], undefined> {
  for (let page = 1; ; page++) {
    const { rows, total } = await productListPage(context, { ...params, page, size: ROWS_AT_ONCE });
    if (rows.length === 0) return;
    yield await findByIds(
      context.db,
      rows.map(({ id }) => id),
    );
    if (page * ROWS_AT_ONCE >= total) return;
  }
}

const CELL: Record<ProductField, (product: ProductRow) => string> = {
  name: ({ name }) => name,
  description: ({ description }) => description,
  price: ({ priceCents }) => (priceCents / 100).toFixed(2),
  stock: ({ stock }) => String(stock),
  category: ({ category }) => category,
  colors: ({ colors }) => toCell(colors),
  imageUrls: ({ imageUrls }) => imageUrls.join(", "),
};

function cellsOf(product: ProductRow): string[] {
  return FIELDS.map((field) => CELL[field](product));
}

/** Sends a file for download. */
export function fileResponse(body: BodyInit, fileName: string, type = "text/csv; charset=utf-8"): Response {
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
    },
  });
}
