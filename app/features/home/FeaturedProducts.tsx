import { type Card, ProductCard } from "~/features/catalogue/ProductCard";
import { Link } from "~/ui/Link";

/**
 * Featured Products (spec 2, Home).
 *
 * @param cards null where they could not be read
 */
export function FeaturedProducts({ cards }: { cards: Card[] | null }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>Featured Products</h2>
      </div>
      {cards === null ? <Failed /> : cards.length ? <Grid cards={cards} /> : <NothingYet />}
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

function Failed() {
  return (
    <div className="notice" role="alert">
      <p>Failed to fetch data</p>
      <a className="btn btn-line" href="/">
        Try Again
      </a>
    </div>
  );
}

function NothingYet() {
  return (
    <div className="notice">
      <p>Nothing is on the shelf yet. Ask us what is coming.</p>
      <Link className="btn btn-line" to="/shop">
        Browse Shop
      </Link>
    </div>
  );
}
