import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { adjacentYears, yearsAround } from "./months";

const addressOf = (year: number, thisYear: number) =>
  year === thisYear ? "/admin/graphs" : `/admin/graphs?year=${year}`;

/** Which year the charts by month are of: links, so that Back and reload work. */
export function YearSwitch({ year, thisYear }: { year: number; thisYear: number }) {
  const { before, after } = adjacentYears(year);
  const to = (each: number | null) => (each === null ? null : addressOf(each, thisYear));
  return (
    <nav className="year-switch" aria-label="Year">
      <Step to={to(before)} label="The year before">
        <Icon name="chevron-left" className="i s" />
      </Step>
      {yearsAround(year, thisYear).map((each) => (
        <Link
          key={each}
          to={addressOf(each, thisYear)}
          aria-current={each === year ? "page" : undefined}
          preventScrollReset
        >
          {each}
        </Link>
      ))}
      <Step to={to(after)} label="The year after">
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
