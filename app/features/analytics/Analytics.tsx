import type { ReactNode } from "react";
import { scopeSearch } from "~/domain/periods";
import { ScopeSwitch } from "~/features/bookkeeping/report-parts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StaticToast } from "~/ui/Toasts";
import { ChartCard } from "./ChartCard";
import { CHARTS } from "./charts";
import { adjacentYears, offeredYears } from "./months";
import type { AnalyticsPage } from "./page.server";

/** Shows the charts; each may fail without the others. */
export function Analytics({ page }: { page: AnalyticsPage }) {
  return (
    <>
      <Failures page={page} />
      <div className="button-row">
        <ScopeSwitch
          key={scopeSearch(page.scope)}
          scope={page.scope}
          businessNames={page.businessNames}
          kept={page.days || page.year === page.now.year ? {} : { year: String(page.year) }}
        />
        <YearSwitch page={page} />
      </div>
      <section className="charts" aria-label="Charts">
        {CHARTS.map(({ id, title }) => (
          <ChartCard key={id} id={id} title={title} page={page} />
        ))}
      </section>
    </>
  );
}

function Failures({ page: { charts, failure } }: { page: AnalyticsPage }) {
  const each = CHARTS.map(({ id }) => charts[id].failure);
  const messages = (failure ? [failure] : each).filter((message) => message !== null);
  if (messages.length === 0) return null;
  return (
    <div className="toasts" role="status">
      {messages.map((message) => (
        <StaticToast key={message} message={message} />
      ))}
    </div>
  );
}

function YearSwitch({ page: { year, now, years, scope } }: { page: AnalyticsPage }) {
  const { before, after } = adjacentYears(year, now.year, years);
  const yearUrl = (each: number) => {
    const params = new URLSearchParams(scopeSearch({ ...scope, period: "all" }));
    if (each !== now.year) params.set("year", String(each));
    const search = params.toString();
    return search ? `/admin/graphs?${search}` : "/admin/graphs";
  };
  const to = (each: number | null) => (each === null ? null : yearUrl(each));
  return (
    <nav className="year-switch" aria-label="Year">
      <Step to={to(before)} label="Previous year">
        <Icon name="chevron-left" className="i s" />
      </Step>
      {offeredYears(year, now.year, years).map((each) => (
        <Link
          key={each}
          to={yearUrl(each)}
          aria-current={each === year ? "page" : undefined}
          preventScrollReset
        >
          {each}
        </Link>
      ))}
      <Step to={to(after)} label="Next year">
        <Icon name="chevron-right" className="i s" />
      </Step>
    </nav>
  );
}

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (to === null) return null;
  return (
    <Link className="step" to={to} aria-label={label} title={label} preventScrollReset>
      {children}
    </Link>
  );
}
