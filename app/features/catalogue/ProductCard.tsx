import { Link } from "~/ui/Link";
import { Picture } from "~/ui/Picture";
import { PriceTag } from "~/ui/PriceTag";
import { categoryName } from "./categories";
import { prefetchHandlers } from "./product-prefetch";

/** What a card shows; `image` as stored. */
export interface Card {
  id: string;
  name: string;
  priceCents: number;
  stock: number;
  category: string;
  image: string | null;
  imageAlt: string | null;
}

interface ProductCardProps {
  card: Card;
  heading?: "h2" | "h3";
  /** Among the first that are seen: its picture is not lazy. */
  priority?: boolean;
  /** The link says View Details (spec 2, related products); else it is the name. */
  details?: boolean;
}

/** Widths of a card's picture in the grid of 1 to 4 columns. */
const SIZES = "(min-width: 64rem) 22vw, (min-width: 44rem) 30vw, (min-width: 20.5rem) 46vw, 92vw";

/** A product on a shelf: one link, stretched over the whole card. */
export function ProductCard({ card, heading: Heading = "h2", priority, details }: ProductCardProps) {
  const { id, name, stock, category } = card;
  const address = `/products/${id}`;
  return (
    <article className={stock > 0 ? "product-card" : "product-card product-card-sold-out"}>
      <div className="product-card-picture">
        <div className="picture">
          <Picture
            image={card.image}
            alt={card.imageAlt ?? ""}
            sizes={SIZES}
            width={320}
            priority={priority ?? false}
          />
        </div>
        <StockBadge stock={stock} />
        <PriceTag cents={card.priceCents} out={stock === 0} />
      </div>
      <Heading>
        {details ? (
          name
        ) : (
          <Link to={address} {...prefetchHandlers(address)}>
            {name}
          </Link>
        )}
      </Heading>
      <p className="product-card-meta">{categoryName(category)}</p>
      {details && (
        <p className="product-card-options">
          <Link to={address} {...prefetchHandlers(address)}>
            View Details<span className="visually-hidden"> of {name}</span>
          </Link>
        </p>
      )}
    </article>
  );
}

/** Said on a card only where it matters: at 1, 2 and 0 (spec 4, stock display). */
function StockBadge({ stock }: { stock: number }) {
  if (stock > 2) return null;
  return stock > 0 ? (
    <span className="stock-note">Only {stock} left</span>
  ) : (
    <span className="stock-note stock-note-out">Out of Stock</span>
  );
}
