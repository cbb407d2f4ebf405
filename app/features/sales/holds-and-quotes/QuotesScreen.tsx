import { dollars } from "~/domain/money";
import { businessFilter } from "~/features/ledger/business-filter";
import { ACTIONS_COLUMN, type Column } from "~/ui/DataTable/columns";
import { FilterPills } from "~/ui/DataTable/filters";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { depositAct, paidText } from "../deposit";
import { ViewSwitch } from "../documents/ViewSwitch";
import { depositUrl, documentPath, recordUrl, withdrawUrl } from "../urls";
import { PersonCell } from "./HoldsScreen";
import type { QuotesScreenData, QuoteView } from "./page.server";

/** List of the quotes. */
export function QuotesScreen({ data }: { data: QuotesScreenData }) {
  const { params, rows, total, heldCents, businessNames, failure } = data;
  useListKeys();
  const isOfDeposits = params.filters.state === "deposit";
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      <ListScreen
        label="Quotes"
        search="Customer, visitor, title, line"
        lead={<ViewSwitch current="Quotes" />}
        pills={<StatePills data={data} />}
        filters={isOfDeposits ? [{ ...businessFilter(businessNames), name: "business" }] : []}
        className="offer-table"
        maxHeight={520}
        params={params}
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        foot={heldCents !== null && `Deposits held: ${dollars(heldCents)}`}
        empty={{ icon: "file-text", children: <p>Send a quote from a chat, and it stands here.</p> }}
      />
    </>
  );
}

/** Offers the states; the business of deposits is a filter of one state alone. */
function StatePills({ data: { params, counts } }: { data: QuotesScreenData }) {
  const { business: _, ...filters } = params.filters;
  const pills = [
    { value: "", label: "All", count: counts?.all },
    { value: "sent", label: "No answer yet", count: counts?.open },
    { value: "accepted", label: "Accepted" },
    { value: "deposit", label: "Deposit held" },
    { value: "declined", label: "Declined" },
    { value: "withdrawn", label: "Withdrawn" },
    { value: "expired", label: "Expired" },
  ];
  return <FilterPills params={{ ...params, filters }} name="state" label="State" pills={pills} />;
}

const COLUMNS: Column<QuoteView>[] = [
  {
    id: "name",
    title: "For",
    isFixed: true,
    className: "cell-name",
    card: "title",
    cell: (row) => <PersonCell {...row} />,
  },
  {
    id: "title",
    title: "Quote",
    isFixed: true,
    className: "cell-title",
    card: "line",
    cell: (row) => <Title row={row} />,
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
    id: "ready",
    title: "Ready by",
    isFixed: true,
    className: "cell-folded nowrap",
    cell: ({ ready }) => ready || "–",
  },
  {
    id: "total",
    title: "Total",
    isFixed: true,
    isNumber: true,
    className: "cell-amount",
    card: "side",
    cell: ({ totalCents }) => dollars(totalCents),
  },
  { id: "sent", title: "Sent", isFixed: true, className: "cell-folded nowrap", cell: ({ sent }) => sent },
  { id: "validUntil", title: "Valid until", className: "nowrap", card: "end", cell: ({ until }) => until },
  { ...ACTIONS_COLUMN, className: "cell-acts", cell: (row) => <Acts row={row} /> },
];

/** Title of a quote, with what is paid of it until it is sold. */
function Title({ row }: { row: QuoteView }) {
  const { title, state, paidCents, documentId } = row;
  return (
    <>
      <span title={title}>{title}</span>
      {state === "accepted" && documentId === null && paidCents > 0 && (
        <small className="soft">{paidText(row)}</small>
      )}
    </>
  );
}

const STATES = {
  sent: "No answer yet",
  accepted: "Accepted",
  declined: "Declined",
  withdrawn: "Withdrawn",
  expired: "Expired",
};

function State({ row: { state, documentId, number, readySince } }: { row: QuoteView }) {
  if (documentId && number)
    return (
      <span className="state-label ok">
        {"Sold,\u00a0"}
        <Link className="quiet-link" to={documentPath(documentId)}>
          {number}
        </Link>
      </span>
    );
  if (state === "accepted" && readySince !== null) return <span className="state-label ok">Ready</span>;
  const look = { accepted: "ok", sent: "go" }[String(state)] ?? "line";
  return <span className={`state-label ${look}`}>{STATES[state]}</span>;
}

function Acts({ row }: { row: QuoteView }) {
  const { id, name, state, documentId, chatUrl } = row;
  return (
    <span className="button-row">
      {state === "accepted" && documentId === null && <AcceptedActs row={row} />}
      {state === "sent" && chatUrl && (
        <Link className="btn small" to={chatUrl} aria-label={`Write to ${name}`}>
          Write
        </Link>
      )}
      {(state === "sent" || (state === "accepted" && documentId === null)) && (
        <Link
          className="btn small"
          to={withdrawUrl(id, "quotes")}
          aria-label={`Withdraw… the quote for ${name}`}
        >
          Withdraw…
        </Link>
      )}
    </span>
  );
}

function AcceptedActs({ row: { id, name, paidCents, totalCents } }: { row: QuoteView }) {
  const deposit = depositAct(paidCents, totalCents);
  return (
    <>
      <Link
        className="btn small"
        to={recordUrl({ quoteId: id, from: "quotes" })}
        aria-label={`Record sale to ${name}`}
      >
        Record sale
      </Link>
      <Link className="btn small" to={depositUrl(id, "quotes")} aria-label={`${deposit}: ${name}`}>
        {deposit}
      </Link>
    </>
  );
}
