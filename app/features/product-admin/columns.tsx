import { categoryName } from "~/domain/category-name";
import { dollars } from "~/domain/money";
import { stockLevel } from "~/domain/stock-levels";
import { HiddenTag } from "~/features/catalogue/HiddenTag";
import { PRODUCT } from "~/features/catalogue/product";
import { listedColumns } from "~/records/listed-columns";
import { ACTIONS_COLUMN, type Column } from "~/ui/DataTable/columns";
import { type ListParams, listUrl, type OpenDialog } from "~/ui/DataTable/list-params";
import { rowKeyAttribute } from "~/ui/DataTable/useTableKeys";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { useLowStock } from "~/ui/shop-numbers";
import { type Picks, ProductTick } from "./ActBar";
import type { ProductRowView } from "./list-params";

const MAX_COLORS = 3;

export function productColumns(params: ListParams, picks: Picks): Column<ProductRowView>[] {
  return [
    imageColumn(picks),
    ...COLUMNS,
    ...listedColumns<ProductRowView>(PRODUCT),
    {
      ...ACTIONS_COLUMN,
      cell: (row) => <Actions row={row} params={params} />,
    },
  ];
}

/** Picture of a product with its tick. */
const imageColumn = (picks: Picks): Column<ProductRowView> => ({
  id: "image",
  title: "Image",
  isFixed: true,
  className: "cell-pick",
  card: "mark",
  cell: ({ id, name, image }) => (
    <ProductTick id={id} name={name} picks={picks}>
      <span className="product-thumbnail">
        <Picture image={image} alt="" sizes="32px" width={48} />
      </span>
    </ProductTick>
  ),
});

const COLUMNS: Column<ProductRowView>[] = [
  {
    id: "name",
    title: "Name",
    className: "cell-name name",
    card: "title",
    cell: ({ name, isHidden }) => (
      <>
        <span title={name}>{name}</span>
        {isHidden && <HiddenTag />}
      </>
    ),
  },
  {
    id: "category",
    title: "Category",
    className: "cell-category",
    card: "detail",
    cell: ({ category }) => <span className={`category-badge ${category}`}>{categoryName(category)}</span>,
  },
  {
    id: "price",
    title: "Price",
    isNumber: true,
    className: "cell-amount",
    card: "side",
    cell: ({ priceCents, isFrom }) => (isFrom ? `from ${dollars(priceCents)}` : dollars(priceCents)),
  },
  {
    id: "stock",
    title: "Stock",
    isNumber: true,
    card: "end",
    cell: ({ stock, lowStock }) => <Stock count={stock} lowStock={lowStock} />,
  },
  {
    id: "colors",
    title: "Colors",
    isFixed: true,
    className: "cell-colors",
    card: "meta",
    cell: ({ colors, options }) =>
      options.length > 0 ? <OptionCounts options={options} /> : <Colors colors={colors} />,
  },
];

function Stock({ count, lowStock }: { count: number; lowStock: number }) {
  return (
    <span className={`stock-level ${stockLevel(count, useLowStock()(lowStock))}`}>
      {count.toLocaleString("en")}
    </span>
  );
}

function Colors({ colors }: { colors: string[] }) {
  const more = colors.length - MAX_COLORS;
  return (
    <span className="colors" title={colors.join(", ")}>
      {colors.slice(0, MAX_COLORS).map((color) => (
        <span className="color-tag" key={color}>
          {color}
        </span>
      ))}
      {more > 0 && <span className="soft">+{more}</span>}
    </span>
  );
}

/** Names the options of a product with the number of their values: `4 Size × 5 Colour`. */
function OptionCounts({ options }: Pick<ProductRowView, "options">) {
  const counts = options.map(({ name, values }) => `${values.length} ${name}`);
  return (
    <span
      className="soft"
      title={options.map(({ name, values }) => `${name}: ${values.join(", ")}`).join("\n")}
    >
      {counts.join(" × ")}
    </span>
  );
}

const ACTIONS: {
  kind: OpenDialog["kind"];
  label: string;
  hint: string;
  icon: IconName;
  key?: "e" | "delete";
}[] = [
  { kind: "view", label: "View", hint: "View", icon: "eye" },
  { kind: "edit", label: "Edit", hint: "Edit (E)", icon: "pencil", key: "e" },
  { kind: "delete", label: "Delete", hint: "Delete (Del)", icon: "trash-2", key: "delete" },
];

function Actions({ row, params }: { row: ProductRowView; params: ListParams }) {
  return (
    <span className="row-actions">
      {ACTIONS.map(({ kind, label, hint, icon, key }) => (
        <Link
          key={kind}
          className={kind === "delete" ? "tool-button danger" : "tool-button"}
          to={listUrl(params, {}, { kind, id: row.id })}
          aria-label={`${label} ${row.name}`}
          title={hint}
          preventScrollReset
          {...(key && rowKeyAttribute(key))}
        >
          <Icon name={icon} className="i s" />
        </Link>
      ))}
    </span>
  );
}
