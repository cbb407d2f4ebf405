import { type MouseEvent, useState } from "react";
import { CartForm, Stepper } from "~/features/cart/CartForm";
import { startChatInPanel } from "~/features/chat/widget/open-chat";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/Link";
import { PriceTag } from "~/ui/PriceTag";
import { FormKey } from "~/ui/site";
import { showToast } from "~/ui/Toasts";
import { type Category, categoryName } from "./categories";
import type { ProductView } from "./product-views.server";
import { shopUrl } from "./shop-url";

export type ProductDetail = ProductView & { category: Category };

export function BuyBox({ product }: { product: ProductDetail }) {
  const { name, category, priceCents, stock, colors } = product;
  return (
    <div className="purchase">
      <div className="purchase-head">
        <Link className="badge badge-line" to={shopUrl({ search: "", category, sort: "default" })}>
          {categoryName(category)}
        </Link>
        <div>
          <ShareButton />
          {/* Favourites do not exist yet: the button says so. */}
          <button
            type="button"
            className="icon-btn icon-btn-line"
            aria-label="Favourite"
            aria-disabled="true"
            title="Favourites aren't kept yet"
          >
            <Icon name="heart" />
          </button>
        </div>
      </div>
      <h1>{name}</h1>
      <div className="price-row">
        <PriceTag cents={priceCents} big out={stock === 0} />
        <StockBadge stock={stock} />
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rich text, sanitised when written and when read */}
      <div className="rich-text" dangerouslySetInnerHTML={{ __html: product.descriptionHtml }} />
      {colors.length > 0 && <Colours colors={colors} />}
      <BuyActions key={product.id} product={product} />
      <SellingPoints />
    </div>
  );
}

/** Stock up to which a product is scarce, and from which its number is not shown. */
const SCARCE_STOCK = 2;
const AMPLE_STOCK = 20;

/** Stock badge (docs/product.md, 5.1), with the number below `AMPLE_STOCK`. */
function StockBadge({ stock }: { stock: number }) {
  if (stock === 0) return <span className="badge stock-level stock-level-out">Out of Stock</span>;
  if (stock <= SCARCE_STOCK)
    return <span className="badge stock-level stock-level-low">Only {stock} left</span>;
  return (
    <span className="badge stock-level">{stock < AMPLE_STOCK ? `In stock, ${stock} left` : "In stock"}</span>
  );
}

function Colours({ colors }: { colors: string[] }) {
  return (
    <div className="product-colors">
      <h2>{colors.length === 1 ? "Colour" : "Colours"}</h2>
      <ul>
        {colors.map((color) => (
          <li className="badge badge-line" key={color}>
            {color}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ShareButton() {
  const share = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      await showToast("success", "Link copied to clipboard!");
    } catch {
      await showToast("error", "The link could not be copied. It is in the address bar.");
    }
  };
  return (
    <button type="button" className="icon-btn icon-btn-line needs-script" aria-label="Share" onClick={share}>
      <Icon name="share-2" />
    </button>
  );
}

/** Quantity and buttons, disabled at stock 0. */
function BuyActions({ product: { id, name, stock } }: { product: ProductDetail }) {
  const isSoldOut = stock === 0;
  return (
    <CartForm id={id} className="purchase-actions">
      <FormKey />
      <Quantity name={name} stock={stock} />
      <button type="submit" name="intent" value="add" className="btn btn-act" disabled={isSoldOut}>
        <Icon name="shopping-bag" /> Add to Cart
      </button>
      <button
        type="submit"
        formAction="/chat?index"
        name="intent"
        value="product"
        className="btn btn-talk"
        disabled={isSoldOut}
        onClick={(event) => buyNow(event, id)}
      >
        <Icon name="message-circle" /> Buy Now
      </button>
      {isSoldOut ? (
        <small>
          This product is out of stock. <Link to={`/chat?product=${id}`}>Ask us</Link> when it comes back.
        </small>
      ) : (
        <small>Buy Now opens a chat with “I'm interested in buying the {name}.” Nothing is charged.</small>
      )}
    </CartForm>
  );
}

/** Starts a chat about the chosen quantity in the panel, instead of on the chat page. */
function buyNow(event: MouseEvent<HTMLButtonElement>, id: string) {
  event.preventDefault();
  const quantity = new FormData(event.currentTarget.form ?? undefined).get("quantity");
  void startChatInPanel("/chat", { intent: "product", id, quantity: String(quantity) });
}

/** Stepper from 1 to the stock. */
function Quantity({ name, stock }: { name: string; stock: number }) {
  const [quantity, setQuantity] = useState("1");
  const number = Math.trunc(Number(quantity)) || 1;
  const set = (next: number) => setQuantity(String(Math.min(Math.max(1, next), Math.max(1, stock))));
  return (
    <Stepper
      label={`Quantity of ${name}`}
      less={{ disabled: number <= 1, onClick: () => set(number - 1) }}
      more={{ disabled: number >= stock, onClick: () => set(number + 1) }}
    >
      <input
        className="num"
        type="number"
        inputMode="numeric"
        name="quantity"
        aria-label="Quantity"
        value={quantity}
        min={1}
        max={Math.max(1, stock)}
        required
        disabled={stock === 0}
        onChange={(event) => setQuantity(event.target.value)}
        onBlur={() => set(number)}
      />
    </Stepper>
  );
}

function SellingPoints() {
  return (
    <ul className="product-points">
      <li>
        <Icon name="store" /> Fast local pickup
      </li>
      <li>
        <Icon name="star" /> 5 star seller
      </li>
      <li>
        <Icon name="badge-check" /> Best quality guaranteed
      </li>
    </ul>
  );
}
