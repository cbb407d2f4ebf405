import { Link, useActionData } from "@remix-run/react";
import { useCallback, useRef, useState } from "react";
import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import type { Column } from "~/ui/DataTable/columns";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { csvUrl, type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { dollars } from "~/ui/money";
import { StatusRegion } from "~/ui/Toasts";
import { type FilteredLevel, STOCK_LEVEL_NAMES, type StockLevel, stockLevel } from "./list-params";
import type { LevelCounts, StockPage } from "./operations.server";
import type { StockRow } from "./queries.server";
import { OnStockSaved, StockCell, type StockResponse } from "./StockCell";

const FILTERS = [
  {
    name: "category",
    label: "Category",
    allLabel: "All categories",
    options: CATEGORIES.map((category) => ({ value: category, label: categoryName(category) })),
  },
];

export function StockScreen({ page }: { page: StockPage }) {
  const { params, rows, total, counts, failure } = page;
  const failed = useActionData<StockResponse>();
  const { visibleRows, noteStock } = useStableRows(rows ?? [], listUrl(params));
  useListKeys();
  return (
    <OnStockSaved.Provider value={noteStock}>
      <StatusRegion message={failure ?? failed?.failure} answer={failed ?? page} />
      <ListScreen
        label="Inventory"
        search="Search products"
        filters={FILTERS}
        csv={csvUrl(params)}
        className="stock-table"
        frame={800}
        params={params}
        columns={STOCK_COLUMNS}
        rows={rows && visibleRows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{ icon: "boxes", children: <Invitation /> }}
      >
        <LevelFilter params={params} counts={counts} />
      </ListScreen>
    </OnStockSaved.Provider>
  );
}

function LevelFilter({ params, counts }: { params: ListParams; counts: LevelCounts }) {
  const { level: _, ...others } = params.filters;
  const at = (level: FilteredLevel | "") =>
    listUrl(params, { filters: level ? { ...others, level } : others });
  const levels = [
    { level: "", name: "All", count: counts.all },
    { level: "low", name: STOCK_LEVEL_NAMES.low, count: counts.low },
    { level: "out", name: STOCK_LEVEL_NAMES.out, count: counts.out },
  ] as const;
  return (
    <nav className="levels" aria-label="Level">
      {levels.map(({ level, name, count }) => (
        <Link
          key={name}
          to={at(level)}
          aria-current={(params.filters.level ?? "") === level ? "page" : undefined}
          preventScrollReset
        >
          {name} <b>{count.toLocaleString("en")}</b>
        </Link>
      ))}
    </nav>
  );
}

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

const LEVEL_CLASSES: Record<StockLevel, string> = {
  out: "stock-level out",
  low: "stock-level low",
  enough: "stock-level",
};

/** Constant, so that a new render keeps what is being typed. */
const STOCK_COLUMNS: Column<StockRow>[] = [
  { id: "name", title: "Name", className: "cell-name", cell: ({ name }) => <span title={name}>{name}</span> },
  {
    id: "category",
    title: "Category",
    className: "cell-category",
    cell: ({ category }) => <span className={`category-badge ${category}`}>{categoryName(category)}</span>,
  },
  {
    id: "price",
    title: "Price",
    isNumber: true,
    className: "price",
    cell: ({ priceCents }) => dollars(priceCents),
  },
  {
    id: "level",
    title: "Level",
    isFixed: true,
    className: "cell-level",
    cell: ({ stock }) => (
      <span className={LEVEL_CLASSES[stockLevel(stock)]}>{STOCK_LEVEL_NAMES[stockLevel(stock)]}</span>
    ),
  },
  {
    id: "stock",
    title: "Stock",
    isNumber: true,
    className: "set",
    cell: (row) => <StockCell row={row} />,
  },
];

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
    (row) => read.get(row.id) ?? { ...row, stock: savedStock.get(row.id) ?? row.stock },
  );
  return { visibleRows, noteStock };
}
