import type { ReactNode } from "react";
import { dollars } from "~/domain/money";
import type { Column } from "~/ui/DataTable/columns";
import { FilterPills } from "~/ui/DataTable/filters";
import { ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { listUrl } from "~/ui/DataTable/list-params";
import { rowKeyAttribute, useListKeys } from "~/ui/DataTable/useTableKeys";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { customerPath, UNLINKED } from "../urls";
import { CustomerDialog } from "./CustomerDialog";
import type { CustomerListView, CustomersScreenData, UnlinkedView } from "./page.server";

export function CustomersScreen({ data }: { data: CustomersScreenData }) {
  const { params, failure, unlinked, isAdding, newId } = data;
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  const dialog = useDialog(params);
  useListKeys(add);
  const pills = <FilterPills params={params} name="open" label="Open" pills={openPills(data)} />;
  const actions = (
    <ListAction to={add}>
      <Icon name="plus" className="i s" />
      Add Customer
    </ListAction>
  );
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      {unlinked ? (
        <Unlinked {...{ unlinked, failure, actions, pills }} />
      ) : (
        <Customers {...{ data, actions, pills }} />
      )}
      {isAdding && <CustomerDialog customer={null} newId={newId} {...dialog} />}
    </>
  );
}

interface ListParts {
  actions: ReactNode;
  pills: ReactNode;
}

function Customers({ data, actions, pills }: ListParts & { data: CustomersScreenData }) {
  const { params, rows, total, failure, maxMatches } = data;
  return (
    <ListScreen
      label="Customers"
      search="Name, email, phone"
      pills={pills}
      actions={actions}
      className="customer-table"
      maxHeight={520}
      params={params}
      columns={CUSTOMER_COLUMNS}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      failure={failure}
      note={
        maxMatches !== null && (
          <p className="table-note">
            Many customers match. Listed are the {counted(maxMatches, "customer")} among them who were added
            last.
          </p>
        )
      }
      empty={{ icon: "contact", children: <p>Customers appear with their first sale, or add one.</p> }}
    />
  );
}

interface UnlinkedProps extends ListParts, Pick<CustomersScreenData, "failure"> {
  unlinked: NonNullable<CustomersScreenData["unlinked"]>;
}

/** Holds and quotes of chats that have no customer, which no row of the customers' table names. */
function Unlinked({ unlinked: { params, rows, total }, failure, actions, pills }: UnlinkedProps) {
  return (
    <ListScreen
      label="Open without a customer"
      search="Name, what is open"
      pills={pills}
      actions={actions}
      className="unlinked-table"
      maxHeight={520}
      params={params}
      columns={UNLINKED_COLUMNS}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      failure={failure}
      empty={{ icon: "contact", children: <p>Every hold and open quote has a customer.</p> }}
    />
  );
}

const UNLINKED_COLUMNS: Column<UnlinkedView>[] = [
  {
    id: "name",
    title: "Chat",
    isFixed: true,
    className: "cell-name",
    card: "title",
    cell: ({ name, to }) => (
      <Link to={to} title={name}>
        {name}
      </Link>
    ),
  },
  {
    id: "title",
    title: "Open",
    isFixed: true,
    className: "cell-title",
    card: "line",
    cell: ({ title }) => <span title={title}>{title}</span>,
  },
  {
    id: "state",
    title: "State",
    isFixed: true,
    card: "detail",
    cell: ({ state, isAccepted }) => (
      <span className={`state-label ${isAccepted ? "ok" : "go"}`}>{state}</span>
    ),
  },
];

const openPills = ({ counts }: CustomersScreenData) => [
  { value: "", label: "All", count: counts.all ?? undefined },
  { value: "held", label: "Set aside", count: counts.held },
  { value: "quote", label: "Open quote", count: counts.quote },
  { value: UNLINKED, label: "Without a customer", count: counts.unlinked },
  { value: "duplicate", label: "Possible duplicates" },
];

export const CUSTOMER_COLUMNS: Column<CustomerListView>[] = [
  {
    id: "name",
    title: "Name",
    className: "cell-name",
    card: "title",
    cell: ({ id, name }) => (
      <Link className="quiet-link" to={customerPath(id)} title={name} {...rowKeyAttribute("e")}>
        {name}
      </Link>
    ),
  },
  {
    id: "email",
    title: "Email",
    isFixed: true,
    className: "mail cell-folded",
    card: "detail",
    cell: ({ email }) => email || "–",
  },
  {
    id: "phone",
    title: "Phone",
    isFixed: true,
    className: "cell-folded nowrap",
    cell: ({ phoneNumber }) => phoneNumber || "–",
  },
  {
    id: "open",
    title: "Open",
    isFixed: true,
    className: "cell-open",
    card: "line",
    cell: (row) => <Open row={row} />,
  },
  {
    id: "chats",
    title: "Chats",
    isFixed: true,
    isNumber: true,
    className: "cell-folded",
    cell: ({ chats }) => chats,
  },
  {
    id: "sales",
    title: "Sales",
    isFixed: true,
    isNumber: true,
    cell: ({ sales }) => sales,
  },
  {
    id: "total",
    title: "Total",
    isFixed: true,
    isNumber: true,
    className: "cell-amount",
    card: "side",
    cell: ({ totalCents }) =>
      totalCents === 0 ? <span className="soft">{dollars(0)}</span> : dollars(totalCents),
  },
  { id: "lastSeen", title: "Last seen", isNumber: true, card: "end", cell: ({ lastSeen }) => lastSeen },
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
      {duplicate && <span className="state-label line">{`Same email as ${duplicate}`}</span>}
    </span>
  );
}
