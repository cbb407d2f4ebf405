import { Form, Link } from "@remix-run/react";
import { type ReactNode, useId } from "react";
import { Icon } from "../Icon";
import { DayRange } from "./DayRange";
import type { Choice, DateRange } from "./filters";
import { isFiltered, type ListParams, listUrl } from "./list-params";
import { KeptFields } from "./Pager";
import { type SortChoice, SortMenu } from "./SortMenu";
import { useListForm } from "./useListForm";

export interface ListToolsProps {
  params: ListParams;
  /** What is searched, such as "Search descriptions". */
  search: string;
  choices?: Choice[];
  /** Stretches of days that have a name; none for a list that isn't filtered by day. */
  datePresets?: DateRange[];
  /** How a day is told, YYYY-MM-DD → words. */
  formatDay?: (day: string) => string;
  /** Where what is filtered can be had as a CSV file. */
  csv?: string;
  /** Whether one press takes away search and filters. */
  hasClear?: boolean;
  /** Orders to choose from where titles can't be pressed: on phones. */
  sorts: SortChoice[];
  /** What stands at the end: the act of the page. */
  children?: ReactNode;
}

const asIs = (day: string) => day;

/** Search, filters, export and the act of a list: a plain GET form, which with a script answers by itself. */
export function ListTools(props: ListToolsProps) {
  const { params, search, choices = [], datePresets, formatDay, csv, sorts, hasClear, children } = props;
  const names = [...choices.map(({ name }) => name), ...(datePresets ? ["from", "to"] : [])];
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
      <KeptFields params={params} except={["q", ...names]} />
      <SearchField label={search} initial={params.q} />
      <div className="filters">
        {datePresets && <DayRange params={params} datePresets={datePresets} formatDay={formatDay ?? asIs} />}
        <ChoiceFields params={params} choices={choices} />
        <SortMenu params={params} sorts={sorts} />
        {hasClear && isFiltered(params) && <ClearFilters params={params} />}
        <button type="submit" className="btn without-script">
          Apply
        </button>
      </div>
      <div className="toolbar-end">
        {csv && <CsvLink to={csv} />}
        {children}
      </div>
    </Form>
  );
}

/** Beside the filters, where its coming and going moves nothing that is about to be pressed. */
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

function ChoiceFields({ params, choices }: { params: ListParams; choices: Choice[] }) {
  return choices.map((choice) => (
    <ChoiceField key={choice.name} choice={choice} initial={params.filters[choice.name] ?? ""} />
  ));
}

function ChoiceField({ choice, initial }: { choice: Choice; initial: string }) {
  const { name, label, all, options } = choice;
  return (
    <select
      className={initial ? "select is-set" : "select"}
      name={name}
      aria-label={label}
      defaultValue={initial}
    >
      <option value="">{all}</option>
      {options.map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** A list's own act, such as Add Invoice. */
export function ListAction({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="btn primary" to={to} preventScrollReset>
      {children}
    </Link>
  );
}
