import { useLocation, useNavigationType } from "@remix-run/react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { CURRENCY_SIGN } from "~/domain/currency";
import { plainDollars } from "~/domain/money";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { popoverClose, popoverSheet, popoverTrigger } from "~/ui/popover";
import type { VisibleShop } from "./earlier-pages";
import { OtherFilters, useFilterForm } from "./filter-form";
import { PRICE_RANGES, priceLabel } from "./price-bands";
import { SearchField } from "./SearchField";
import type { Facets, ShopFilter, Sort } from "./schema";
import { shopUrl } from "./urls";

const SORT_LABELS: Record<Sort, string> = {
  default: "Default",
  "price-asc": "Price: low to high",
  "price-desc": "Price: high to low",
  "name-asc": "Name: A to Z",
  "name-desc": "Name: Z to A",
};

/** Search form of the product list; JavaScript navigates while the text is typed. */
export function ShopSearch({ filter }: { filter: ShopFilter }) {
  const field = useSearchField(filter.search);
  const { submit, submitSoon, cancel } = useFilterForm(filter);
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> would wrap the form, which is the laid-out element
    <form className="list-search" role="search" action="/shop" aria-label="Products" onSubmit={submit}>
      <OtherFilters filter={{ ...filter, search: "" }} />
      <SearchField
        field={field}
        id="search"
        label="Search products"
        defaultValue={filter.search}
        onChange={submitSoon}
        onChoose={cancel}
      />
    </form>
  );
}

/** Keeps the search field equal to the URL, except while someone types, and focuses it for `#search`. */
function useSearchField(search: string): RefObject<HTMLInputElement> {
  const field = useRef<HTMLInputElement>(null);
  const { hash } = useLocation();
  const isHistoryMove = useNavigationType() === "POP";
  const previous = useRef(search);
  useEffect(() => {
    const input = field.current;
    // At first the field has the text already, or what was typed before hydration.
    const isNew = previous.current !== search;
    if (input && isNew && (isHistoryMove || document.activeElement !== input)) input.value = search;
    previous.current = search;
  }, [search, isHistoryMove]);
  useEffect(() => {
    if (hash === "#search") field.current?.focus();
  }, [hash]);
  return field;
}

export function SortField({ filter }: { filter: ShopFilter }) {
  const { submit, go } = useFilterForm(filter);
  return (
    <form className="sort" action="/shop" onSubmit={submit}>
      <OtherFilters filter={{ ...filter, sort: "default" }} />
      <label htmlFor="sort">Sort</label>
      <select
        className="select"
        id="sort"
        name="sort"
        value={filter.sort}
        onChange={({ target }) => target.form && go(target.form)}
      >
        {Object.entries(SORT_LABELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" className="btn btn-line">
        Apply
      </button>
    </form>
  );
}

type CategoryCount = { category: Category; products: number };

/** Draws a number of products beside a filter. */
type Count = (products?: number) => ReactNode;

interface FiltersProps {
  categories: CategoryCount[];
  filter: ShopFilter;
  facets: Facets;
  count: Count;
}

/** Categories, price and stock: beside the list on wide screens, above it on narrow ones. */
export function ShopFilters({ categories: all, shop }: { categories: CategoryCount[]; shop: VisibleShop }) {
  const { facets, searched } = shop;
  const filter = searched ? { ...shop.filter, min: searched.min, max: searched.max } : shop.filter;
  const isShown = ({ category, products }: CategoryCount) => products > 0 || category === filter.category;
  const categories = facets.categories?.filter(isShown) ?? all;
  // Beside products, a number of none would be in the way.
  const isNear = (searched?.groups.length ?? 0) > 0;
  const count: Count = (products = 0) => (products > 0 || !isNear) && <span>{products}</span>;
  return (
    <aside className="filters" aria-label="Filters">
      <h2>Category</h2>
      <CategoryLinks categories={categories} filter={shop.filter} count={count} />
      <div className="filter-buttons">
        <button
          {...popoverTrigger("price")}
          className={filter.min === null && filter.max === null ? "filter-button" : "filter-button filter-on"}
        >
          {priceLabel(filter) ?? "Price"} <Icon name="chevron-down" />
        </button>
        <Link
          className={filter.inStock ? "filter-button filter-on" : "filter-button"}
          to={shopUrl({ ...shop.filter, inStock: !filter.inStock })}
          preventScrollReset
          aria-current={filter.inStock ? "true" : undefined}
        >
          {filter.inStock && <Icon name="check" />}In stock {count(facets.inStock)}
        </Link>
      </div>
      <PriceFilter filter={{ ...filter, search: searched?.text ?? "" }} facets={facets} count={count} />
    </aside>
  );
}

function CategoryLinks({ categories, filter, count }: Omit<FiltersProps, "facets">) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (!nav.current || !current || !filter.category) return;
    const { offsetLeft, clientWidth } = nav.current;
    nav.current.scrollLeft = current.offsetLeft - offsetLeft - (clientWidth - current.offsetWidth) / 2;
  }, [filter.category]);
  const all = categories.reduce((sum, { products }) => sum + products, 0);
  return (
    <nav className="category-links" aria-label="Category" ref={nav}>
      {[{ category: null, products: all }, ...categories].map(({ category, products }) => (
        <Link
          key={category}
          to={shopUrl({ ...filter, category })}
          preventScrollReset
          aria-current={category === filter.category ? "true" : undefined}
        >
          {category ? categoryName(category) : "All"} {count(products)}
        </Link>
      ))}
    </nav>
  );
}

/** Links that remove one filter each, on wide screens; on narrow ones the buttons above the list say what is on. */
export function ActiveFilters({ filter }: { filter: ShopFilter }) {
  const price = priceLabel(filter);
  const active: [string, Partial<ShopFilter>][] = [];
  if (price) active.push([price, { min: null, max: null }]);
  if (filter.inStock) active.push(["In stock", { inStock: false }]);
  if (!active.length) return null;
  return (
    <div className="active-filters">
      {active.map(([label, without]) => (
        <Link
          key={label}
          to={shopUrl({ ...filter, ...without })}
          preventScrollReset
          aria-label={`Remove: ${label}`}
        >
          {label} <Icon name="x" />
        </Link>
      ))}
    </div>
  );
}

/** Panel of prices with products: opens from below on narrow screens, stands in the column on wide ones. */
function PriceFilter({ filter, facets, count }: Omit<FiltersProps, "categories">) {
  return (
    <div {...popoverSheet("price")} className="price-filter">
      <div className="price-filter-head">
        <h2>Price</h2>
        <button {...popoverClose("price")} className="icon-btn" aria-label="Close">
          <Icon name="x" />
        </button>
      </div>
      <PriceForm filter={filter} />
      <ul>
        {PRICE_RANGES.map(
          ({ label, min, max }, index) =>
            !!facets.prices[index] && (
              <li key={label}>
                <Link to={shopUrl({ ...filter, min, max })} preventScrollReset>
                  {label} {count(facets.prices[index])}
                </Link>
              </li>
            ),
        )}
      </ul>
    </div>
  );
}

function PriceForm({ filter }: { filter: ShopFilter }) {
  const { submit } = useFilterForm(filter);
  const value = (cents: number | null) => (cents === null ? "" : plainDollars(cents));
  return (
    <form action="/shop" onSubmit={submit} key={shopUrl(filter)}>
      <OtherFilters filter={{ ...filter, min: null, max: null }} />
      {(["min", "max"] as const).map((name) => (
        <label key={name}>
          {name === "min" ? "From" : "To"}
          <span className="money" data-sign={CURRENCY_SIGN}>
            <input
              className="input num"
              name={name}
              inputMode="decimal"
              pattern={`[\\d.,${CURRENCY_SIGN}\\s]*`}
              title="An amount like 25.50"
              maxLength={14}
              autoComplete="off"
              defaultValue={value(filter[name])}
            />
          </span>
        </label>
      ))}
      <button type="submit" className="btn btn-line">
        Show
      </button>
    </form>
  );
}
