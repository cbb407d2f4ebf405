import { shortDollars } from "~/domain/money";

/**
 * Price bands: all prices of the same number of digits and the same first two digits (docs/decisions/0028-shop-filters.md).
 * migrations/0022_shop_filters.sql counts products by price, band, first digit and number of digits.
 */

/** Price ranges that the shop offers, cents: all prices, one after the other. */
export const PRICE_RANGES: readonly { label: string; min: number | null; max: number | null }[] = [
  { label: `Under ${shortDollars(2500)}`, min: null, max: 2499 },
  { label: `${shortDollars(2500)} to ${shortDollars(5000)}`, min: 2500, max: 4999 },
  { label: `${shortDollars(5000)} and up`, min: 5000, max: null },
];

/** Describes a price range; null without one. */
export function priceLabel({ min, max }: { min: number | null; max: number | null }): string | null {
  if (min !== null)
    return max === null ? `From ${shortDollars(min)}` : `${shortDollars(min)} to ${shortDollars(max)}`;
  return max === null ? null : `Up to ${shortDollars(max)}`;
}

/** Returns the band of a price: 100 for each digit after the second, plus the first two digits. @param cents 0 or more */
export function priceBand(cents: number): number {
  const digits = String(cents);
  return digits.length <= 2 ? cents : (digits.length - 2) * 100 + Number(digits.slice(0, 2));
}

/** Buckets of one level of `price_counts`, both ends included. */
export interface BucketRange {
  level: number;
  from: number;
  to: number;
}

/** Divisor from bands to the buckets of the levels 0 and 1. */
const BAND_LEVELS = [100, 10] as const;

/**
 * Splits a price range into buckets that cover it exactly: the coarsest ones inside, single prices at its ends.
 *
 * @param min cents
 * @param max cents, not below `min`
 */
export function coverPrices(min: number, max: number): BucketRange[] {
  let [first, last] = [priceBand(min), priceBand(max)];
  if (first === last && !(isBandStart(min) && isBandEnd(max))) return [{ level: 3, from: min, to: max }];
  const cover: BucketRange[] = [];
  if (!isBandStart(min)) cover.push({ level: 3, from: min, to: bandEnd(first++) });
  if (!isBandEnd(max)) cover.push({ level: 3, from: bandStart(last--), to: max });
  return [...cover, ...coverBands(first, last, 0)];
}

/** Covers bands from a level on. */
function coverBands(first: number, last: number, level: number): BucketRange[] {
  const size = BAND_LEVELS[level];
  if (first > last) return [];
  if (!size) return [{ level, from: first, to: last }];
  const [from, to] = [Math.ceil(first / size), Math.floor((last + 1) / size) - 1];
  if (from > to) return coverBands(first, last, level + 1);
  return [
    ...coverBands(first, from * size - 1, level + 1),
    { level, from, to },
    ...coverBands((to + 1) * size, last, level + 1),
  ];
}

function bandStart(band: number): number {
  return band < 100 ? band : (band % 100) * 10 ** Math.floor(band / 100);
}

function bandEnd(band: number): number {
  return band < 100 ? band : bandStart(band) + 10 ** Math.floor(band / 100) - 1;
}

const isBandStart = (cents: number) => bandStart(priceBand(cents)) === cents;
const isBandEnd = (cents: number) => bandEnd(priceBand(cents)) === cents;
