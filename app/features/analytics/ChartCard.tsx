import { Component, type ReactNode, Suspense } from "react";
import { TryAgain } from "~/ui/failure-parts";
import { useHydrated } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { CARDS } from "./chart-cards";
import type { ChartId } from "./charts";
import type { AnalyticsPage } from "./page.server";
import type { ChartTableProps, ChartTableRow } from "./tables";

interface ChartCardProps<Id> {
  id: Id;
  title: string;
  page: AnalyticsPage;
}

/** Shows a chart with a collapsed table of its figures; without JavaScript the table replaces the chart. */
export function ChartCard<Id extends ChartId>({ id, title, page }: ChartCardProps<Id>) {
  const { data, failure } = page.charts[id];
  const card = CARDS[id];
  const period = card.period(page);
  const label = `${title}. The figures are in the table below.`;
  const contents = data === null ? null : card.contents(data, page, label);
  const table = contents && <ChartTable caption={`${title}, ${period}`} {...contents.table} />;
  return (
    <article className="panel chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{period}</p>
        {card.legend}
      </header>
      {failure !== null && <ChartFailure message={failure} />}
      {contents?.empty && <p className="chart-plot chart-empty">{contents.empty}</p>}
      {contents && !contents.empty && (
        <>
          <figure className="chart-plot needs-script" aria-label={`${title}: chart`}>
            <ClientOnly>{contents.drawing}</ClientOnly>
          </figure>
          {contents.note}
          <details className="needs-script">
            <summary>
              <Icon name="chevron-right" className="i s chev" />
              Show as table<span className="visually-hidden">: {title}</span>
            </summary>
            {table}
          </details>
          <noscript>{table}</noscript>
        </>
      )}
    </article>
  );
}

function ChartFailure({ message }: { message: string }) {
  return (
    <div className="chart-plot load-failure">
      <h3>
        <Icon name="circle-alert" className="i s" />
        {message}
      </h3>
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
    <ChartErrorBoundary>
      <Suspense fallback={spinner}>{children}</Suspense>
    </ChartErrorBoundary>
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

interface ErrorState {
  hasError: boolean;
}

/** Shows a message in place of a chart whose code fails to load or render. */
class ChartErrorBoundary extends Component<{ children: ReactNode }, ErrorState> {
  override state: ErrorState = { hasError: false };

  static getDerivedStateFromError(): ErrorState {
    return { hasError: true };
  }

  override render() {
    if (!this.state.hasError) return this.props.children;
    return <p className="chart-empty">The chart could not be drawn. Its figures are in the table below.</p>;
  }
}

function ChartTable({ caption, headers, rows, total }: ChartTableProps & { caption: string }) {
  const [first, ...others] = headers;
  return (
    <table className="small-table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((header) => (
            <th key={header} scope="col" className="num">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.label} {...row} headers={others} />
        ))}
      </tbody>
      <tfoot>
        <Row {...total} headers={others} />
      </tfoot>
    </table>
  );
}

function Row({ label, cells, to, headers }: ChartTableRow & { headers: string[] }) {
  return (
    <tr>
      <th scope="row">{to ? <Link to={to}>{label}</Link> : label}</th>
      {cells.map((cell, i) => (
        <td key={headers[i]} className="num">
          {cell}
        </td>
      ))}
    </tr>
  );
}
