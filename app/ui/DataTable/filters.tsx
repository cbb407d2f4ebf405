import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import { Link } from "~/ui/navigation";
import { Icon } from "../Icon";
import { popover, popoverTrigger } from "../popover";
import { type Direction, type ListParams, listUrl } from "./list-params";

export interface SelectFilter {
  name: string;
  label: string;
  /** Label of the empty option, such as "All businesses". */
  allLabel: string;
  options: { value: string; label: string }[];
}

/** Named date range, such as "This month". */
export interface DateRange {
  label: string;
  /** YYYY-MM-DD, both days included. */
  from: string;
  to: string;
}

interface FilterChip {
  label: string;
  /** Query parameters that it consists of. */
  names: string[];
}

/** Describes the active filters, without the search. */
function filterChips(
  params: ListParams,
  filters: SelectFilter[],
  formatDay: (day: string) => string,
): FilterChip[] {
  const selected = filters.flatMap(({ name, label, options }) => {
    const option = options.find(({ value }) => value === params.filters[name]);
    return option ? [{ label: `${label}: ${option.label}`, names: [name] }] : [];
  });
  const days = dateRangeLabel(params.filters, formatDay);
  return days ? [{ label: days, names: ["from", "to"] }, ...selected] : selected;
}

function dateRangeLabel(
  { from, to }: Record<string, string>,
  formatDay: (day: string) => string,
): string | null {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  if (from) return `From ${formatDay(from)}`;
  return to ? `Until ${formatDay(to)}` : null;
}

function dateRangePreset(
  { from, to }: Record<string, string>,
  datePresets: DateRange[],
): DateRange | undefined {
  return datePresets.find((preset) => preset.from === from && preset.to === to);
}

const DATE_MENU = "list-days";

interface DateRangeMenuProps {
  params: ListParams;
  datePresets: DateRange[];
  formatDay: (day: string) => string;
}

/** Filters by date: presets as links, and two date fields of the surrounding form. */
export function DateRangeMenu({ params, datePresets, formatDay }: DateRangeMenuProps) {
  const { filters } = params;
  const { from: _, to: __, ...others } = filters;
  const preset = dateRangePreset(filters, datePresets);
  const currentLabel = preset?.label ?? dateRangeLabel(filters, formatDay);
  return (
    <>
      <button
        {...popoverTrigger(DATE_MENU)}
        className={currentLabel ? "btn days-btn is-set" : "btn days-btn"}
      >
        <Icon name="calendar-range" className="i s" />
        {currentLabel ?? "Any date"}
        <Icon name="chevron-down" className="i s" />
      </button>
      <div {...popover(DATE_MENU)} className="filter-popover" role="dialog" aria-label="Dates">
        <div className="filter-presets">
          <Preset to={listUrl(params, { filters: others })} isCurrent={currentLabel === null}>
            Any date
          </Preset>
          {datePresets.map(({ label, from, to }) => (
            <Preset
              key={label}
              to={listUrl(params, { filters: { ...others, from, to } })}
              isCurrent={preset?.label === label}
            >
              {label}
            </Preset>
          ))}
        </div>
        <DateFields filters={filters} />
      </div>
    </>
  );
}

function DateFields({ filters }: Pick<ListParams, "filters">) {
  return (
    <div className="button-row">
      <DateField name="from" label="From" initial={filters.from ?? ""} />
      <DateField name="to" label="To" initial={filters.to ?? ""} />
      <button type="submit" className="btn without-script">
        Apply
      </button>
    </div>
  );
}

function Preset({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: string }) {
  return (
    <Link to={to} aria-current={isCurrent ? "true" : undefined} preventScrollReset>
      {children}
    </Link>
  );
}

function DateField({ name, label, initial }: { name: string; label: string; initial: string }) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        type="date"
        name={name}
        min={FIRST_DAY}
        max={LAST_DAY}
        defaultValue={initial}
      />
    </label>
  );
}

export interface SortOption {
  id: string;
  title: string;
}

const SORT_MENU = "list-orders";
const DIRECTION_LABELS: Record<Direction, string> = { asc: "ascending", desc: "descending" };

/** Offers the sorts on phones, where rows are cards without column headers. */
export function SortMenu({ params, sorts }: { params: ListParams; sorts: SortOption[] }) {
  const current = sorts.find(({ id }) => id === params.sort);
  const arrow = params.dir === "asc" ? "arrow-up" : "arrow-down";
  return (
    <>
      <button {...popoverTrigger(SORT_MENU)} className="btn sort-btn">
        <Icon name={arrow} className="i s" />
        {current?.title ?? "Sort"}
        <span className="visually-hidden">, {DIRECTION_LABELS[params.dir]}</span>
      </button>
      <div {...popover(SORT_MENU)} className="filter-popover sorts" role="dialog" aria-label="Order">
        <div className="filter-presets">
          {sorts.flatMap(({ id, title }) =>
            (["asc", "desc"] as const).map((dir) => (
              <Link
                key={id + dir}
                to={listUrl(params, { sort: id, dir })}
                aria-current={params.sort === id && params.dir === dir ? "true" : undefined}
                preventScrollReset
              >
                {title}, {DIRECTION_LABELS[dir]}
              </Link>
            )),
          )}
        </div>
      </div>
    </>
  );
}

interface FilterPillsProps {
  params: ListParams;
  /** Filter whose values the pills are. */
  name: string;
  label: string;
  /** First the pill of all rows, whose value is "". */
  pills: { value: string; label: string; count?: string | undefined }[];
}

/** Offers the values of a filter with their counts, one at a time. */
export function FilterPills({ params, name, label, pills }: FilterPillsProps) {
  const others = without(params.filters, [name]);
  return (
    <nav className="filter-pills" aria-label={label}>
      {pills.map(({ value, label: text, count }) => (
        <Link
          key={value}
          to={listUrl(params, { filters: value ? { ...others, [name]: value } : others })}
          aria-current={(params.filters[name] ?? "") === value ? "page" : undefined}
          preventScrollReset
        >
          {text} {count !== undefined && <b>{count}</b>}
        </Link>
      ))}
    </nav>
  );
}

interface FilterChipsProps {
  params: ListParams;
  filters: SelectFilter[];
  formatDay: (day: string) => string;
  hasClear: boolean;
}

/** Lists the active filters as links that remove them. */
export function FilterChips({ params, filters, formatDay, hasClear }: FilterChipsProps) {
  const chips = filterChips(params, filters, formatDay);
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Filters">
      {chips.map(({ label, names }) => (
        <li key={label}>
          <Link
            className="filter-chip"
            to={listUrl(params, { filters: without(params.filters, names) })}
            aria-label={`Clear ${label}`}
            preventScrollReset
          >
            {label}
            <Icon name="x" className="i s" />
          </Link>
        </li>
      ))}
      {hasClear && (
        <li>
          <Link className="btn quiet" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

function without(filters: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
}
