import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { localTo } from "~/domain/local-to";
import { Form, Link, useNavigate } from "~/ui/navigation";
import { useSearchDelay } from "../hooks";
import { Icon } from "../Icon";
import { useIsLeaving } from "../leaving";
import { type DateRange, DateRangeMenu, type SelectFilter, SortMenu, type SortOption } from "./filters";
import { isFiltered, type ListParams, listUrl } from "./list-params";
import { HiddenParams } from "./Pager";

export interface ListToolsProps {
  params: ListParams;
  /** Content before the search field, such as a switch between lists. */
  lead?: ReactNode;
  /** Label of the search field, such as "Search descriptions". */
  search: string;
  filters?: SelectFilter[];
  /** Pills of a filter, behind the other filters. */
  pills?: ReactNode;
  /** Presets of the date filter; without them the list has none. */
  datePresets?: DateRange[];
  /** Formats a day YYYY-MM-DD. */
  formatDay?: (day: string) => string;
  /** Action before all others. */
  firstAction?: ReactNode;
  csv?: string;
  /** Adds a link that clears search and filters. */
  hasClear?: boolean;
  sorts: SortOption[];
  /** Stands behind the search field. */
  scan?: ReactNode;
  /** Handles a text that is sent, such as a code. @returns false for one to search for */
  onSearch?: (text: string) => Promise<boolean>;
  children?: ReactNode;
}

/** Search, filters, export and actions of a list in a GET form; with JavaScript changes apply without submitting. */
export function ListTools(props: ListToolsProps) {
  const { params, filters = [], datePresets, formatDay = String } = props;
  const names = [...filters.map(({ name }) => name), ...(datePresets ? ["from", "to"] : [])];
  const { form, ...on } = useListForm(params, names, props.onSearch);
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
      {props.lead}
      <SearchField label={props.search} initial={params.q} />
      {props.scan}
      <div className="filters">
        {datePresets && <DateRangeMenu params={params} datePresets={datePresets} formatDay={formatDay} />}
        {filters.map((filter) => (
          <SelectFilterField key={filter.name} filter={filter} initial={params.filters[filter.name] ?? ""} />
        ))}
        {props.sorts.length > 0 && <SortMenu params={params} sorts={props.sorts} />}
        {props.hasClear && isFiltered(params) && <ClearFilters params={params} />}
        <button type="submit" className="btn without-script">
          Apply
        </button>
      </div>
      {props.pills}
      <div className="toolbar-end">
        {props.firstAction}
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
    <a className="btn" href={localTo(to)} download>
      <Icon name="download" className="i s" />
      CSV
    </a>
  );
}

function SearchField({ label, initial }: { label: string; initial: string }) {
  const id = useId();
  return (
    <div className="search" data-label={label}>
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

interface ListActionProps {
  to: string;
  /** Stands behind the list's first action. */
  isSecond?: boolean;
  children: ReactNode;
}

export function ListAction({ to, isSecond = false, children }: ListActionProps) {
  return (
    <Link className={isSecond ? "btn" : "btn primary"} to={to} preventScrollReset>
      {children}
    </Link>
  );
}

/** Applies a list form without submitting: a search once the typing pauses, a filter at once. */
function useListForm(params: ListParams, names: string[], onSearch: ListToolsProps["onSearch"]) {
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef("");
  const url = listUrl(params);

  const send = (isTyping: boolean) => {
    cancel();
    if (!form.current || isLeaving) return;
    const to = formUrl(form.current, params, names);
    if (to === url) return;
    sent.current = to;
    navigate(to, { preventScrollReset: true, replace: isTyping });
  };
  const { soon, cancel } = useSearchDelay(() => send(true));
  useFilledForm(form, params, { isOwn: () => sent.current === url, onEarlySearch: soon });

  return {
    form,
    onSubmit: async (event: FormEvent) => {
      event.preventDefault();
      cancel();
      const field = form.current?.elements.namedItem("q");
      const text = field instanceof HTMLInputElement ? field.value.trim() : "";
      if (text === "" || !(await onSearch?.(text))) return send(false);
      // The next code is typed over this one.
      if (field instanceof HTMLInputElement) field.select();
    },
    onInput: ({ target }: FormEvent) => {
      const field = target as HTMLInputElement;
      if (!field.name || !field.validity.valid) return;
      if (field.tagName === "SELECT") send(false);
      else soon();
    },
  };
}

interface FillOptions {
  /** Tells whether the form itself has navigated to the parameters. */
  isOwn: () => boolean;
  /** Called for a search that was typed before hydration. */
  onEarlySearch: () => void;
}

/** Keeps the fields equal to the parameters. */
function useFilledForm(
  form: RefObject<HTMLFormElement>,
  params: ListParams,
  { isOwn, onEarlySearch }: FillOptions,
) {
  const filled = useRef<ListParams>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields follow the URL, not the other way round
  useEffect(() => {
    if (!form.current) return;
    const isFirst = filled.current === undefined;
    fillForm(form.current, params, isOwn() ? null : (filled.current ?? params));
    filled.current = params;
    if (isFirst && new FormData(form.current).get("q") !== params.q) onEarlySearch();
  }, [listUrl(params)]);
}

function formUrl(form: HTMLFormElement, params: ListParams, names: string[]): string {
  const fields = new FormData(form);
  const value = (name: string) => String(fields.get(name) ?? "").trim();
  const entries = names.map((name) => [name, value(name)] as const);
  const filters = { ...params.filters, ...Object.fromEntries(entries) };
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  return listUrl(params, { q: value("q"), filters: set });
}

const paramOf = ({ q, filters }: ListParams, name: string) => (name === "q" ? q : (filters[name] ?? ""));

/**
 * Writes the parameters into the form. The focused field keeps what is typed unless another navigation has changed its
 * parameter.
 *
 * @param before parameters that the navigation has replaced; null for the form's own navigation
 */
function fillForm(form: HTMLFormElement, params: ListParams, before: ListParams | null): void {
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    if (!field.name || field.type === "hidden") continue;
    const value = paramOf(params, field.name);
    const isKept = before === null || paramOf(before, field.name) === value;
    if (isKept && field === document.activeElement) continue;
    if (field.value !== value) field.value = value;
  }
}
