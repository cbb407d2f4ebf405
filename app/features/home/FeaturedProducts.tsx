import { type Card, ProductCard } from "~/features/catalogue/ProductCard";
import { Link } from "~/ui/Link";

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
