import { useActionData } from "@remix-run/react";
import { useCallback, useMemo, useRef, useState } from "react";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { labelsUrl } from "~/features/codes/paths";
import { useCodeSearch } from "~/features/codes/useCodeSearch";
import { FilterPills } from "~/ui/DataTable/filters";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { csvUrl, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { stockColumns } from "./columns";
import { STOCK_LEVEL_NAMES, stockOf } from "./list-params";
import { MovementsPanel } from "./MovementsPanel";
import type { StockPage, UnitCounts } from "./operations/stock.server";
import type { StockRow } from "./queries.server";
import { OnStockSaved, type StockResponse } from "./useStockField";

const FILTERS = [
  {
    name: "category",
    label: "Category",
    allLabel: "All categories",
    options: CATEGORIES.map((category) => ({ value: category, label: categoryName(category) })),
  },
];

export function StockScreen({ page }: { page: StockPage }) {
  const { params, rows, total, counts, failure, panel, changeId } = page;
  const refused = useActionData<StockResponse>();
  // The field shows it, if its row is on the page.
  const isAtField = rows?.some(({ id }) => id === refused?.lastResult?.initialValue?.id);
  const { visibleRows, noteStock } = useStableRows(rows ?? [], listUrl(params));
  useListKeys();
  const codes = useCodeSearch(stockOf);
  // Constant while typed values are kept; a new id after each form without JavaScript.
  const columns = useMemo(() => stockColumns(params, changeId), [params, changeId]);
  return (
    <OnStockSaved.Provider value={noteStock}>
      <StatusRegion message={failure ?? (isAtField ? null : refused?.failure)} answer={refused ?? page} />
      <ListScreen
        label="Inventory"
        search="Search products, SKU, barcode"
        {...codes}
        filters={FILTERS}
        pills={<FilterPills params={params} name="level" label="Level" pills={levelPills(counts)} />}
        csv={csvUrl(params)}
        actions={<LabelsLink rows={visibleRows} />}
        className="stock-table"
        maxHeight={800}
        params={params}
        columns={columns}
        rows={rows && visibleRows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{ icon: "boxes", children: <Invitation /> }}
        currentRow={panel?.id}
        note={<EditHint />}
        aside={panel && <MovementsPanel key={panel.id} panel={panel} params={params} />}
      />
    </OnStockSaved.Provider>
  );
}

const LabelsLink = ({ rows }: { rows: StockRow[] }) => (
  <Link className="btn" to={labelsUrl(rows.map(({ id }) => id))}>
    <Icon name="printer" className="i s" />
    Labels
  </Link>
);

const levelPills = (counts: UnitCounts) => [
  { value: "", label: "All", count: counts.all.toLocaleString("en") },
  { value: "low", label: STOCK_LEVEL_NAMES.low, count: counts.low.toLocaleString("en") },
  { value: "out", label: STOCK_LEVEL_NAMES.out, count: counts.out.toLocaleString("en") },
];

function Invitation() {
  return (
    <>
      <p>Add a product to manage its stock here.</p>
      <div className="button-row">
        <Link className="btn primary" to="/admin/products-management?dialog=new">
          Add Product
        </Link>
      </div>
    </>
  );
}

function EditHint() {
  return (
    <p className="table-note">
      Type <kbd>40</kbd> to set, <kbd>+12</kbd> or <kbd>−2</kbd> to change.
      <span className="needs-script">
        {" "}
        <kbd>Enter</kbd> saves and moves down, <kbd>Esc</kbd> takes it back.
      </span>
    </p>
  );
}

// Without allow-top-navigation: the sheet cannot navigate the back office away.
const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads";

/** Frames the configured spreadsheet (docs/product.md, 10). */
export function InventorySheet({ url }: { url: string }) {
  return (
    <section className="panel sheet-frame" aria-label="Inventory">
      <iframe src={url} title="Inventory spreadsheet" height={800} sandbox={SANDBOX} allowFullScreen />
    </section>
  );
}

/**
 * Keeps the rows of a page in place while their stock is edited, even where sort or filter would move them.
 *
 * @param rows latest rows
 * @param url of the list; another URL shows its rows as read
 * @returns `noteStock` records a saved stock for rows that later reads leave out
 */
function useStableRows(
  rows: StockRow[],
  url: string,
): { visibleRows: StockRow[]; noteStock: (id: string, stock: number) => void } {
  const first = useRef({ url, rows });
  const [savedStock, setSavedStock] = useState<ReadonlyMap<string, number>>(new Map());
  if (first.current.url !== url || first.current.rows.length === 0) first.current = { url, rows };
  const read = new Map(rows.map((row) => [row.id, row]));
  const noteStock = useCallback(
    (id: string, stock: number) => setSavedStock((before) => new Map(before).set(id, stock)),
    [],
  );
  const visibleRows = first.current.rows.map(
    (row) => read.get(row.id) ?? withStock(row, savedStock.get(row.id) ?? row.stock),
  );
  return { visibleRows, noteStock };
}

const withStock = (row: StockRow, stock: number): StockRow => ({
  ...row,
  stock,
  available: Math.max(0, stock - row.held),
});
