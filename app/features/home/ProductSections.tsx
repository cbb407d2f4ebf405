import type { CategoryTile } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { type Card, ProductCard } from "~/features/catalogue/ProductCard";
import { categoryUrl } from "~/features/catalogue/urls";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { useSite } from "~/ui/site";

const SIZES = "(min-width: 64rem) 14rem, (min-width: 44rem) 23vw, 46vw";
const LARGE_SIZES = "(min-width: 64rem) 29rem, (min-width: 44rem) 46vw, 92vw";

interface CategoryTilesProps {
  categories: CategoryTile[];
  /** Category with the large tile, and its picture; null when reading it failed. */
  highlighted: Pick<CategoryTile, "category" | "image"> | null;
}

/** Section "Shop by Category"; nothing when no category has products. */
export function CategoryTiles({ categories, highlighted }: CategoryTilesProps) {
  const { businesses } = useSite();
  if (!categories.length) return null;
  const large = categories.find(({ category }) => category === highlighted?.category);
  return (
    <section className="section">
      <div className="section-head">
        <h2>Shop by Category</h2>
      </div>
      <div className="category-tiles">
        {large && (
          <Tile
            tile={{ ...large, image: highlighted?.image ?? large.image }}
            className="category-tile category-tile-large"
            sizes={LARGE_SIZES}
            width={480}
          >
            <p className="bubble">{businesses.LASER}: your words, cut to stay.</p>
          </Tile>
        )}
        {categories
          .filter((tile) => tile !== large)
          .map((tile) => (
            <Tile key={tile.category} tile={tile} className="category-tile" sizes={SIZES} width={240} />
          ))}
      </div>
    </section>
  );
}

interface TileProps {
  tile: CategoryTile;
  className: string;
  sizes: string;
  width: number;
  children?: JSX.Element;
}

function Tile({ tile: { category, products, image }, className, sizes, width, children }: TileProps) {
  return (
    <Link className={className} to={categoryUrl(category)}>
      <div className="picture">
        <Picture image={image} alt="" sizes={sizes} width={width} />
      </div>
      {children}
      <b>
        {categoryName(category)} <span>{products}</span>
      </b>
    </Link>
  );
}

/** Section "Featured Products"; `cards` is null when reading them failed. */
export function FeaturedProducts({ cards }: { cards: Card[] | null }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>Featured Products</h2>
      </div>
      {cards === null ? <Failure /> : cards.length ? <Grid cards={cards} /> : <Empty />}
    </section>
  );
}

function Grid({ cards }: { cards: Card[] }) {
  return (
    <div className="product-grid product-grid-even">
      {cards.map((card) => (
        <ProductCard key={card.id} card={card} heading="h3" />
      ))}
    </div>
  );
}

function Failure() {
  return (
    <div className="notice" role="alert">
      <p>Failed to fetch data</p>
      <a className="btn btn-line" href="/">
        Try Again
      </a>
    </div>
  );
}

function Empty() {
  return (
    <div className="notice">
      <p>Nothing is on the shelf yet. Ask us what is coming.</p>
      <Link className="btn btn-line" to="/shop">
        Browse Shop
      </Link>
    </div>
  );
}
