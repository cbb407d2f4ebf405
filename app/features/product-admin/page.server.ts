import type { Category } from "~/domain/categories";
import { recentChanges } from "~/features/audit/operations.server";
import { nameKey, PRODUCT } from "~/features/catalogue/product";
import { countProducts, findProduct } from "~/features/catalogue/queries.server";
import { sanitizeRichText } from "~/features/catalogue/rich-text.server";
import { NO_FILTER } from "~/features/catalogue/schema";
import { countFound } from "~/features/catalogue/search.queries.server";
import { planSearch } from "~/features/catalogue/search-lookup.queries.server";
import { latestRuns, runView } from "~/features/product-import/runs.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { type ListParams, type OpenDialog, pageCount, readDialog } from "~/ui/DataTable/list-params";
import {
  IMPORT_DIALOG,
  type ProductDetail,
  type ProductRowView,
  type ProductSort,
  parseProductListParams,
} from "./list-params";
import {
  countByNamePart,
  findByNamePart,
  findProductRows,
  type ProductListQuery,
  searchProductRows,
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
      isImport ? EMPTY : listOrFailure(context, params),
      dialogTarget(context, dialog),
      recentChanges(context, dialog?.kind === "edit" ? dialog.id : null),
      isImport ? importRuns(context, searchParams.get("run")) : null,
    ]);
    const newId = crypto.randomUUID();
    const page = list.page ?? params.page;
    return { ...list, params: { ...params, page }, dialog, target, changes, productImport, newId };
  },
});

/** Rows of the list, or the error message in their place. */
interface List {
  rows: ProductRowView[] | null;
  total: number;
  page: number | null;
  failure: string | null;
}

const EMPTY: List = { rows: [], total: 0, page: null, failure: null };

async function listOrFailure(context: StaffContext, params: ListParams): Promise<List> {
  const { value, message } = await settledResult(productListPage(context, params));
  if (value) return { ...value, failure: null };
  return { rows: null, total: 0, page: null, failure: `Failed to fetch products: ${message}` };
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

export interface ProductListPage {
  rows: ProductRowView[];
  total: number;
  /** Page that was read; the last one when the URL names a later one. */
  page: number;
}

/** Minimum length of a text that matches anywhere in names. */
const MIN_INFIX_LENGTH = 3;

/**
 * Reads a page of products. A search finds names that contain its text; without any, it finds its words anywhere and
 * with typos. At most four round trips to D1: the last page is read when the URL names a later one.
 */
export async function productListPage({ db }: StaffContext, params: ListParams): Promise<ProductListPage> {
  const category = (params.filters.category ?? null) as Category | null;
  const { q } = params;
  if (!q)
    return readPage(params, category, {
      rows: (query) => findProductRows(db, query),
      total: () => countProducts(db, category),
    });
  const text = nameKey(q);
  if (Array.from(text).length >= MIN_INFIX_LENGTH) {
    const page = await readPage(params, category, {
      rows: (query) => findByNamePart(db, text, query),
      total: () => countByNamePart(db, text, category),
    });
    if (page.total > 0) return page;
  }
  const planned = await planSearch(db, q, { insideWords: true });
  if (!planned) return { rows: [], total: 0, page: 1 };
  const { plan } = planned;
  return readPage(params, category, {
    rows: (query) => searchProductRows(db, plan, query),
    total: async () => (await countFound(db, plan, { ...NO_FILTER, category })).total,
  });
}

interface Reads {
  rows(query: ProductListQuery): Promise<ProductRowView[]>;
  total(): Promise<number>;
}

/** Reads the requested page, or the last one. */
async function readPage(
  params: ListParams,
  category: Category | null,
  reads: Reads,
): Promise<ProductListPage> {
  const { page, size, sort, dir } = params;
  const read = (at: number) =>
    reads.rows({ category, sort: sort as ProductSort, dir, limit: size, offset: (at - 1) * size });
  const [rows, total] = await Promise.all([read(page), reads.total()]);
  const last = pageCount(total, size);
  if (page <= last || total === 0) return { rows, total, page: Math.min(page, last) };
  return { rows: await read(last), total, page: last };
}

/** Reads a product for its dialogs; null for an unknown id. */
async function productDetail({ db }: StaffContext, id: string): Promise<ProductDetail | null> {
  const product = await findProduct(db, id);
  if (!product) return null;
  const { description, ...content } = PRODUCT.pick(product);
  return { id, description: sanitizeRichText(description), ...content };
}
