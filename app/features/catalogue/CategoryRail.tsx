import { Link } from "~/ui/Link";
import { type Category, categoryName } from "./categories";
import { type ShopFilter, shopUrl } from "./shop-url";

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
