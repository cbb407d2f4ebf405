import type { ComponentProps } from "react";
import { categoryName } from "~/domain/category-name";
import { SCARCE_STOCK } from "~/domain/stock-levels";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { PriceTag } from "~/ui/PriceTag";
import { prefetchHandlers } from "./browser-cache";
import type { CardRow } from "./queries.server";

export type Card = CardRow;

interface ProductCardProps {
  card: Card;
  heading?: "h2" | "h3";
  /** Loads the picture eagerly. */
  priority?: boolean;
  /** Names the category; off where a heading does. */
  hasCategory?: boolean;
  /** Links "View Details" instead of the name. */
  hasDetailsLink?: boolean;
}

/** `sizes` of a card's picture in the grid of 1 to 4 columns. */
const SIZES = "(min-width: 64rem) 22vw, (min-width: 44rem) 30vw, (min-width: 20.5rem) 46vw, 92vw";

/** Product card, covered by one link. */
export function ProductCard({ card, heading: Heading = "h2", priority = false, ...shown }: ProductCardProps) {
  const { hasCategory = true, hasDetailsLink } = shown;
  const { id, name, stock, category } = card;
  const url = `/products/${id}`;
  return (
    <article className={stock > 0 ? "product-card" : "product-card product-card-sold-out"}>
      <CardPicture card={card} sizes={SIZES} width={320} priority={priority} />
      <Heading>
        {hasDetailsLink ? (
          name
        ) : (
          <Link to={url} {...prefetchHandlers(url)}>
            {name}
          </Link>
        )}
      </Heading>
      {hasCategory && <p className="product-card-meta">{categoryName(category)}</p>}
      {hasDetailsLink && (
        <p className="product-card-options">
          <Link to={url} {...prefetchHandlers(url)}>
            View Details<span className="visually-hidden"> of {name}</span>
          </Link>
        </p>
      )}
    </article>
  );
}

interface CardPictureProps extends Pick<ComponentProps<typeof Picture>, "sizes" | "width" | "priority"> {
  card: Card;
}

/** Picture of a product with its price, and a note where few are left. */
export function CardPicture({
  card: { image, imageAlt, stock, priceCents, isFrom },
  ...picture
}: CardPictureProps) {
  return (
    <div className="product-card-picture">
      <div className="picture">
        <Picture image={image} alt={imageAlt ?? ""} {...picture} />
      </div>
      {stock <= SCARCE_STOCK && <CardStockNote stock={stock} />}
      <PriceTag cents={priceCents} out={stock === 0} isFrom={isFrom} />
    </div>
  );
}

/** Note on a stock of 0 to `SCARCE_STOCK` (docs/product.md, 5.1). */
function CardStockNote({ stock }: { stock: number }) {
  return stock > 0 ? (
    <span className="stock-note">Only {stock} left</span>
  ) : (
    <span className="stock-note stock-note-out">Out of Stock</span>
  );
}
