/** Where somebody is in a list: all of it stands in the address, so that links, Back and reload work (contract: Pages and forms). */

export type Direction = "asc" | "desc";

/** What a list can be asked for. */
export interface ListRules {
  /** The list's own page. */
  path: string;
  /** Names that may be sorted by. */
  sorts: readonly string[];
  /** The order, and the rows on a page, that nobody has to ask for. */
  base: BaseParams;
  /** Filters by name: the values there are, or a day as YYYY-MM-DD. */
  filters?: Record<string, readonly string[] | "day">;
}

export interface BaseParams {
  sort: string;
  dir: Direction;
  /** DEFAULT_SIZE where it isn't said. */
  size?: number;
}

/** What a list is asked for. */
export interface ListParams {
  path: string;
  base: BaseParams;
  /** The search, trimmed; "" for none. */
  q: string;
  sort: string;
  dir: Direction;
  /** From 1. */
  page: number;
  /** Rows on a page. */
  size: number;
  /** Those that are set, by name. */
  filters: Record<string, string>;
}

/** The dialog that stands open over a list. */
export interface OpenDialog {
  /** `dialog` is one that belongs to no row, such as `new`. */
  kind: "dialog" | "edit" | "view" | "delete";
  /** The row's id, or the dialog's name. */
  id: string;
}

/** What the selector offers (storefront 2, Reusable data table). */
export const PAGE_SIZES = [5, 10, 20, 50, 100] as const;
export const DEFAULT_SIZE = 10;
/** An address may ask for a longer page than the selector offers; no longer than a list of the API may be. */
export const MAX_SIZE = 1000;
const MAX_QUERY = 200;

const DIALOGS = ["dialog", "edit", "view", "delete"] as const;
const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2099-12-31";

/**
 * Reads a place out of an address; what makes no sense is as if it weren't there.
 *
 * @param searchParams of the address
 * @param rules of the list
 */
export function parseListParams(
  searchParams: URLSearchParams,
  { path, sorts, base, filters = {} }: ListRules,
): ListParams {
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
    page: wholeOr(1, searchParams.get("page"), 1_000_000),
    size: wholeOr(parsePageSize(base), searchParams.get("size"), MAX_SIZE),
    filters: inOrder(
      Object.fromEntries(
        Object.entries(filters)
          .map(([name, known]) => [name, searchParams.get(name) ?? "", known] as const)
          .filter(([, value, known]) => (known === "day" ? isDay(value) : known.includes(value)))
          .map(([name, value]) => [name, value]),
      ),
    ),
  };
}

/** Days that were given the wrong way round, the other way round. */
function inOrder(filters: Record<string, string>): Record<string, string> {
  const { from, to } = filters;
  return from && to && from > to ? { ...filters, from: to, to: from } : filters;
}

/** Rows on a page of a list where nobody asks for another number of them. */
export const parsePageSize = ({ size }: BaseParams): number => size ?? DEFAULT_SIZE;

function wholeOr(fallback: number, text: string | null, max: number): number {
  const value = /^\d{1,7}$/.test(text ?? "") ? Number(text) : 0;
  return value >= 1 && value <= max ? value : fallback;
}

/** Whether text is a day of the calendar, YYYY-MM-DD, in the years that the shop knows (contract: Money). */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Reads which dialog stands open, if any. */
export function readDialog(searchParams: URLSearchParams): OpenDialog | null {
  for (const kind of DIALOGS) {
    const id = searchParams.get(kind);
    if (id) return { kind, id };
  }
  return null;
}

/**
 * The address of a place; what nobody has to ask for is left out.
 *
 * @param changes to the place. Whatever changes but the page itself begins at the first page again
 * @param dialog that stands open there
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
  if (size !== parsePageSize(base)) searchParams.set("size", String(size));
  if (dialog) searchParams.set(dialog.kind, dialog.id);
  const query = searchParams.toString();
  return query ? `${path}?${query}` : path;
}

/** Where all pages of what a place shows can be had as a CSV file, in the order of the list. */
export function csvUrl(params: ListParams): string {
  return `${params.path}.csv${listUrl({ ...params, page: 1 }).slice(params.path.length)}`;
}

/**
 * The address without the dialog that stands open: where closing it, or what it did, leads.
 *
 * @param url of the page, absolute or with the origin left out
 */
export function withoutDialog(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://local");
  for (const kind of DIALOGS) searchParams.delete(kind);
  const query = searchParams.toString();
  return query ? `${pathname}?${query}` : pathname;
}

/** Whether a search or a filter narrows the list. */
export function isFiltered({ q, filters }: ListParams): boolean {
  return q !== "" || Object.keys(filters).length > 0;
}

/** How many pages a list has; an empty one has one, too. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** Whether a place lies past the list's last page. */
export function isPastEnd({ page, size }: ListParams, total: number): boolean {
  return page > pageCount(total, size);
}
