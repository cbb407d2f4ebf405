import { useRouteLoaderData } from "@remix-run/react";
import { CASH_STEP_CENTS } from "~/domain/currency";
import { LOW_STOCK, lowStockOf, SHOP_LOW_STOCK } from "~/domain/stock-levels";

/** Numbers of the settings that many pages of the back office compute with. */
export interface ShopNumbers {
  lowStock: number;
  cashStepCents: number;
}

const useShopNumbers = () => useRouteLoaderData<Partial<ShopNumbers>>("routes/admin");

/** Returns a function that tells the stock up to which a product counts as low, by the settings that the back office has loaded. */
export function useLowStock(): (own?: number) => number {
  const shop = useShopNumbers()?.lowStock ?? LOW_STOCK;
  return (own = SHOP_LOW_STOCK) => lowStockOf(own, shop);
}

/** Returns the cents to whose multiples cash is rounded, by the settings that the back office has loaded. */
export const useCashStep = (): number => useShopNumbers()?.cashStepCents ?? CASH_STEP_CENTS;
