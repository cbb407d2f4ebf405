import { recentChanges } from "~/features/audit/operations.server";
import { heldBy } from "~/features/catalogue/operations/units.server";
import { FIELDS, PRODUCT, PRODUCT_SHEET } from "~/features/catalogue/product";
import type { ProductRow } from "~/features/catalogue/queries.server";
import { sanitizeRichText } from "~/features/catalogue/rich-text.server";
import { unitsOf } from "~/features/catalogue/unit-views";
import { MAX_CODE, MAX_OPTIONS, type ProductUnit } from "~/features/catalogue/units";
import { findHoldsOf } from "~/features/catalogue/units.queries.server";
import { openSearchedCode } from "~/features/codes/page.server";
import { escapeEntities, escapeHtmlText } from "~/features/product-import/html-signs";
import { IMPORT_DIALOG } from "~/features/product-import/plan";
import { listRuns, runView } from "~/features/product-import/runs.server";
import { countWaiting } from "~/features/restock/queries.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { csvFile } from "~/http/streams.server";
import { readListPage } from "~/records/list-page.server";
import { isFiltered, type ListParams, type OpenDialog, readDialog } from "~/ui/DataTable/list-params";
import { MAX_ACT_PRODUCTS } from "./acts";
import { type ProductDetail, type ProductRowView, parseProductListParams, productOf } from "./list-params";
import { productReads } from "./list-reads.server";
import { readActResult } from "./operations/acts.server";
import { findAfter, findByIds, findProductDetail } from "./queries.server";

export type ProductsScreenData = ResultOf<typeof readProductsScreen>;

/** Reads the products screen at its URL: the list with its dialog, or the product import. */
export const readProductsScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseProductListParams(searchParams);
    await openSearchedCode(context, productOf);
    const dialog = readDialog(searchParams);
    const isImport = dialog?.kind === "dialog" && dialog.id === IMPORT_DIALOG;
    const run = searchParams.get("act");
    const [list, target, changes, productImport, acted] = await Promise.all([
      isImport ? emptyList(params) : listOrFailure(context, params),
      dialogTarget(context, dialog),
      recentChanges(context, dialog?.kind === "edit" ? dialog.id : null, PRODUCT.fields),
      isImport ? importRuns(context, searchParams) : null,
      run ? readActResult(context, run) : null,
    ]);
    const blank = { id: crypto.randomUUID(), barcode: searchParams.get("barcode")?.slice(0, MAX_CODE) ?? "" };
    return { ...list, dialog, target, changes, productImport, acted, blank };
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
  return resultOrNull(productDetail(context, dialog.id, dialog.kind === "delete"));
}

/** Reads the page of import runs, and the run, that the URL names. */
async function importRuns(context: StaffContext, params: URLSearchParams) {
  const id = params.get("run");
  const [history, run] = await Promise.all([
    listRuns(context, params.get("before")),
    id ? runView(context, id) : null,
  ]);
  return { history, run, timezone: context.settings.timezone };
}

/** Reads a product for its dialogs; null for an unknown id. @param isDeletion names who has pieces on hold */
async function productDetail(
  { db }: StaffContext,
  id: string,
  isDeletion: boolean,
): Promise<ProductDetail | null> {
  const [product, waiting] = await Promise.all([findProductDetail(db, id), countWaiting(db, id)]);
  const holds = isDeletion && product && product.held > 0 ? await findHoldsOf(db, "product", [id]) : [];
  return (
    product && {
      ...{ ...product, description: sanitizeRichText(product.description), waiting },
      ...(holds.length > 0 && { heldBy: heldBy(holds) }),
    }
  );
}

const ROWS_AT_ONCE = 500;

/**
 * Streams the products that match the list's URL, or those of it that are ticked, in the template's format; importing the file changes nothing.
 * Cells that a spreadsheet would evaluate get a leading apostrophe, which the import removes.
 */
export const catalogueCsv = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseProductListParams(searchParams);
    const picked = searchParams.getAll("pick").slice(0, MAX_ACT_PRODUCTS);
    const isPicked = picked.length > 0 && !searchParams.has("all");
    return catalogueFile(context, isPicked ? pickedRows(context, picked) : matchingRows(context, params));
  },
});

const matchingRows = (context: StaffContext, params: ListParams) =>
  isFiltered(params) ? filteredRows(context, params) : allRows(context);

async function* pickedRows({ db }: StaffContext, ids: string[]): AsyncGenerator<ProductRow[], undefined> {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE)
    yield await findByIds(db, ids.slice(from, from + ROWS_AT_ONCE));
}

function catalogueFile(context: Pick<StaffContext, "now">, parts: AsyncGenerator<ProductRow[]>): Response {
  const chunks = async function* () {
    for await (const rows of parts) yield rows.flatMap(linesOf);
  };
  const day = new Date(context.now * 1000).toISOString().slice(0, 10);
  return csvFile(`products-${day}`, [...FIELDS, ...UNIT_COLUMNS], chunks());
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

/** Columns after those of a product: its id, the unit's value of each option, and its codes. */
const UNIT_COLUMNS = [
  "id",
  ...Array.from({ length: MAX_OPTIONS }, (_, i) => [`option${i + 1}Name`, `option${i + 1}Value`]).flat(),
  "sku",
  "barcode",
];

/** Columns that stand in the first line of a product with several units. */
const FIRST_LINE = ["description", "imageUrls"];

/** Writes the lines of a product: one for each of its units, with the unit's price and stock. */
const linesOf = (product: ProductRow): (string | number)[][] =>
  unitsOf(product).map((unit, line) => [
    ...cellsOf({ ...product, priceCents: unit.priceCents ?? product.priceCents, stock: unit.stock }, line),
    ...unitCells(product, unit),
  ]);

function cellsOf(product: ProductRow, line: number): (string | number)[] {
  return PRODUCT_SHEET.columns.map(({ column, field }) =>
    line > 0 && FIRST_LINE.includes(column)
      ? ""
      : field.toCell(escaped(column, product[column as keyof ProductRow])),
  );
}

const unitCells = ({ id, options }: ProductRow, { values, sku, barcode }: ProductUnit): string[] => [
  id,
  ...Array.from({ length: MAX_OPTIONS }, (_, i) => [options[i]?.name ?? "", values[i] ?? ""]).flat(),
  ...[sku, barcode],
];
