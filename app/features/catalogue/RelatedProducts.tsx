import { Link } from "~/ui/Link";
import { type Category, categoryName } from "./categories";
import { type Card, ProductCard } from "./ProductCard";
import { shopUrl } from "./shop-url";

/** Other products of the same category; nothing when there are none. */
export function RelatedProducts({ cards, category }: { cards: Card[]; category: Category }) {
  if (cards.length === 0) return null;
  return (
    <section className="section" aria-labelledby="related">
      <div className="section-head">
        <h2 id="related">Related products</h2>
        <Link className="link" to={shopUrl({ search: "", category, sort: "default" })}>
          All in {categoryName(category)}
        </Link>
      </div>
      <div className="product-grid product-grid-even">
        {cards.map((card) => (
          <ProductCard key={card.id} card={card} heading="h3" hasDetailsLink />
        ))}
      </div>
    </section>
  );
}
