import { useLocation, useNavigate, useNavigationType } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { type Category, categoryName } from "./categories";
import type { Sort } from "./schema";
import { type ShopFilter, shopUrl } from "./shop-url";

/** Delay of the search after the last key, ms. */
const DEBOUNCE = 300;

const SORT_LABELS: Record<Sort, string> = {
  default: "Default",
  "price-asc": "Price: low to high",
  "price-desc": "Price: high to low",
  "name-asc": "Name: A to Z",
  "name-desc": "Name: Z to A",
};

/** Search and sort: a form that submits itself with JavaScript. */
export function ShopTools({ filter }: { filter: ShopFilter }) {
  const field = useSearchField(filter.search);
  const go = useFilterNavigation(filter);
  const searchText = () => field.current?.value ?? "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go.now({ search: searchText() });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> would wrap the form, which is the laid-out element
    <form className="list-tools" role="search" action="/shop" onSubmit={submit}>
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
      <SortField sort={filter.sort} onSort={(sort) => go.now({ sort, search: searchText() })} />
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
        {Object.entries(SORT_LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Keeps the search field equal to the URL, except while someone types, and focuses it for `#search`. */
function useSearchField(search: string) {
  const field = useRef<HTMLInputElement>(null);
  const { hash } = useLocation();
  const isHistoryMove = useNavigationType() === "POP";
  useEffect(() => {
    const input = field.current;
    if (input && (isHistoryMove || document.activeElement !== input)) input.value = search;
  }, [search, isHistoryMove]);
  useEffect(() => {
    if (hash === "#search") field.current?.focus();
  }, [hash]);
  return field;
}

/** Navigates to another filter, at once or debounced. */
function useFilterNavigation(filter: ShopFilter) {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useRef(filter);
  latest.current = filter;
  const now = (change: Partial<ShopFilter>) => {
    clearTimeout(timer.current);
    const to = { ...latest.current, ...change };
    const url = shopUrl({ ...to, search: to.search.trim() });
    // Continued typing replaces the history entry.
    const hasSameSort = to.sort === latest.current.sort;
    const replace = hasSameSort && latest.current.search !== "" && to.search !== "";
    if (url !== shopUrl(latest.current)) navigate(url, { replace, preventScrollReset: true });
  };
  const soon = (change: Partial<ShopFilter>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => now(change), DEBOUNCE);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return { now, soon };
}

interface CategoryListProps {
  categories: { category: Category; products: number }[];
  filter: ShopFilter;
}

/** Category filter beside the grid, on wide screens. */
export function CategoryRail(props: CategoryListProps) {
  return (
    <aside className="category-rail" aria-label="Categories">
      <h2>Category</h2>
      <CategoryLinks {...props} />
      <p className="bubble bubble-soft">
        Not here? <Link to="/chat">Ask us</Link>. We order in most weeks.
      </p>
    </aside>
  );
}

/** Category filter above the grid, on narrow screens. */
export function CategoryChips(props: CategoryListProps) {
  return <CategoryLinks {...props} className="category-chips" />;
}

function CategoryLinks({ categories, filter, className }: CategoryListProps & { className?: string }) {
  const all = categories.reduce((sum, { products }) => sum + products, 0);
  const options = [{ category: null, products: all }, ...categories];
  return (
    <nav className={className} aria-label="Category">
      {options.map(({ category, products }) => (
        <Link
          key={category}
          to={shopUrl({ ...filter, category })}
          preventScrollReset
          aria-current={category === filter.category ? "true" : undefined}
        >
          {category ? categoryName(category) : "All"} <span>{products}</span>
        </Link>
      ))}
    </nav>
  );
}
