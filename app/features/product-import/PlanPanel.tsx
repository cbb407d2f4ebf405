import { useState } from "react";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { ScrollBox } from "~/ui/ScrollBox";
import { type Plan, type PlannedAction, type PlanRow, rowLabel } from "./plan";

const PAGE = 50;

const FILTERS: { action: PlannedAction | null; label: string }[] = [
  { action: null, label: "All" },
  { action: "create", label: "Create" },
  { action: "update", label: "Update" },
  { action: "skip", label: "Skip" },
  { action: "reject", label: "Rejected" },
];

const APPEARANCE: Record<PlannedAction, { label: string; icon: IconName; className: string }> = {
  create: { label: "Create", icon: "plus", className: "plan-action make" },
  update: { label: "Update", icon: "pencil", className: "plan-action" },
  skip: { label: "Skip", icon: "minus", className: "plan-action none" },
  reject: { label: "Rejected", icon: "circle-alert", className: "plan-action danger" },
};

export function PlanPanel({ plan, onDownload }: { plan: Plan; onDownload: () => Promise<void> }) {
  const { rows } = plan;
  const [action, setAction] = useState<PlannedAction | null>(null);
  const [page, setPage] = useState(0);
  const rowsFor = (each: PlannedAction | null) => (each ? rows.filter((row) => row.action === each) : rows);
  const visible = rowsFor(action);
  return (
    <section className="panel" aria-label="Dry run">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
      <div className="plan-counts" role="group" aria-label="Rows by action">
        {FILTERS.map(({ action: each, label }) => (
          <button
            key={label}
            type="button"
            aria-pressed={action === each}
            className={each === "reject" && rowsFor(each).length > 0 ? "danger" : undefined}
            onClick={() => {
              setAction(each);
              setPage(0);
            }}
          >
            <b>{rowsFor(each).length.toLocaleString("en")}</b>
            {each === null ? `All ${rowLabel(plan)}s` : label}
          </button>
        ))}
        {rowsFor("reject").length > 0 && (
          <span className="row-actions">
            <button type="button" className="btn" onClick={() => void onDownload()}>
              <Icon name="download" className="i s" />
              Download rejected rows
            </button>
          </span>
        )}
      </div>
      <RecognisedBy rows={rows} />
      <Rows rows={visible.slice(page * PAGE, (page + 1) * PAGE)} />
      {visible.length > 0 && <Pages page={page} total={visible.length} onPage={setPage} />}
    </section>
  );
}

/** Counts the products by what they were recognised by. */
function RecognisedBy({ rows }: { rows: PlanRow[] }) {
  const counts = Map.groupBy(
    rows.filter(({ by }) => by !== undefined),
    ({ by }) => by,
  );
  if (counts.size === 0) return null;
  return (
    <p className="recognised-by">
      <span>Recognised by</span>
      {[...counts].map(([by, found]) => (
        <span key={by}>
          {by} <b>{found.length.toLocaleString("en")}</b>
        </span>
      ))}
    </p>
  );
}

function Rows({ rows }: { rows: PlanRow[] }) {
  return (
    <ScrollBox className="table-scroll max-520" label="Rows, scrolls">
      <table className="data-grid rows">
        <thead>
          <tr>
            <th scope="col" className="num">
              Row
            </th>
            <th scope="col">What happens</th>
            <th scope="col">Product</th>
            <th scope="col">Recognised by</th>
            <th scope="col">Old → new, or why not</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.row} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="soft plan-empty">None</p>}
    </ScrollBox>
  );
}

function Row({ row }: { row: PlanRow }) {
  const { label, icon, className } = APPEARANCE[row.action];
  return (
    <tr className={row.action === "reject" ? "rejected" : undefined}>
      <td className="num soft no card-side">
        <span className="row-word">Row </span>
        {row.row}
      </td>
      <td className="card-title">
        <span className={className}>
          <Icon name={icon} className="i s" />
          {label}
        </span>
      </td>
      <td className="cell-name name card-line">{row.product || <i className="soft">No name</i>}</td>
      <td className="soft card-side">{row.by ?? "–"}</td>
      <td className="card-line">
        <Outcome row={row} />
        {row.notes && <span className="soft note">{row.notes}</span>}
      </td>
    </tr>
  );
}

function Problem({ message }: { message: string }) {
  const [problem, ...hints] = message.split(". ");
  return (
    <span className="problem">
      <span className="plan-reason">{problem}</span>
      <span className="soft">{hints.join(". ")}</span>
    </span>
  );
}

function Outcome({ row: { action, summary, changes, reason = "" } }: { row: PlanRow }) {
  if (action === "reject")
    return reason.split("; ").map((problem) => <Problem key={problem} message={problem} />);
  if (!changes) return <span className="soft">{summary ?? reason}</span>;
  return (
    <span className="field-changes">
      {changes.map(({ field, from, to }) => (
        <span key={field}>
          <dfn>{field}</dfn> <del>{from}</del> <Icon name="arrow-right" label="becomes" />
          <ins>{to}</ins>
        </span>
      ))}
    </span>
  );
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const pages = Math.ceil(total / PAGE);
  const number = (value: number) => value.toLocaleString("en");
  return (
    <div className="pager">
      <span>
        Showing <b>{number(page * PAGE + 1)}</b> to <b>{number(Math.min(total, (page + 1) * PAGE))}</b> of{" "}
        <b>{number(total)}</b> {total === 1 ? "row" : "rows"}
      </span>
      {pages > 1 && <Steps page={page} pages={pages} onPage={onPage} />}
    </div>
  );
}

function Steps({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const number = (value: number) => value.toLocaleString("en");
  return (
    <>
      <span className="mid nowrap">
        Page <b>{number(page + 1)}</b> of <b>{number(pages)}</b>
      </span>
      <button type="button" className="btn" disabled={page === 0} onClick={() => onPage(page - 1)}>
        <Icon name="chevron-left" className="i s" />
        Previous
      </button>
      <button type="button" className="btn" disabled={page === pages - 1} onClick={() => onPage(page + 1)}>
        Next
        <Icon name="chevron-right" className="i s" />
      </button>
    </>
  );
}
