import { Link } from "@remix-run/react";
import { Icon } from "../Icon";
import { popover, popoverTrigger } from "../popover";
import { type DateRange, dateRangeLabel, dateRangePreset } from "./filters";
import { type ListParams, listUrl } from "./list-params";

const DAYS = "list-days";

interface DayRangeProps {
  params: ListParams;
  datePresets: DateRange[];
  formatDay: (day: string) => string;
}

/** From which day to which: by name, or by date. The names are links, the dates belong to the form around it. */
export function DayRange({ params, datePresets, formatDay }: DayRangeProps) {
  const { filters } = params;
  const { from: _, to: __, ...others } = filters;
  const chosen = dateRangePreset(filters, datePresets);
  const words = chosen?.label ?? dateRangeLabel(filters, formatDay);
  return (
    <>
      <button {...popoverTrigger(DAYS)} className={words ? "btn days-btn is-set" : "btn days-btn"}>
        <Icon name="calendar-range" className="i s" />
        {words ?? "Any date"}
        <Icon name="chevron-down" className="i s" />
      </button>
      <div {...popover(DAYS)} className="filter-popover" role="dialog" aria-label="Dates">
        <div className="filter-presets">
          <Preset to={listUrl(params, { filters: others })} isChosen={words === null}>
            Any date
          </Preset>
          {datePresets.map(({ label, from, to }) => (
            <Preset
              key={label}
              to={listUrl(params, { filters: { ...others, from, to } })}
              isChosen={chosen?.label === label}
            >
              {label}
            </Preset>
          ))}
        </div>
        <div className="button-row">
          <DayField name="from" label="From" initial={filters.from ?? ""} />
          <DayField name="to" label="To" initial={filters.to ?? ""} />
          <button type="submit" className="btn without-script">
            Apply
          </button>
        </div>
      </div>
    </>
  );
}

function Preset({ to, isChosen, children }: { to: string; isChosen: boolean; children: string }) {
  return (
    <Link to={to} aria-current={isChosen ? "true" : undefined} preventScrollReset>
      {children}
    </Link>
  );
}

function DayField({ name, label, initial }: { name: string; label: string; initial: string }) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        type="date"
        name={name}
        min="2000-01-01"
        max="2099-12-31"
        defaultValue={initial}
      />
    </label>
  );
}
