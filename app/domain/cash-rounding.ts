import { CASH_STEP_CENTS } from "~/domain/currency";
import { decimalDollars } from "~/domain/money";

/** Amounts to whose multiples cash may be rounded. */
export const CASH_ROUNDINGS = ["none", "0.05", "0.10"] as const;
export type CashRounding = (typeof CASH_ROUNDINGS)[number];

/** Returns the cents to whose multiples cash is rounded; 1 rounds nothing. */
export const cashStepCents = (rounding: CashRounding): number =>
  rounding === "none" ? 1 : Math.round(Number(rounding) * 100);

/** Rounding of a new shop: that of its currency. */
export const CURRENCY_ROUNDING: CashRounding =
  CASH_ROUNDINGS.find((rounding) => rounding === decimalDollars(CASH_STEP_CENTS)) ?? "none";
