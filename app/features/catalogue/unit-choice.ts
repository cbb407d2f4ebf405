import { dollars } from "~/domain/money";
import { SCARCE_STOCK } from "~/domain/stock-levels";

/** Option of a product as its page offers it; `swatch` is a CSS background, null for none. */
export interface OfferedOption {
  name: string;
  values: { name: string; swatch: string | null }[];
}

/** Unit of a product as its page offers it. */
export interface OfferedUnit {
  id: string;
  values: string[];
  priceCents: number;
  /** Pieces that shoppers can buy. */
  stock: number;
  /** Index of its picture. */
  picture: number | null;
}

/** Chosen value of each option; null for an open one. */
export type Chosen = (string | null)[];

/** Name of the form's field of an option, by its index. A name of the shop's own could be read as a path. */
export const choiceField = (index: number) => `choice${index + 1}` as "choice1" | "choice2" | "choice3";

const fits = ({ values }: OfferedUnit, chosen: Chosen) =>
  chosen.every((value, i) => value === null || values[i] === value);

/** Finds the chosen unit; undefined while an option is open, and for a choice that is not made. */
export const unitOf = (units: OfferedUnit[], chosen: Chosen) =>
  chosen.includes(null) ? undefined : units.find((unit) => fits(unit, chosen));

/** Returns the price of units: the lowest that can be bought, and whether it is one of several. */
export function priceOf(units: OfferedUnit[]): { cents: number; isFrom: boolean } {
  const prices = (units.some(({ stock }) => stock > 0) ? units.filter(({ stock }) => stock > 0) : units).map(
    ({ priceCents }) => priceCents,
  );
  const cents = Math.min(...prices);
  return { cents, isFrom: prices.some((price) => price !== cents) };
}

/** Second line of a value's tile: price where prices differ, and what is left; `isOut` for what can't be bought. */
export function tileNote(units: OfferedUnit[], chosen: Chosen, option: number, value: string) {
  const wanted = chosen.map((other, i) => (i === option ? value : other));
  const found = units.filter((unit) => fits(unit, wanted));
  const stock = found.reduce((sum, unit) => sum + unit.stock, 0);
  const { cents, isFrom } = priceOf(found);
  const price = priceOf(units).isFrom && found.length > 0 && `${isFrom ? "from " : ""}${dollars(cents)}`;
  const isScarce = stock <= SCARCE_STOCK && !wanted.includes(null);
  const left = found.length === 0 ? "Not made" : stock === 0 ? "Sold out" : isScarce && `${stock} left`;
  return { text: [price, left].filter(Boolean).join(", ") || "In stock", isOut: stock === 0 };
}
