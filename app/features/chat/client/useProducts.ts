import { useEffect, useState } from "react";
import type { CardProduct, ProductMap } from "../message-links";
import { readProducts } from "./api";

const NO_PRODUCTS: CardProduct[] = [];
/** Products read on this page, for a panel that is opened again while the browser is offline. */
const readBefore = new Map<string, CardProduct | null>();

/**
 * Reads the products of cards: new ones in one request, and all of them again when the page becomes visible or online.
 *
 * @param initial products that the page came with
 */
export function useProducts(ids: string[], initial = NO_PRODUCTS): ProductMap {
  const [products, setProducts] = useState<ProductMap>(() => toMap([], initial));
  useEffect(() => setProducts((known) => new Map([...known, ...toMap([], initial)])), [initial]);
  const wanted = ids.join();
  const missing = ids.filter((id) => !products.has(id)).join();
  useEffect(() => {
    const read = async (list: string) => {
      if (!list || document.hidden) return;
      const requested = list.split(",");
      const found = await readProducts(requested).catch(() => null);
      if (found) for (const [id, product] of toMap(requested, found)) readBefore.set(id, product);
      // Without an answer the text still names the products that were not read before.
      setProducts(
        (known) => new Map([...known, ...[...readBefore].filter(([id]) => requested.includes(id))]),
      );
    };
    void read(missing);
    const refresh = () => void read(wanted);
    document.addEventListener("visibilitychange", refresh);
    window.addEventListener("online", refresh);
    return () => {
      document.removeEventListener("visibilitychange", refresh);
      window.removeEventListener("online", refresh);
    };
  }, [missing, wanted]);
  return products;
}

/** Maps requested ids to the products found, null for those that were not. */
function toMap(requested: string[], found: CardProduct[]): ProductMap {
  const byId = new Map<string, CardProduct | null>(requested.map((id) => [id, null]));
  for (const product of found) byId.set(product.id, product);
  return byId;
}
