import { useRouteLoaderData } from "@remix-run/react";
import type { Category } from "./categories";

/** A category that has products, and how many. */
export interface ShopCategory {
  category: Category;
  products: number;
}

/** The shop's categories, as its frame loaded them; none when that failed, which is silent (spec 2). */
export function useShopCategories(): ShopCategory[] {
  const frame = useRouteLoaderData("routes/_shop") as { categories?: ShopCategory[] } | undefined;
  return frame?.categories ?? [];
}
