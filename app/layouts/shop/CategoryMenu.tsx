import { categoryName } from "~/features/catalogue/categories";
import { type CategoryTile, categoryUrl } from "~/features/catalogue/category-tile";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { Picture } from "~/ui/Picture";
import { popover, popoverTrigger } from "~/ui/popover";

const MENU = "categories";

/** The button in the header that opens the categories. */
export function CategoryButton() {
  return (
    <button {...popoverTrigger(MENU)} className="shop-nav-categories">
      Categories <Icon name="chevron-down" />
    </button>
  );
}

/** The categories, each leading to its products. */
export function CategoryMenu({ categories }: { categories: CategoryTile[] }) {
  return (
    <div {...popover(MENU)} className="dropdown dropdown-categories">
      <ul>
        {categories.map(({ category, image }) => (
          <li key={category}>
            <Link to={categoryUrl(category)}>
              <Picture image={image} alt="" sizes="44px" width={44} />
              {categoryName(category)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
