import { Link, useActionData } from "@remix-run/react";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import type { Column } from "~/ui/DataTable/columns";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { csvUrl, type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { dollars } from "~/ui/money";
import { StatusRegion } from "~/ui/Toasts";
import {
  type FilteredLevel,
  movementsUrl,
  STOCK_LEVEL_NAMES,
  type StockLevel,
  stockLevel,
} from "./list-params";
import { MovementsPanel } from "./MovementsPanel";
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
  const { params, rows, total, counts, failure, panel, changeId } = page;
  const failed = useActionData<StockResponse>();
  const { visibleRows, noteStock } = useStableRows(rows ?? [], listUrl(params));
  useListKeys();
  // Constant while typed values are kept; a new id after each form without JavaScript.
  const columns = useMemo(() => stockColumns(params, changeId), [params, changeId]);
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
        columns={columns}
        rows={rows && visibleRows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{ icon: "boxes", children: <Invitation /> }}
        currentRow={panel?.id}
        note={<EditHint />}
        aside={panel && <MovementsPanel key={panel.id} panel={panel} params={params} />}
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
  held: "stock-level low",
};

const grouped = (count: number) => count.toLocaleString("en");

/** Columns of the table; the cells keep what is being typed, since React finds them by their column. */
function stockColumns(params: ListParams, changeId: string): Column<StockRow>[] {
  return [
    { id: "name", title: "Name", className: "cell-name", cell: (row) => <Name row={row} params={params} /> },
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
      cell: (row) => <Level row={row} />,
    },
    {
      id: "available",
      title: "Available",
      isNumber: true,
      isFixed: true,
      className: "cell-available",
      cell: ({ available }) =>
        available === 0 ? <span className="soft">0</span> : <b>{grouped(available)}</b>,
    },
    {
      id: "held",
      title: "On hold",
      isNumber: true,
      isFixed: true,
      className: "cell-held",
      cell: ({ id, held }) =>
        held === 0 ? (
          <span className="soft">0</span>
        ) : (
          <Movements id={id} params={params}>
            {grouped(held)}
          </Movements>
        ),
    },
    {
      id: "stock",
      title: "Stock",
      isNumber: true,
      className: "set",
      cell: (row) => <StockCell row={row} changeId={changeId} />,
    },
  ];
}

interface MovementsLinkProps {
  id: string;
  params: ListParams;
  children: ReactNode;
}

function Movements({ id, params, children }: MovementsLinkProps) {
  return (
    <Link className="quiet-link" to={movementsUrl(params, id)} preventScrollReset>
      {children}
    </Link>
  );
}

function Name({ row: { id, name }, params }: { row: StockRow; params: ListParams }) {
  return (
    <span title={name}>
      <Movements id={id} params={params}>
        {name}
      </Movements>
    </span>
  );
}

function Level({ row: { stock, available, held } }: { row: StockRow }) {
  const level = stockLevel(stock, available);
  return (
    <>
      <span className={LEVEL_CLASSES[level]}>{STOCK_LEVEL_NAMES[level]}</span>
      {held > 0 && (
        <small className="phone-only">{`${grouped(available)} available, ${grouped(held)} on hold`}</small>
      )}
    </>
  );
}

function EditHint() {
  return (
    <p className="edit-hint">
      Type <kbd>40</kbd> to set, <kbd>+12</kbd> or <kbd>−2</kbd> to change.
      <span className="needs-script">
        {" "}
        <kbd>Enter</kbd> saves and moves down, <kbd>Esc</kbd> takes it back.
      </span>
    </p>
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
