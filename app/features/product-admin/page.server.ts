import type { ListReads } from "~/db/lists";
import { identityKey } from "~/db/text";
import type { Category } from "~/domain/categories";
import { recentChanges } from "~/features/audit/operations.server";
import { PRODUCT } from "~/features/catalogue/product";
import { countProducts, PRODUCT_LIST } from "~/features/catalogue/queries.server";
import { sanitizeRichText } from "~/features/catalogue/rich-text.server";
import { NO_FILTER } from "~/features/catalogue/schema";
import { countFound } from "~/features/catalogue/search.queries.server";
import { planSearch } from "~/features/catalogue/search-lookup.queries.server";
import { latestRuns, runView } from "~/features/product-import/runs.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { readListPage } from "~/records/list-page.server";
import { type ListParams, type OpenDialog, readDialog } from "~/ui/DataTable/list-params";
import {
  IMPORT_DIALOG,
  type ProductDetail,
  type ProductRowView,
  type ProductSort,
  parseProductListParams,
} from "./list-params";
import {
  countByNamePart,
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
export async function productReads(
  { db }: StaffContext,
  params: ListParams,
): Promise<ListReads<ProductRowView>> {
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
