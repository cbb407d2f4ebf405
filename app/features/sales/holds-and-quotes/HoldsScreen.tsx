import { useActionData } from "@remix-run/react";
import { ACTIONS_COLUMN, type Column } from "~/ui/DataTable/columns";
import { FilterPills } from "~/ui/DataTable/filters";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { rowKeyAttribute, useListKeys } from "~/ui/DataTable/useTableKeys";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { ViewSwitch } from "../documents/ViewSwitch";
import { documentPath, recordUrl } from "../urls";
import type { HoldsScreenData, HoldView } from "./page.server";
import { RowAct } from "./RowAct";

/** List of what is and was set aside. */
export function HoldsScreen({ data }: { data: HoldsScreenData }) {
  const { params, rows, total, counts, failure } = data;
  const refused = useActionData<RefusedForm>();
  useListKeys();
  const pills = [
    { value: "", label: "All", count: counts?.all },
    { value: "active", label: "Set aside", count: counts?.open },
    { value: "ended", label: "Time ran out" },
    { value: "released", label: "Put back" },
    { value: "sold", label: "Sold" },
  ];
  return (
    <>
      <StatusRegion message={refused?.failure ?? failure} answer={refused ?? data} />
      <ListScreen
        label="Holds"
        search="Customer, visitor, product"
        lead={<ViewSwitch current="Holds" />}
        pills={<FilterPills params={params} name="state" label="State" pills={pills} />}
        className="offer-table"
        maxHeight={520}
        params={params}
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        empty={{
          icon: "package-check",
          children: <p>Set products aside from a chat, and they stand here.</p>,
        }}
      />
    </>
  );
}

/** Name of a row's person, which leads to the customer or the chat. */
export function PersonCell({ name, to }: { name: string; to: string | null }) {
  if (!to) return <span className="soft">{name}</span>;
  return (
    <Link className="quiet-link" to={to} title={name} {...rowKeyAttribute("e")}>
      {name}
    </Link>
  );
}

const COLUMNS: Column<HoldView>[] = [
  {
    id: "name",
    title: "For",
    isFixed: true,
    className: "cell-name",
    card: "title",
    cell: (row) => <PersonCell {...row} />,
  },
  {
    id: "items",
    title: "Products",
    isFixed: true,
    className: "cell-title",
    card: "line",
    cell: ({ items }) => <span title={items}>{items}</span>,
  },
  {
    id: "state",
    title: "State",
    isFixed: true,
    className: "nowrap",
    card: "detail",
    cell: (row) => <State row={row} />,
  },
  {
    id: "until",
    title: "Ends",
    className: "nowrap",
    card: "end",
    cell: ({ until }) => <span className="first-upper">{until}</span>,
  },
  {
    id: "by",
    title: "By",
    isFixed: true,
    className: "cell-folded nowrap",
    cell: ({ createdBy }) => createdBy,
  },
  { ...ACTIONS_COLUMN, className: "cell-acts", cell: (row) => <Acts row={row} /> },
];

const STATES = { active: "Set aside", ended: "Time ran out", released: "Put back", sold: "Sold" };

function State({ row: { state, documentId, number } }: { row: HoldView }) {
  if (state === "sold" && documentId && number)
    return (
      <span className="state-label ok">
        {"Sold,\u00a0"}
        <Link className="quiet-link" to={documentPath(documentId)}>
          {number}
        </Link>
      </span>
    );
  return <span className={`state-label ${state === "active" ? "go" : "line"}`}>{STATES[state]}</span>;
}

function Acts({ row: { id, name, state } }: { row: HoldView }) {
  if (state !== "active" && state !== "ended") return null;
  const shared = { id };
  return (
    <span className="button-row">
      <RowAct
        {...shared}
        intent="release"
        busy="Putting back..."
        label="Put back"
        name={`Put back for ${name}`}
      />
      {state === "active" && (
        <RowAct {...shared} intent="extend" busy="Extending..." label="Extend" name={`Extend for ${name}`} />
      )}
      {state === "active" && (
        <Link
          className="btn small"
          to={recordUrl({ holdId: id, from: "holds" })}
          aria-label={`Sold to ${name}`}
        >
          Sold
        </Link>
      )}
    </span>
  );
}
