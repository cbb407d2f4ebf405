import { Form, Link } from "@remix-run/react";
import { type ReactNode, useId } from "react";
import { Icon } from "../Icon";
import type { DateRange, SelectFilter } from "./filters";
import { DateRangeMenu, SortMenu, type SortOption } from "./ListMenus";
import { isFiltered, type ListParams, listUrl } from "./list-params";
import { HiddenParams } from "./Pager";
import { useListForm } from "./useListForm";

export interface ListToolsProps {
  params: ListParams;
  /** Label of the search field, such as "Search descriptions". */
  search: string;
  filters?: SelectFilter[];
  /** Presets of the date filter; without them the list has none. */
  datePresets?: DateRange[];
  /** Formats a day YYYY-MM-DD. */
  formatDay?: (day: string) => string;
  /** URL of the CSV export. */
  csv?: string;
  /** Adds a link that clears search and filters. */
  hasClear?: boolean;
  /** Sorts offered on phones. */
  sorts: SortOption[];
  /** Actions of the page. */
  children?: ReactNode;
}

/** Search, filters, export and actions of a list in a GET form; with JavaScript changes apply without submitting. */
export function ListTools(props: ListToolsProps) {
  const { params, filters = [], datePresets, formatDay = String } = props;
  const names = [...filters.map(({ name }) => name), ...(datePresets ? ["from", "to"] : [])];
  const { form, ...on } = useListForm(params, names);
  return (
    <Form
      ref={form}
      method="get"
      action={params.path}
      role="search"
      className="toolbar"
      preventScrollReset
      {...on}
    >
      <HiddenParams params={params} except={["q", ...names]} />
      <SearchField label={props.search} initial={params.q} />
      <div className="filters">
        {datePresets && <DateRangeMenu params={params} datePresets={datePresets} formatDay={formatDay} />}
        {filters.map((filter) => (
          <SelectFilterField key={filter.name} filter={filter} initial={params.filters[filter.name] ?? ""} />
        ))}
        <SortMenu params={params} sorts={props.sorts} />
        {props.hasClear && isFiltered(params) && <ClearFilters params={params} />}
        <button type="submit" className="btn without-script">
          Apply
        </button>
      </div>
      <div className="toolbar-end">
        {props.csv && <CsvLink to={props.csv} />}
        {props.children}
      </div>
    </Form>
  );
}

function ClearFilters({ params }: { params: ListParams }) {
  return (
    <Link className="btn" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
      <Icon name="funnel-x" className="i s" />
      Clear Filters
    </Link>
  );
}

function CsvLink({ to }: { to: string }) {
  return (
    <a className="btn" href={to} download>
      <Icon name="download" className="i s" />
      CSV
    </a>
  );
}

function SearchField({ label, initial }: { label: string; initial: string }) {
  const id = useId();
  return (
    <div className="search">
      <Icon name="search" />
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        type="search"
        name="q"
        placeholder={label}
        defaultValue={initial}
        maxLength={200}
        autoComplete="off"
        data-list-search=""
      />
      <kbd className="needs-script">/</kbd>
    </div>
  );
}

function SelectFilterField({ filter, initial }: { filter: SelectFilter; initial: string }) {
  const { name, label, allLabel, options } = filter;
  return (
    <select
      className={initial ? "select is-set" : "select"}
      name={name}
      aria-label={label}
      defaultValue={initial}
    >
      <option value="">{allLabel}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Links to a page's own action, such as Add Invoice. */
export function ListAction({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="btn primary" to={to} preventScrollReset>
      {children}
    </Link>
  );
}
