import { latestRuns, runView } from "~/features/product-import/runs.server";
import { asAppError } from "~/http/api-route.server";
import type { RequestContext } from "~/http/request-context.server";
import {
  BULK_UPLOAD,
  type ListParams,
  type OpenDialog,
  parseProductListParams,
  readDialog,
} from "./list-params";
import { productDetail, productListPage } from "./product-list.server";
import type { ProductRowView } from "./views";

/** What the products' screen shows. */
export type ProductsScreenData = Awaited<ReturnType<typeof productsScreen>>;

/**
 * Reads what the products' screen shows at an address. The caller must have made sure that a member of staff asks.
 *
 * @param url of the page
 */
export async function productsScreen(context: RequestContext, url: string) {
  const { searchParams } = new URL(url);
  const place = parseProductListParams(searchParams);
  const dialog = readDialog(searchParams);
  const isBulk = dialog?.kind === "dialog" && dialog.id === BULK_UPLOAD;
  const [list, target, bulk] = await Promise.all([
    isBulk ? EMPTY : attempt(context, place),
    targetOf(context, dialog),
    isBulk ? bulkPart(context, searchParams.get("run")) : null,
  ]);
  const newId = crypto.randomUUID();
  return { ...list, place: { ...place, page: list.page ?? place.page }, dialog, target, bulk, newId };
}

/** The list, or why there is none. */
interface List {
  rows: ProductRowView[] | null;
  total: number;
  page: number | null;
  failure: string | null;
}

const EMPTY: List = { rows: [], total: 0, page: null, failure: null };

async function attempt(context: RequestContext, place: ListParams): Promise<List> {
  try {
    return { ...(await productListPage(context, place)), failure: null };
  } catch (error) {
    const failure = `Failed to fetch products: ${asAppError(error).message}`;
    return { rows: null, total: 0, page: null, failure };
  }
}

async function targetOf(context: RequestContext, dialog: OpenDialog | null) {
  if (!dialog || dialog.kind === "dialog") return null;
  return productDetail(context, dialog.id).catch((error: unknown) => {
    asAppError(error);
    return null;
  });
}

/** The runs so far, and the one that is looked at. */
async function bulkPart(context: RequestContext, id: string | null) {
  const [runs, run] = await Promise.all([latestRuns(context), id ? runView(context, id) : null]);
  return { runs, run, timezone: context.settings.timezone };
}
