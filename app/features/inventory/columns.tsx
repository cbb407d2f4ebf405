import { categoryName } from "~/features/catalogue/categories";
import type { Column } from "~/ui/DataTable/columns";
import { dollars } from "~/ui/money";
import { LEVEL_NAMES, type Level, levelOf } from "./levels";
import type { StockRow } from "./queries.server";
import { StockCell } from "./StockCell";

const LOOKS: Record<Level, string> = {
  out: "stock-level out",
  low: "stock-level low",
  enough: "stock-level",
};

/** The inventory, column by column; the same ones all the time, so that no field loses what is typed into it. */
export const STOCK_COLUMNS: Column<StockRow>[] = [
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
    cell: ({ stock }) => <span className={LOOKS[levelOf(stock)]}>{LEVEL_NAMES[levelOf(stock)]}</span>,
  },
  {
    id: "stock",
    title: "Stock",
    isNumber: true,
    className: "set",
    cell: (row) => <StockCell row={row} />,
  },
];
