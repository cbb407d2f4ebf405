import { Link } from "@remix-run/react";
import { Component, type ReactNode, Suspense } from "react";
import { TryAgain } from "~/ui/failure-parts";
import { useHydrated } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";

interface ChartCardProps {
  title: string;
  period: string;
  legend?: ReactNode;
  /** Error message in place of the chart. */
  failure: string | null;
  /** Message in place of a chart without figures. */
  empty: ReactNode;
  table: ChartTableProps | null;
  /** Chart, rendered in the browser only. */
  children: ReactNode;
}

/** Shows a chart with a collapsed table of its figures; without JavaScript the table replaces the chart. */
export function ChartCard({ title, period, legend, failure, empty, table, children }: ChartCardProps) {
  return (
    <article className="panel chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{period}</p>
        {legend}
      </header>
      {failure !== null && <Failed message={failure} />}
      {failure === null && empty && <p className="chart-plot nothing">{empty}</p>}
      {table && !empty && (
        <>
          <figure className="chart-plot needs-script" aria-label={`${title}: chart`}>
            <ClientOnly>{children}</ClientOnly>
          </figure>
          <details className="needs-script">
            <summary>
              <Icon name="chevron-right" className="i s chev" />
              Show as table<span className="visually-hidden">: {title}</span>
            </summary>
            <ChartTable {...table} />
          </details>
          <noscript>
            <ChartTable {...table} />
          </noscript>
        </>
      )}
    </article>
  );
}

function Failed({ message }: { message: string }) {
  return (
    <div className="chart-plot load-failure">
      <h3>
        <Icon name="circle-alert" className="i s" />
        {message}
      </h3>
      <p>The other charts are not affected.</p>
      <div className="button-row">
        <TryAgain className="btn" />
      </div>
    </div>
  );
}

/** Loads the chart code after the page, in the browser only. */
function ClientOnly({ children }: { children: ReactNode }) {
  const spinner = <Spinner />;
  if (!useHydrated()) return spinner;
  return (
    <ChartGuard>
      <Suspense fallback={spinner}>{children}</Suspense>
    </ChartGuard>
  );
}

function Spinner() {
  return (
    <span className="wait">
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">Loading...</span>
    </span>
  );
}

interface GuardState {
  isBroken: boolean;
}

/** Keeps the page when the chart code fails to load. */
class ChartGuard extends Component<{ children: ReactNode }, GuardState> {
  override state: GuardState = { isBroken: false };

  static getDerivedStateFromError(): GuardState {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <p className="nothing">The chart could not be drawn. Its figures are in the table below.</p>;
  }
}

export interface ChartTableRow {
  label: string;
  cells: string[];
  /** URL of the entries behind the row. */
  to?: string;
}

export interface ChartTableProps {
  caption: string;
  heads: string[];
  rows: ChartTableRow[];
  foot: ChartTableRow;
}

function ChartTable({ caption, heads, rows, foot }: ChartTableProps) {
  const [first, ...others] = heads;
  return (
    <table className="small-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((head) => (
            <th key={head} scope="col" className="num">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.label} {...row} heads={others} />
        ))}
      </tbody>
      <tfoot>
        <Row {...foot} heads={others} />
      </tfoot>
    </table>
  );
}

function Row({ label, cells, to, heads }: ChartTableRow & { heads: string[] }) {
  return (
    <tr>
      <th scope="row">{to ? <Link to={to}>{label}</Link> : label}</th>
      {cells.map((cell, i) => (
        <td key={heads[i]} className="num">
          {cell}
        </td>
      ))}
    </tr>
  );
}
