import { useEffect } from "react";
import type { Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { Gallery, showPicture } from "~/features/catalogue/Gallery";
import { type Card, ProductCard } from "~/features/catalogue/ProductCard";
import { unitOf } from "~/features/catalogue/unit-choice";
import { categoryUrl } from "~/features/catalogue/urls";
import { Link } from "~/ui/navigation";
import { BuyBox, type ProductDetail } from "./BuyBox";

/** Pictures, description and price of a product, with others of its category. */
export function ProductPage({ product, related }: { product: ProductDetail; related: Card[] }) {
  const { id, name, images, category } = product;
  const first = unitOf(product.units, product.chosen)?.picture ?? 0;
  useEffect(() => {
    if (first > 0) showPicture(first);
  }, [first]);
  return (
    <>
      <Breadcrumb category={category} />
      <div className="product">
        <Gallery key={id} images={images} name={name} first={first} />
        <BuyBox product={product} />
      </div>
      <RelatedProducts cards={related} category={category} />
    </>
  );
}

function Breadcrumb({ category }: { category: Category }) {
  const trail = [
    { name: "Home", to: "/" },
    { name: "Shop", to: "/shop" },
    { name: categoryName(category), to: categoryUrl(category) },
  ];
  return (
    <nav aria-label="Breadcrumb">
      <ol className="breadcrumbs">
        {trail.map(({ name, to }) => (
          <li key={to}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Other products of the same category; nothing when there are none. */
function RelatedProducts({ cards, category }: { cards: Card[]; category: Category }) {
  if (cards.length === 0) return null;
  return (
    <section className="section" aria-labelledby="related">
      <div className="section-head">
        <h2 id="related">Related products</h2>
        <Link className="link" to={categoryUrl(category)}>
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
