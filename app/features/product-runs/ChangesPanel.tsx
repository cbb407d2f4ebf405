import { grouped } from "~/domain/grouped";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Link } from "~/ui/navigation";
import { ScrollBox } from "~/ui/ScrollBox";
import type { ChangesList, ListedChange } from "./page.server";
import type { Outcome } from "./runs";

interface Appearance {
  label: string;
  icon: IconName;
  className: string;
}

const DONE: Record<Outcome, Appearance> = {
  created: { label: "Create", icon: "plus", className: "plan-action make" },
  updated: { label: "Update", icon: "pencil", className: "plan-action" },
  removed: { label: "Delete", icon: "trash-2", className: "plan-action none" },
  hidden: { label: "Hide", icon: "eye-off", className: "plan-action" },
  partial: { label: "In part", icon: "pencil", className: "plan-action" },
  stayed: { label: "Stays", icon: "minus", className: "plan-action none" },
};
const UNDONE: Record<Outcome, Appearance> = {
  created: { label: "Created again", icon: "plus", className: "plan-action make" },
  updated: { label: "Goes back", icon: "undo-2", className: "plan-action" },
  removed: { label: "Removed", icon: "trash-2", className: "plan-action none" },
  hidden: { label: "Hidden", icon: "eye-off", className: "plan-action" },
  partial: { label: "In part", icon: "undo-2", className: "plan-action" },
  stayed: { label: "Stays", icon: "minus", className: "plan-action none" },
};

interface ChangesPanelProps {
  label: string;
  list: ChangesList;
  /** Kind of the table: what a run did with what happened since, or what an undo takes back and leaves. */
  kind: "run" | "undo";
  /** Text of rows in which nothing was changed since. */
  nothing: string;
}

/** Panel of a run's changes, in tabs by outcome and pages. */
export function ChangesPanel({ label, list, kind, nothing }: ChangesPanelProps) {
  const { tabs, rows, pager } = list;
  return (
    <section className="panel" aria-label={label}>
      <nav className="plan-counts run-tabs" aria-label="Filter">
        {tabs.map(({ label: name, count, to, isShown }) => (
          <Link key={name} to={to} aria-current={isShown ? "true" : undefined} preventScrollReset>
            <b>{count}</b>
            {name}
          </Link>
        ))}
      </nav>
      <ScrollBox className="table-scroll" label="Products, scrolls">
        <table className={kind === "run" ? "data-grid rows run-rows" : "data-grid rows undo-rows"}>
          <thead>
            <tr>
              <th scope="col">{kind === "run" ? "What it did" : "What happens"}</th>
              <th scope="col">Product</th>
              <th scope="col">{kind === "run" ? "Old → new" : "Goes back"}</th>
              <th scope="col">{kind === "run" ? "Since then" : "Stays, changed since"}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Change key={row.row} change={row} kind={kind} nothing={nothing} />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="soft plan-empty">None</p>}
      </ScrollBox>
      <Pages pager={pager} />
    </section>
  );
}

interface ChangeProps extends Pick<ChangesPanelProps, "kind" | "nothing"> {
  change: ListedChange;
}

function Change({ change, kind, nothing }: ChangeProps) {
  const { label, icon, className } = (kind === "run" ? DONE : UNDONE)[change.outcome];
  return (
    <tr>
      <td className="card-title">
        <span className={className}>
          <Icon name={icon} className="i s" />
          {label}
        </span>
      </td>
      <td className="cell-name name card-line">{change.name}</td>
      <td className="card-line">
        <Fields change={change} />
      </td>
      <td className={kind === "run" ? "card-side" : "card-line stays"}>
        {change.staying.length === 0 ? (
          <span className="soft">{nothing}</span>
        ) : kind === "run" ? (
          change.staying.map(({ label: since }) => (
            <span key={since} className="since-mark">
              {since}
            </span>
          ))
        ) : (
          change.staying.map(({ reason, by }) => (
            <span key={reason} className="stays-part">
              <b>{reason}</b>
              {by && <small>{by}</small>}
            </span>
          ))
        )}
      </td>
    </tr>
  );
}

function Fields({ change: { changes, summary } }: { change: ListedChange }) {
  if (changes.length === 0) return <span className="soft">{summary || "nothing"}</span>;
  return (
    <span className="field-changes">
      {changes.map(({ label, from, to }) => (
        <span key={label}>
          <dfn>{label}</dfn> {from && <del>{from}</del>} <Icon name="arrow-right" label="becomes" />
          <ins>{to}</ins>
        </span>
      ))}
    </span>
  );
}

function Pages({ pager: { from, to, total, page, pages, previous, next } }: { pager: ChangesList["pager"] }) {
  return (
    <nav className="pager" aria-label="Pages">
      <span>
        Showing <b>{grouped(from)}</b> to <b>{grouped(to)}</b> of <b>{grouped(total)}</b>{" "}
        {total === 1 ? "product" : "products"}
      </span>
      {pages > 1 && (
        <span className="mid nowrap">
          Page <b>{grouped(page)}</b> of <b>{grouped(pages)}</b>
        </span>
      )}
      <span className="button-row">
        {previous && (
          <Link className="btn" to={previous} rel="prev" preventScrollReset>
            <Icon name="chevron-left" className="i s" />
            Previous
          </Link>
        )}
        {next && (
          <Link className="btn" to={next} rel="next" preventScrollReset>
            Next
            <Icon name="chevron-right" className="i s" />
          </Link>
        )}
      </span>
    </nav>
  );
}
