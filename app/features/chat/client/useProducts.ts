import { useEffect, useState } from "react";
import type { CardProduct, ProductMap } from "../message-links";
import { readProducts } from "./api";

const NO_PRODUCTS: CardProduct[] = [];

/**
 * Reads the products of cards: new ones in one request, and all of them again when the page becomes visible.
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
      // On failure the text still names the products.
      const found = await readProducts(requested).catch(() => null);
      if (found) setProducts((known) => new Map([...known, ...toMap(requested, found)]));
    };
    void read(missing);
    const refresh = () => void read(wanted);
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [missing, wanted]);
  return products;
}

/** Maps requested ids to the products found, null for those that were not. */
function toMap(requested: string[], found: CardProduct[]): ProductMap {
  const byId = new Map<string, CardProduct | null>(requested.map((id) => [id, null]));
  for (const product of found) byId.set(product.id, product);
  return byId;
}
