import { Form, useLocation, useNavigate } from "@remix-run/react";
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Sort } from "./schema";
import { type ShopFilter, shopAddress } from "./shop-address";

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
  const { search, category, sort } = filter;
  const field = useSearchField(search);
  const go = useFilterNavigation(filter);
  return (
    <Form
      className="tools"
      role="search"
      action="/shop"
      onSubmit={(event) => {
        event.preventDefault();
        go.now({ search: field.current?.value ?? "" });
      }}
    >
      {category && <input type="hidden" name="category" value={category} />}
      <div className="with-icon">
        <Search className="i" aria-hidden="true" />
        <input
          ref={field}
          className="input"
          id="search"
          type="search"
          name="search"
          placeholder="Search products"
          aria-label="Search products"
          defaultValue={search}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          onChange={(event) => go.soon({ search: event.target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="sort">Sort</label>
        <select
          key={sort}
          className="select"
          id="sort"
          name="sort"
          defaultValue={sort}
          onChange={(event) =>
            go.now({ sort: event.target.value as Sort, search: field.current?.value ?? "" })
          }
        >
          {Object.entries(SORT_NAMES).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <noscript>
        <button type="submit" className="btn btn-line">
          Apply
        </button>
      </noscript>
    </Form>
  );
}

/** The search field: says what the address says, unless somebody is typing in it. The header leads to it. */
function useSearchField(search: string) {
  const field = useRef<HTMLInputElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    const input = field.current;
    if (input && document.activeElement !== input) input.value = search;
  }, [search]);
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
    const address = shopAddress({ ...to, search: to.search.trim() });
    // Letters that follow on letters are one search in the history.
    const replace = "search" in change && newest.current.search !== "" && to.search !== "";
    if (address !== shopAddress(newest.current)) navigate(address, { replace, preventScrollReset: true });
  };
  const soon = (change: Partial<ShopFilter>) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => now(change), DEBOUNCE);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  return { now, soon };
}
