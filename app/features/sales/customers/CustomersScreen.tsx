import { dollars } from "~/domain/money";
import type { Column } from "~/ui/DataTable/columns";
import { FilterPills } from "~/ui/DataTable/filters";
import { ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { listUrl } from "~/ui/DataTable/list-params";
import { rowKeyAttribute, useListKeys } from "~/ui/DataTable/useTableKeys";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/Toasts";
import { customerPath } from "../urls";
import { CustomerDialog } from "./CustomerDialog";
import type { CustomerListView, CustomersScreenData } from "./page.server";

export function CustomersScreen({ data }: { data: CustomersScreenData }) {
  const { params, rows, total, failure, isAdding, newId } = data;
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  const dialog = useDialog(params);
  useListKeys(add);
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      <ListScreen
        label="Customers"
        search="Name, e-mail, phone"
        actions={
          <ListAction to={add}>
            <Icon name="plus" className="i s" />
            Add Customer
          </ListAction>
        }
        className="customer-table"
        maxHeight={520}
        params={params}
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{ icon: "contact", children: <p>Customers appear with their first sale, or add one.</p> }}
      >
        <FilterPills params={params} name="open" label="Open" pills={openPills(data)} />
        <Unlinked rows={data.unlinked} />
      </ListScreen>
      {isAdding && <CustomerDialog customer={null} newId={newId} {...dialog} />}
    </>
  );
}

/** Holds and quotes of chats that have no customer, which no row of the table names. */
function Unlinked({ rows }: { rows: CustomersScreenData["unlinked"] }) {
  if (rows.length === 0) return null;
  return (
    <details className="unlinked" open>
      <summary>Open without a customer</summary>
      <ul>
        {rows.map(({ id, to, name, title, state }) => (
          <li key={id}>
            <Link to={to}>{name}</Link>
            <span className="truncate">{title}</span>
            <span className="state-label go">{state}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const openPills = ({ counts }: CustomersScreenData) => [
  { value: "", label: "All", count: counts.all ?? undefined },
  { value: "held", label: "Set aside", count: counts.held },
  { value: "quote", label: "Open quote", count: counts.quote },
  { value: "duplicate", label: "Possible duplicates" },
];

const COLUMNS: Column<CustomerListView>[] = [
  {
    id: "name",
    title: "Name",
    className: "cell-name",
    cell: ({ id, name }) => (
      <Link className="quiet-link" to={customerPath(id)} title={name} {...rowKeyAttribute("e")}>
        {name}
      </Link>
    ),
  },
  { id: "email", title: "E-mail", isFixed: true, className: "mail", cell: ({ email }) => email || "–" },
  {
    id: "phone",
    title: "Phone",
    isFixed: true,
    className: "cell-phone nowrap",
    cell: ({ phoneNumber }) => phoneNumber || "–",
  },
  { id: "open", title: "Open", isFixed: true, className: "cell-open", cell: (row) => <Open row={row} /> },
  {
    id: "chats",
    title: "Chats",
    isFixed: true,
    isNumber: true,
    className: "cell-chats",
    cell: ({ chats }) => chats,
  },
  {
    id: "sales",
    title: "Sales",
    isFixed: true,
    isNumber: true,
    className: "cell-sales",
    cell: ({ sales }) => sales,
  },
  {
    id: "total",
    title: "Total",
    isFixed: true,
    isNumber: true,
    className: "cell-amount",
    cell: ({ totalCents }) =>
      totalCents === 0 ? <span className="soft">{dollars(0)}</span> : dollars(totalCents),
  },
  { id: "lastSeen", title: "Last seen", isNumber: true, className: "date", cell: ({ lastSeen }) => lastSeen },
];

function Open({ row }: { row: CustomerListView }) {
  const { heldPieces, heldUntil, quoteUntil, hasAcceptedQuote, hasMoreHolds, duplicate } = row;
  return (
    <span className="state-labels">
      {heldUntil && (
        <span className="state-label go">{`${heldPieces}${hasMoreHolds ? "+" : ""} set aside until ${heldUntil}`}</span>
      )}
      {hasAcceptedQuote === 1 && <span className="state-label ok">Quote accepted</span>}
      {quoteUntil && <span className="state-label go">{`Quote until ${quoteUntil}`}</span>}
      {duplicate && <span className="state-label line">{`Same e-mail as ${duplicate}`}</span>}
    </span>
  );
}
