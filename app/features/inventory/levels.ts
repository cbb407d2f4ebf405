import { LOW_STOCK } from "~/db/low-stock";

/** How much there is of a product, as staff are told (issue: low and zero stock marked). */

export type Level = "out" | "low" | "enough";

/** The levels by which the inventory can be narrowed. */
export const LOW_OR_OUT = ["low", "out"] as const;
export type LowOrOut = (typeof LOW_OR_OUT)[number];

/** The level as the counters know it: 0, 1, 2. */
export const LEVELS: readonly Level[] = ["out", "low", "enough"];

export const LEVEL_NAMES: Record<Level, string> = {
  out: "Out of stock",
  low: "Low stock",
  enough: "In stock",
};

/** @param stock 0 or more */
export function levelOf(stock: number): Level {
  if (stock === 0) return "out";
  return stock <= LOW_STOCK ? "low" : "enough";
}
