import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import { formatMonth } from "~/domain/day-text";
import { Field, FormError } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { ScopeSwitch } from "./report-parts";
import { type Days, isWithoutDays, OWN_DAYS, periodName } from "./report-scope";
import type { BookkeepingPage } from "./schema";

/** Chooses business and period of a report: a fixed one, a month, or days of one's own. */
export function ReportSwitch({ page }: { page: BookkeepingPage }) {
  const { scope, period, months, businessNames } = page;
  const isOwn = scope.period === OWN_DAYS;
  const others = months.map((month) => ({ value: month, label: formatMonth(month) }));
  const own = { value: OWN_DAYS, label: periodName(scope, period.days) };
  return (
    <>
      <ScopeSwitch
        scope={scope}
        businessNames={businessNames}
        others={isOwn ? [...others, own] : others}
        {...(isOwn && { kept: { ...scope.days } })}
      />
      <OwnDays page={page} />
    </>
  );
}

/** Chooses days of one's own: open once they are chosen, else behind a button. */
function OwnDays({ page }: { page: BookkeepingPage }) {
  if (page.scope.period === OWN_DAYS)
    return (
      <div className="own-days">
        <DaysForm page={page} {...page.scope.days} />
      </div>
    );
  const { from, to } = page.period.days ?? { from: "", to: "" };
  return (
    <details className="own-days" open={page.problems.length > 0}>
      <summary className="btn">Own days</summary>
      <DaysForm page={page} from={from} to={to} />
    </details>
  );
}

function DaysForm({ page: { scope, problems }, from, to }: { page: BookkeepingPage } & Days) {
  const error = (path: "from" | "to") => problems.find((problem) => problem.path === path)?.message;
  const other = problems.find(({ path }) => path === "business" || path === "period")?.message;
  const shown = isWithoutDays(problems) ? "No figures are shown" : "These are the figures of all time";
  const range = { type: "date", min: FIRST_DAY, max: LAST_DAY, required: true };
  return (
    <Form method="get" aria-label="Own days" preventScrollReset>
      <FormError message={problems.length > 0 ? `${other ?? "Check the days"}. ${shown}.` : null} />
      {scope.business && <input type="hidden" name="business" value={scope.business} />}
      <input type="hidden" name="period" value={OWN_DAYS} />
      <Field label="From" id="report-from" name="from" defaultValue={from} error={error("from")} {...range} />
      <Field label="To" id="report-to" name="to" defaultValue={to} error={error("to")} {...range} />
      <button className="btn" type="submit">
        Show
      </button>
    </Form>
  );
}
