import { Link, useActionData } from "@remix-run/react";
import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { csvUrl, type ListParams, listUrl } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { StatusRegion } from "~/ui/StatusRegion";
import { STOCK_COLUMNS } from "./columns";
import { LEVEL_NAMES, type LowOrOut } from "./levels";
import type { LevelCounts } from "./list.server";
import type { StockPage } from "./page.server";
import type { StockResponse } from "./stock-response";
import { useStableRows } from "./useStableRows";
import { OnStockSaved } from "./useStockField";

const CHOICES = [
  {
    name: "category",
    label: "Category",
    all: "All categories",
    options: CATEGORIES.map((category) => ({ value: category, label: categoryName(category) })),
  },
];

/** The shop's own stock table (contract: Inventory). */
export function StockScreen({ page }: { page: StockPage }) {
  const { params, rows, total, counts, failure } = page;
  const refused = useActionData<StockResponse>();
  const { held, note } = useStableRows(rows ?? [], listUrl(params));
  useListKeys();
  return (
    <OnStockSaved.Provider value={note}>
      <StatusRegion message={failure ?? refused?.failure} answer={refused ?? page} />
      <ListScreen
        label="Inventory"
        search="Search products"
        choices={CHOICES}
        csv={csvUrl(params)}
        className="stock-table"
        frame={800}
        params={params}
        columns={STOCK_COLUMNS}
        rows={rows && held}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{ icon: "boxes", children: <Invitation /> }}
      >
        <Levels params={params} counts={counts} />
      </ListScreen>
    </OnStockSaved.Provider>
  );
}

/** How much is low or out, each a way to see just that. */
function Levels({ params, counts }: { params: ListParams; counts: LevelCounts }) {
  const { level: _, ...others } = params.filters;
  const at = (level: LowOrOut | "") => listUrl(params, { filters: level ? { ...others, level } : others });
  const levels = [
    { level: "", name: "All", count: counts.all },
    { level: "low", name: LEVEL_NAMES.low, count: counts.low },
    { level: "out", name: LEVEL_NAMES.out, count: counts.out },
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
      <p>Add a product, and its stock can be set here.</p>
      <div className="button-row">
        <Link className="btn primary" to="/admin/products-management?dialog=new">
          Add Product
        </Link>
      </div>
    </>
  );
}
