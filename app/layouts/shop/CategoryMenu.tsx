import { ChevronDown } from "lucide-react";
import { categoryName } from "~/features/catalogue/categories";
import { type CategoryTile, categoryAddress } from "~/features/catalogue/category-tile";
import { Link } from "~/ui/Link";
import { Picture } from "~/ui/Picture";
import { popover, popoverTrigger } from "~/ui/popover";
import { still } from "~/ui/still";

const MENU = "categories";

/** The button in the header that opens the categories. */
export function CategoryButton() {
  return (
    <button {...popoverTrigger(MENU)} className="shop-nav-categories">
      Categories <ChevronDown className="i" aria-hidden="true" />
    </button>
  );
}

/** The categories, each leading to its products. */
export function CategoryMenu({ categories }: { categories: CategoryTile[] }) {
  return (
    <div {...popover(MENU)} className="dropdown dropdown-categories">
      <ul
        {...still(
          categories.map(({ category, image }) => (
            <li key={category}>
              <Link to={categoryAddress(category)}>
                <Picture image={image} alt="" sizes="44px" width={44} />
                {categoryName(category)}
              </Link>
            </li>
          )),
        )}
      />
    </div>
  );
}
