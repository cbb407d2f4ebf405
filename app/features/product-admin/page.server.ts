import { latestRuns, runView } from "~/features/product-import/runs.server";
import { asAppError, operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import {
  BULK_UPLOAD,
  type ListParams,
  type OpenDialog,
  type ProductRowView,
  parseProductListParams,
  readDialog,
} from "./list-params";
import { productDetail, productListPage } from "./product-list.server";

/** Data of the products screen. */
export type ProductsScreenData = ResultOf<typeof readProductsScreen>;

/** Reads the products screen at its URL: the list with its dialog, or the bulk upload. */
export const readProductsScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseProductListParams(searchParams);
    const dialog = readDialog(searchParams);
    const isImport = dialog?.kind === "dialog" && dialog.id === BULK_UPLOAD;
    const [list, target, bulk] = await Promise.all([
      isImport ? EMPTY : attempt(context, params),
      dialogTarget(context, dialog),
      isImport ? importRuns(context, searchParams.get("run")) : null,
    ]);
    const newId = crypto.randomUUID();
    return { ...list, params: { ...params, page: list.page ?? params.page }, dialog, target, bulk, newId };
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

async function attempt(context: StaffContext, params: ListParams): Promise<List> {
  try {
    return { ...(await productListPage(context, params)), failure: null };
  } catch (error) {
    const failure = `Failed to fetch products: ${asAppError(error).message}`;
    return { rows: null, total: 0, page: null, failure };
  }
}

async function dialogTarget(context: StaffContext, dialog: OpenDialog | null) {
  if (!dialog || dialog.kind === "dialog") return null;
  return productDetail(context, dialog.id).catch((error: unknown) => {
    asAppError(error);
    return null;
  });
}

/** Reads the latest import runs, and the one named in the URL. */
async function importRuns(context: StaffContext, id: string | null) {
  const [runs, run] = await Promise.all([latestRuns(context), id ? runView(context, id) : null]);
  return { runs, run, timezone: context.settings.timezone };
}
