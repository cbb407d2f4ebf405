import { useRouteLoaderData } from "@remix-run/react";
import { LOW_STOCK, lowStockOf, SHOP_LOW_STOCK } from "~/domain/stock-levels";

/** Returns a function that tells the stock up to which a product counts as low, by the settings that the back office has loaded. */
export function useLowStock(): (own?: number) => number {
  const shop = useRouteLoaderData<{ lowStock: number }>("routes/admin")?.lowStock ?? LOW_STOCK;
  return (own = SHOP_LOW_STOCK) => lowStockOf(own, shop);
}
