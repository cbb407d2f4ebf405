import { Link } from "@remix-run/react";
import { Icon } from "../Icon";
import { popover, popoverTrigger } from "../popover";
import { type DateRange, dateRangeLabel, dateRangePreset } from "./filters";
import { type Direction, type ListParams, listUrl } from "./list-params";

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
      <div {...popover(DAYS)} className="when" role="dialog" aria-label="Dates">
        <div className="presets">
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
        <div className="bar">
          <DayField name="from" label="From" initial={filters.from ?? ""} />
          <DayField name="to" label="To" initial={filters.to ?? ""} />
          <button type="submit" className="btn no-script">
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

/** An order by name, ascending and descending, in words. */
export interface SortChoice {
  id: string;
  title: string;
}

const ORDERS = "list-orders";
const WORDS: Record<Direction, string> = { asc: "ascending", desc: "descending" };

/** The orders as a menu, for phones, where rows are cards and have no titles to press. */
export function SortMenu({ params, sorts }: { params: ListParams; sorts: SortChoice[] }) {
  const current = sorts.find(({ id }) => id === params.sort);
  const arrow = params.dir === "asc" ? "arrow-up" : "arrow-down";
  return (
    <>
      <button {...popoverTrigger(ORDERS)} className="btn sort-btn">
        <Icon name={arrow} className="i s" />
        {current?.title ?? "Sort"}
        <span className="sr">, {WORDS[params.dir]}</span>
      </button>
      <div {...popover(ORDERS)} className="when sorts" role="dialog" aria-label="Order">
        <div className="presets">
          {sorts.flatMap(({ id, title }) =>
            (["asc", "desc"] as const).map((dir) => (
              <Link
                key={id + dir}
                to={listUrl(params, { sort: id, dir })}
                aria-current={params.sort === id && params.dir === dir ? "true" : undefined}
                preventScrollReset
              >
                {title}, {WORDS[dir]}
              </Link>
            )),
          )}
        </div>
      </div>
    </>
  );
}
