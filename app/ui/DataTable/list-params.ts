import { isDay } from "~/domain/calendar-day";
// The URL holds the whole state of a list (docs/product.md, 2.3).

export type Direction = "asc" | "desc";

export interface ListRules {
  path: string;
  sorts: readonly string[];
  base: BaseParams;
  /** Filters by name: allowed values, their pattern, or a day YYYY-MM-DD. */
  filters?: Record<string, FilterRule>;
  /** Parameters that the page reads beside those of its list and its dialogs. */
  others?: readonly string[];
}

type FilterRule = readonly string[] | RegExp | "day";

export interface BaseParams {
  sort: string;
  dir: Direction;
  /** Default DEFAULT_SIZE. */
  size?: number;
}

export interface ListParams {
  path: string;
  base: BaseParams;
  /** Trimmed search; "" for none. */
  q: string;
  sort: string;
  dir: Direction;
  /** From 1. */
  page: number;
  size: number;
  filters: Record<string, string>;
  /** Parameters of the URL that have no effect: unknown names, and values that the list does not have. */
  ignored: string[];
}

export interface OpenDialog {
  /** `dialog` belongs to no row, such as `new`. */
  kind: "dialog" | "edit" | "duplicate" | "view" | "delete";
  /** Id of the row, or name of the dialog. */
  id: string;
}

export const PAGE_SIZES = [5, 10, 20, 50, 100] as const;
const DEFAULT_SIZE = 10;
/** Largest page that a URL may request, as in the API. */
const MAX_SIZE = 1000;
const MAX_PAGE = 1_000_000;
const MAX_QUERY = 200;

const DIALOGS = ["dialog", "edit", "duplicate", "view", "delete"] as const;

/** Parses list parameters and ignores invalid ones. */
export function parseListParams(searchParams: URLSearchParams, rules: ListRules): ListParams {
  const { path, sorts, base, filters = {} } = rules;
  const sort = searchParams.get("sort") ?? "";
  const isSorted = sorts.includes(sort);
  return {
    path,
    base,
    q: (searchParams.get("q") ?? "")
      .toWellFormed()
      .replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, MAX_QUERY),
    sort: isSorted ? sort : base.sort,
    dir: isSorted ? (searchParams.get("dir") === "desc" ? "desc" : "asc") : base.dir,
    page: parseInteger(1, searchParams.get("page"), MAX_PAGE),
    size: parseInteger(defaultPageSize(base), searchParams.get("size"), MAX_SIZE),
    filters: withOrderedDates(
      Object.fromEntries(
        Object.entries(filters)
          .map(([name, rule]) => [name, searchParams.get(name) ?? "", rule] as const)
          .filter(([, value, rule]) => isAllowed(value, rule))
          .map(([name, value]) => [name, value]),
      ),
    ),
    ignored: ignoredNames(searchParams, rules),
  };
}

/** Names the parameters without effect; an empty one, as a form sends it, is not set. */
function ignoredNames(
  searchParams: URLSearchParams,
  { sorts, filters = {}, others = [] }: ListRules,
): string[] {
  const isSorted = sorts.includes(searchParams.get("sort") ?? "");
  const rules = new Map<string, (value: string) => boolean>([
    ...Object.entries(filters).map(
      ([name, rule]) => [name, (value: string) => isAllowed(value, rule)] as const,
    ),
    ...["q", ...DIALOGS, ...others].map((name) => [name, () => true] as const),
    ["sort", () => isSorted],
    ["dir", (value) => isSorted && (value === "asc" || value === "desc")],
    ["page", (value) => parseInteger(0, value, MAX_PAGE) > 0],
    ["size", (value) => parseInteger(0, value, MAX_SIZE) > 0],
  ]);
  const hasEffect = (name: string, value: string) => value === "" || (rules.get(name)?.(value) ?? false);
  const names = [...searchParams].flatMap(([name, value]) => (hasEffect(name, value) ? [] : [name]));
  return [...new Set(names)];
}

function isAllowed(value: string, rule: FilterRule): boolean {
  if (rule === "day") return isDay(value);
  return rule instanceof RegExp ? rule.test(value) : rule.includes(value);
}

/** Swaps a date range whose end precedes its beginning. */
function withOrderedDates(filters: Record<string, string>): Record<string, string> {
  const { from, to } = filters;
  return from && to && from > to ? { ...filters, from: to, to: from } : filters;
}

export const defaultPageSize = ({ size }: BaseParams): number => size ?? DEFAULT_SIZE;

function parseInteger(fallback: number, text: string | null, max: number): number {
  const value = /^\d{1,7}$/.test(text ?? "") ? Number(text) : 0;
  return value >= 1 && value <= max ? value : fallback;
}

export function readDialog(searchParams: URLSearchParams): OpenDialog | null {
  for (const kind of DIALOGS) {
    const id = searchParams.get(kind);
    if (id) return { kind, id };
  }
  return null;
}

/**
 * Builds the URL of a list without default values.
 *
 * @param changes to the parameters; any change other than of the page leads to page 1
 */
export function listUrl(params: ListParams, changes: Partial<ListParams> = {}, dialog?: OpenDialog): string {
  const restarts = Object.keys(changes).some((name) => name !== "page");
  const { path, base, q, sort, dir, page, size, filters } = {
    ...params,
    ...(restarts && { page: 1 }),
    ...changes,
  };
  const searchParams = new URLSearchParams();
  if (q) searchParams.set("q", q);
  for (const [name, value] of Object.entries(filters)) if (value) searchParams.set(name, value);
  if (sort !== base.sort || dir !== base.dir) {
    searchParams.set("sort", sort);
    searchParams.set("dir", dir);
  }
  if (page > 1) searchParams.set("page", String(page));
  if (size !== defaultPageSize(base)) searchParams.set("size", String(size));
  if (dialog) searchParams.set(dialog.kind, dialog.id);
  const query = searchParams.toString();
  return query ? `${path}?${query}` : path;
}

/** Builds the URL of the CSV export: all pages with the same filters and sort. */
export function csvUrl(params: ListParams): string {
  return `${params.path}.csv${listUrl({ ...params, page: 1 }).slice(params.path.length)}`;
}

/** Removes the open dialog from a URL. @param url absolute, or path and query */
export function withoutDialog(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://local");
  for (const kind of DIALOGS) searchParams.delete(kind);
  const query = searchParams.toString();
  return query ? `${pathname}?${query}` : pathname;
}

/** Checks for an active search or filter. */
export function isFiltered({ q, filters }: ListParams): boolean {
  return q !== "" || Object.keys(filters).length > 0;
}

/** Counts the pages of a list, at least 1. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}
