import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { categoryName } from "~/features/catalogue/category-name";
import type { Column } from "~/ui/DataTable/columns";
import type { ListParams } from "~/ui/DataTable/list-params";
import { dollars } from "~/ui/money";
import { movementsUrl, STOCK_LEVEL_NAMES, type StockLevel, stockLevel } from "./list-params";
import type { StockRow } from "./queries.server";
import { StockCell } from "./StockCell";

const LEVEL_CLASSES: Record<StockLevel, string> = {
  out: "stock-level out",
  low: "stock-level low",
  enough: "stock-level",
  held: "stock-level low",
};

const grouped = (count: number) => count.toLocaleString("en");

/** Columns of the table; the cells keep what is being typed, since React finds them by their column. */
export function stockColumns(params: ListParams, changeId: string): Column<StockRow>[] {
  return [
    { id: "name", title: "Name", className: "cell-name", cell: (row) => <Name row={row} params={params} /> },
    ...PLAIN_COLUMNS,
    {
      id: "held",
      title: "On hold",
      isNumber: true,
      isFixed: true,
      className: "cell-held",
      cell: (row) => <Held row={row} params={params} />,
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

const PLAIN_COLUMNS: Column<StockRow>[] = [
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
];

function Held({ row: { id, held }, params }: { row: StockRow; params: ListParams }) {
  if (held === 0) return <span className="soft">0</span>;
  return (
    <Movements id={id} params={params}>
      {grouped(held)}
    </Movements>
  );
}

interface MovementsLinkProps {
  id: string;
  params: ListParams;
  children: ReactNode;
}

function Movements({ id, params, children }: MovementsLinkProps) {
  return (
    <Link className="link" to={movementsUrl(params, id)} preventScrollReset>
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
