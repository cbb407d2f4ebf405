import { useState } from "react";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { ScrollBox } from "~/ui/ScrollBox";
import { type Plan, type PlannedAction, type PlanRow, rowLabel } from "./plan";

const PAGE = 50;

const OUTCOMES: { does: PlannedAction | null; word: string }[] = [
  { does: null, word: "All" },
  { does: "create", word: "Create" },
  { does: "update", word: "Update" },
  { does: "skip", word: "Skip" },
  { does: "refuse", word: "Refused" },
];

const LOOKS: Record<PlannedAction, { word: string; icon: IconName; className: string }> = {
  create: { word: "Create", icon: "plus", className: "make" },
  update: { word: "Update", icon: "pencil", className: "upd" },
  skip: { word: "Skip", icon: "minus", className: "none" },
  refuse: { word: "Refused", icon: "circle-alert", className: "danger" },
};

/** The dry run, row by row, by what would happen. */
export function PlanPanel({ plan, onRefused }: { plan: Plan; onRefused: () => Promise<void> }) {
  const { rows, source } = plan;
  const [does, setDoes] = useState<PlannedAction | null>(null);
  const [page, setPage] = useState(0);
  const of = (each: PlannedAction | null) => (each ? rows.filter((row) => row.does === each) : rows);
  const shown = of(does);
  return (
    <section className="panel" aria-label="Dry run">
      {/* biome-ignore lint/a11y/useSemanticElements: buttons that belong together, no field set */}
      <div className="plan-counts" role="group" aria-label="Rows by what would happen">
        {OUTCOMES.map(({ does: each, word }) => (
          <button
            key={word}
            type="button"
            aria-pressed={does === each}
            className={each === "refuse" && of(each).length > 0 ? "danger" : undefined}
            onClick={() => {
              setDoes(each);
              setPage(0);
            }}
          >
            <b>{of(each).length.toLocaleString("en")}</b>
            {each === null ? `All ${rowLabel(source)}s` : word}
          </button>
        ))}
        {of("refuse").length > 0 && (
          <span className="row-actions">
            <button type="button" className="btn" onClick={() => void onRefused()}>
              <Icon name="download" className="i s" />
              Download refused rows
            </button>
          </span>
        )}
      </div>
      <Rows rows={shown.slice(page * PAGE, (page + 1) * PAGE)} />
      {shown.length > 0 && <Pages page={page} total={shown.length} onPage={setPage} />}
    </section>
  );
}

function Rows({ rows }: { rows: PlanRow[] }) {
  return (
    <ScrollBox className="table-scroll frame-520" label="Rows, scrolls">
      <table className="data-grid rows">
        <thead>
          <tr>
            <th scope="col" className="num">
              Row
            </th>
            <th scope="col">What happens</th>
            <th scope="col">Product</th>
            <th scope="col">Old → new, or why not</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.row} row={row} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="soft nothing">None</p>}
    </ScrollBox>
  );
}

function Row({ row }: { row: PlanRow }) {
  const { word, icon, className } = LOOKS[row.does];
  return (
    <tr className={row.does === "refuse" ? "refused" : undefined}>
      <td className="num soft no">
        <span className="row-word">Row </span>
        {row.row}
      </td>
      <td className="what">
        <span className={`plan-action ${className}`}>
          <Icon name={icon} className="i s" />
          {word}
        </span>
      </td>
      <td className="cell-name name">{row.product || <i className="soft">No name</i>}</td>
      <td className="cell-changes">
        <What row={row} />
        {row.notes && <span className="soft note">{row.notes}</span>}
      </td>
    </tr>
  );
}

/** What is wrong, and what would be right. */
function Problem({ words }: { words: string }) {
  const [problem, ...hints] = words.split(". ");
  return (
    <span className="problem">
      <span className="plan-reason">{problem}</span>
      <span className="soft">{hints.join(". ")}</span>
    </span>
  );
}

function What({ row: { does, what, changes, why = "" } }: { row: PlanRow }) {
  if (does === "refuse") return why.split("; ").map((problem) => <Problem key={problem} words={problem} />);
  if (!changes) return <span className="soft">{what ?? why}</span>;
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
