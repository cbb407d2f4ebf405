import type { ReactNode } from "react";
import { CartForm } from "~/features/cart/CartForm";
import { ChosenOptions } from "~/features/catalogue/ChosenOptions";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { PriceTag } from "~/ui/PriceTag";
import type { CardProduct } from "./message-links";
import type { CartSnapshot } from "./pages.server";

interface ProductCardProps {
  product: CardProduct;
  /** Request to buy: quantity and options. */
  line?: CartSnapshot["lines"][number] | undefined;
}

/** Product in the visitor's conversation, with its current price and stock. */
export function ProductCard({ product, line }: ProductCardProps) {
  const { id, name, priceCents, stock, image } = product;
  return (
    <div className="chat-product">
      <Picture image={image} alt="" sizes="56px" width={56} />
      <div className="chat-product-name">
        <Link to={`/products/${id}`}>{name}</Link>
        <Stock stock={stock} />
        {line && <span>{`${line.quantity} × ${dollars(priceCents)}`}</span>}
        {line && <ChosenOptions chosen={line} swatch={line.swatch} />}
      </div>
      <div className="chat-product-actions">
        <PriceTag cents={priceCents} out={stock === 0} />
        <CartForm intent="add" id={id}>
          <button type="submit" className="chat-add" disabled={stock === 0}>
            <Icon name="shopping-bag" /> Add to Cart<span className="visually-hidden"> {name}</span>
          </button>
        </CartForm>
      </div>
    </div>
  );
}

/** Stock of a product (docs/product.md, 5.1). */
function Stock({ stock }: { stock: number }) {
  if (stock === 0) return <span className="chat-product-stock out">Out of Stock</span>;
  if (stock <= 2) return <span className="chat-product-stock low">{`Only ${stock} left`}</span>;
  return <span className="chat-product-stock">In stock</span>;
}

/** Product that the next message is about, above the messages. */
export function AskedProduct({ product, children }: { product: CardProduct; children?: ReactNode }) {
  const { name, priceCents, stock, image } = product;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of facts, not of fields
    <div className="chat-asked" role="group" aria-label={`About ${name}`}>
      <Picture image={image} alt="" sizes="44px" width={48} />
      <div className="chat-product-name">
        <b>{name}</b>
        <Stock stock={stock} />
      </div>
      <PriceTag cents={priceCents} out={stock === 0} />
      {children}
    </div>
  );
}
