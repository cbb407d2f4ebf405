import { useLocation } from "@remix-run/react";
import { useState } from "react";
import { Icon } from "~/ui/Icon";
import type { MessageStore } from "../client/message-store";
import { useProducts } from "../client/useProducts";
import { isAttached, latestProductIds, MAX_CARDS, productLine, withLine } from "../message-links";
import { AskedProduct } from "../ProductCard";
import type { ProductCard } from "../protocol";

const PRODUCT_PAGE = /^\/products\/([\w-]{1,64})$/;
const NO_MESSAGES: MessageStore = { messages: [], unsent: [] };

/** Product that the visitor has removed; kept while the panel is mounted anew for the chat that starts. */
let lastDismissed: string | null = null;

/** Message with the product that it is about. */
interface AboutProduct {
  message: string;
  card?: ProductCard | undefined;
}

/**
 * Reads the products of a conversation, and that of the page (`/products/{id}` or `?product=`), which the visitor's next
 * message is about. It is attached once.
 *
 * @returns `product` is null without one, and after it was dismissed
 */
export function useAskedProduct({ messages, unsent }: MessageStore = NO_MESSAGES) {
  const { pathname, search } = useLocation();
  const [dismissed, setDismissed] = useState(lastDismissed);
  const pageProduct = PRODUCT_PAGE.exec(pathname)?.[1] ?? new URLSearchParams(search).get("product");
  const { origin } = window.location;
  const shown = latestProductIds(messages, origin);
  const ids = [...new Set([pageProduct ?? [], shown].flat())].slice(0, MAX_CARDS);
  const products = useProducts(ids);
  const asked = pageProduct !== dismissed ? products.get(pageProduct ?? "") : null;
  const product = asked ?? null;
  const sending = unsent.map(({ card }) => ({ isFromAdmin: false, ...(card && { cards: [card] }) }));
  const isKnown = product !== null && isAttached([...messages, ...sending], product.id);
  const about = (message: string): AboutProduct =>
    product && !isKnown
      ? {
          message: message && withLine(message, productLine(product, origin)),
          card: { type: "product", productId: product.id },
        }
      : { message };
  const dismiss = () => {
    lastDismissed = pageProduct;
    setDismissed(pageProduct);
  };
  return { products, product, isAttached: isKnown, about, dismiss };
}

type AskedProductBarProps = Pick<ReturnType<typeof useAskedProduct>, "product" | "isAttached" | "dismiss">;

/** Product that the next message is about; it can be removed until it is attached. */
export function AskedProductBar({ product, isAttached, dismiss }: AskedProductBarProps) {
  if (!product) return null;
  return (
    <AskedProduct product={product}>
      {!isAttached && (
        <button type="button" aria-label={`Don't ask about ${product.name}`} onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
    </AskedProduct>
  );
}
