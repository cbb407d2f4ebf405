import type { ListReads } from "~/db/lists";
import { identityKey } from "~/db/text";
import type { Category } from "~/domain/categories";
import { recentChanges } from "~/features/audit/operations.server";
import { FIELDS, PRODUCT, PRODUCT_SHEET } from "~/features/catalogue/product";
import { countProducts, PRODUCT_LIST, type ProductRow } from "~/features/catalogue/queries.server";
import { sanitizeRichText } from "~/features/catalogue/rich-text.server";
import { NO_FILTER } from "~/features/catalogue/schema";
import { countFound } from "~/features/catalogue/search.queries.server";
import { planSearch } from "~/features/catalogue/search-lookup.queries.server";
import { escapeEntities, escapeHtmlText } from "~/features/product-import/html-signs";
import { IMPORT_DIALOG } from "~/features/product-import/plan";
import { latestRuns, runView } from "~/features/product-import/runs.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { csvFile } from "~/http/streams.server";
import { readListPage } from "~/records/list-page.server";
import { isFiltered, type ListParams, type OpenDialog, readDialog } from "~/ui/DataTable/list-params";
import {
  type ProductDetail,
  type ProductRowView,
  type ProductSort,
  parseProductListParams,
} from "./list-params";
import {
  countByNamePart,
  findAfter,
  findByIds,
  findProductDetail,
  productRows,
  rowsByNamePart,
  rowsBySearch,
} from "./queries.server";

export type ProductsScreenData = ResultOf<typeof readProductsScreen>;

/** Reads the products screen at its URL: the list with its dialog, or the product import. */
export const readProductsScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseProductListParams(searchParams);
    const dialog = readDialog(searchParams);
    const isImport = dialog?.kind === "dialog" && dialog.id === IMPORT_DIALOG;
    const [list, target, changes, productImport] = await Promise.all([
      isImport ? emptyList(params) : listOrFailure(context, params),
      dialogTarget(context, dialog),
      recentChanges(context, dialog?.kind === "edit" ? dialog.id : null, PRODUCT.fields),
      isImport ? importRuns(context, searchParams.get("run")) : null,
    ]);
    const newId = crypto.randomUUID();
    return { ...list, dialog, target, changes, productImport, newId };
  },
});

/** Rows of the list, or the error message in their place. */
interface List {
  rows: ProductRowView[] | null;
  total: number;
  params: ListParams;
  failure: string | null;
}

const emptyList = (params: ListParams): List => ({ rows: [], total: 0, params, failure: null });

async function listOrFailure(context: StaffContext, params: ListParams): Promise<List> {
  const page = productReads(context, params).then((reads) => readListPage(context, params, reads));
  const { value, message } = await settledResult(page);
  if (value) return { ...value, failure: null };
  return { rows: null, total: 0, params, failure: `Failed to fetch products: ${message}` };
}

async function dialogTarget(context: StaffContext, dialog: OpenDialog | null) {
  if (!dialog || dialog.kind === "dialog") return null;
  return resultOrNull(productDetail(context, dialog.id));
}

/** Reads the latest import runs, and the one named in the URL. */
async function importRuns(context: StaffContext, id: string | null) {
  const [runs, run] = await Promise.all([latestRuns(context), id ? runView(context, id) : null]);
  return { runs, run, timezone: context.settings.timezone };
}

/** Minimum length of a text that matches anywhere in names. */
const MIN_INFIX_LENGTH = 3;

/**
 * Chooses how a list of products is read. A search finds names that contain its text; without any, it finds its words
 * anywhere and with typos.
 */
async function productReads({ db }: StaffContext, params: ListParams): Promise<ListReads<ProductRowView>> {
  const { q, filters } = params;
  const category = (filters.category ?? null) as Category | null;
  const list = { category, sort: params.sort as ProductSort };
  if (!q)
    return PRODUCT_LIST.reads(db, productRows(list), async () => ({
      total: await countProducts(db, category),
    }));
  const text = identityKey(q);
  if (Array.from(text).length >= MIN_INFIX_LENGTH) {
    const total = await countByNamePart(db, text, list);
    if (total > 0) return PRODUCT_LIST.reads(db, rowsByNamePart(text, list), async () => ({ total }));
  }
  const plan = (await planSearch(db, q, { insideWords: true }))?.plan;
  if (!plan) return { rows: async () => [], matches: async () => ({ total: 0 }) };
  return PRODUCT_LIST.reads(db, rowsBySearch(plan, list), () =>
    countFound(db, [plan], { ...NO_FILTER, category }),
  );
}

/** Reads a product for its dialogs; null for an unknown id. */
async function productDetail({ db }: StaffContext, id: string): Promise<ProductDetail | null> {
  const product = await findProductDetail(db, id);
  return product && { ...product, description: sanitizeRichText(product.description) };
}

const ROWS_AT_ONCE = 500;

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

async function* filteredRows(
  context: StaffContext,
  params: ListParams,
): AsyncGenerator<ProductRow[], undefined> {
  const reads = await productReads(context, params);
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const rows = await reads.rows({ limit: ROWS_AT_ONCE, offset, dir: params.dir }, null);
    if (rows.length === 0) return;
    yield await findByIds(
      context.db,
      rows.map(({ id }) => id),
    );
  }
}

/** Writes a value so that the import, which decodes entities, restores it. */
function escaped(column: string, value: unknown): unknown {
  if (column === "description") return escapeHtmlText(String(value));
  if (column === "imageUrls") return value;
  if (Array.isArray(value)) return value.map((entry) => escapeEntities(String(entry)));
  return typeof value === "string" ? escapeEntities(value) : value;
}

function cellsOf(product: ProductRow): (string | number)[] {
  return PRODUCT_SHEET.columns.map(({ column, field }) =>
    field.toCell(escaped(column, product[column as keyof ProductRow]), ""),
  );
}
