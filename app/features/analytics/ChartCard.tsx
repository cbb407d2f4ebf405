import { type ReactNode, Suspense } from "react";
import { Icon } from "~/ui/Icon";
import { TryAgain } from "~/ui/TryAgain";
import { useHydrated } from "~/ui/useHydrated";
import { ChartGuard } from "./ChartGuard";
import { ChartTable, type ChartTableProps } from "./ChartTable";

interface ChartCardProps {
  title: string;
  /** The time that it is of. */
  when: string;
  /** What its lines are, where there is more than one. */
  legend?: ReactNode;
  /** Why there are no figures (back office 8). */
  failure: string | null;
  /** Said in place of a chart of nothing. */
  nothing: ReactNode;
  table: ChartTableProps | null;
  /** The chart; drawn in the browser alone. */
  children: ReactNode;
}

/**
 * A chart and, folded, its table; without a script the table stands in its place. The room that the chart takes is
 * kept from the first.
 */
export function ChartCard({ title, when, legend, failure, nothing, table, children }: ChartCardProps) {
  return (
    <article className="panel chart" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{when}</p>
        {legend}
      </header>
      {failure !== null && <Failed message={failure} />}
      {failure === null && nothing && <p className="chart-plot nothing">{nothing}</p>}
      {table && !nothing && (
        <>
          <figure className="chart-plot needs-script" aria-label={`${title}: chart`}>
            <Drawn>{children}</Drawn>
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
      <p>The other charts are not touched by it.</p>
      <div className="button-row">
        <TryAgain className="btn" />
      </div>
    </div>
  );
}

/** What draws charts comes after the page, to the browser alone. */
function Drawn({ children }: { children: ReactNode }) {
  const wait = <Waiting />;
  if (!useHydrated()) return wait;
  return (
    <ChartGuard>
      <Suspense fallback={wait}>{children}</Suspense>
    </ChartGuard>
  );
}

function Waiting() {
  return (
    <span className="wait">
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">Loading...</span>
    </span>
  );
}
