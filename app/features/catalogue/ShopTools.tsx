import { useLocation, useNavigate, useNavigationType } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import type { Sort } from "./schema";
import { type ShopFilter, shopUrl } from "./shop-address";

/** Spec 9: search debounce. */
const DEBOUNCE = 300;

const SORT_NAMES: Record<Sort, string> = {
  default: "Default",
  "price-asc": "Price: low to high",
  "price-desc": "Price: high to low",
  "name-asc": "Name: A to Z",
  "name-desc": "Name: Z to A",
};

/** Search and sort: a plain form, that sends itself where there are scripts. */
export function ShopTools({ filter }: { filter: ShopFilter }) {
  const field = useSearchField(filter.search);
  const go = useFilterNavigation(filter);
  const typed = () => field.current?.value ?? "";
  const send = (event: FormEvent) => {
    event.preventDefault();
    go.now({ search: typed() });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> would stand around the form, which is what is laid out
    <form className="list-tools" role="search" action="/shop" onSubmit={send}>
      {filter.category && <input type="hidden" name="category" value={filter.category} />}
      <div className="with-icon">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          id="search"
          type="search"
          name="search"
          placeholder="Search products"
          aria-label="Search products"
          defaultValue={filter.search}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          onChange={(event) => go.soon({ search: event.target.value })}
        />
      </div>
      <SortField sort={filter.sort} onSort={(sort) => go.now({ sort, search: typed() })} />
      <noscript>
        <button type="submit" className="btn btn-line">
          Apply
        </button>
      </noscript>
    </form>
  );
}

function SortField({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <div className="field">
      <label htmlFor="sort">Sort</label>
      <select
        className="select"
        id="sort"
        name="sort"
        value={sort}
        onChange={(event) => onSort(event.target.value as Sort)}
      >
        {Object.entries(SORT_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The search field: says what the address says, unless somebody is typing in it. The header leads to it. */
function useSearchField(search: string) {
  const field = useRef<HTMLInputElement>(null);
  const { hash } = useLocation();
  const back = useNavigationType() === "POP";
  useEffect(() => {
    const input = field.current;
    if (input && (back || document.activeElement !== input)) input.value = search;
  }, [search, back]);
  useEffect(() => {
    if (hash === "#search") field.current?.focus();
  }, [hash]);
  return field;
}

/** Leads to another view of the shop: now, or once nothing more was typed for 300 ms. */
function useFilterNavigation(filter: ShopFilter) {
  const navigate = useNavigate();
  const waiting = useRef<ReturnType<typeof setTimeout>>();
  const newest = useRef(filter);
  newest.current = filter;
  const now = (change: Partial<ShopFilter>) => {
    clearTimeout(waiting.current);
    const to = { ...newest.current, ...change };
    const address = shopUrl({ ...to, search: to.search.trim() });
    // Letters that follow on letters are one search in the history.
    const sameOrder = to.sort === newest.current.sort;
    const replace = sameOrder && newest.current.search !== "" && to.search !== "";
    if (address !== shopUrl(newest.current)) navigate(address, { replace, preventScrollReset: true });
  };
  const soon = (change: Partial<ShopFilter>) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => now(change), DEBOUNCE);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  return { now, soon };
}
