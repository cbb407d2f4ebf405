import { z } from "zod";
import { BUSINESSES, type Business } from "~/domain/enums";
import type { Period, Scope } from "~/domain/periods";
import { flag, optionalText, wholeNumber } from "~/http/fields";

const BASIS_POINTS_PER_PERCENT = 100;

/** Percent in, basis points out: `13` is 1300, at most two decimals; null when it is empty. */
const rate = z
  .union([z.string(), z.number()], { error: "Must be a percentage" })
  .transform((value) => String(value).trim())
  .refine((text) => /^(?:\d{1,2}(?:\.\d{1,2})?)?$/.test(text), "Must be a percentage from 0 to 99.99")
  .transform((text) => (text === "" ? null : Math.round(Number(text) * BASIS_POINTS_PER_PERCENT)));

/** Input of a business's tax registration. */
export const TaxSettingsInput = z
  .object({
    business: z.enum(BUSINESSES, { error: `Must be one of ${BUSINESSES.join(", ")}` }),
    number: optionalText(50),
    name: optionalText(20),
    rate,
    isIncluded: flag.default(false),
    version: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  })
  .refine(({ number, name }) => number === "" || name !== "", {
    path: ["name"],
    message: "Enter the name of the tax, such as HST",
  })
  .refine(({ number, rate }) => number === "" || rate !== null, {
    path: ["rate"],
    message: "Enter the rate, or 0 where none is charged",
  })
  .transform(({ rate, ...settings }) => ({ ...settings, rate: rate ?? 0 }));

/** Figures of one business in a period, in cents. */
export interface BusinessFigures {
  business: Business;
  sales: number;
  expenses: number;
  taxCollected: number;
  taxPaid: number;
  /** Number of sales, and of those that state no tax. */
  saleEntries: number;
  untaxedSales: number;
  /** Number of expenses, and of those that state no tax. */
  expenseEntries: number;
  untaxedExpenses: number;
}

/** Stored tax registration of a business. */
export interface TaxSettings {
  business: Business;
  /** Registration number; empty without registration. */
  number: string;
  name: string;
  /** Basis points: 1300 is 13 %. */
  rate: number;
  /** Prices include the tax. */
  isIncluded: boolean;
  /** 0 before the first save. */
  version: number;
}

/** Data of the bookkeeping screen. */
export interface BookkeepingPage {
  scope: Scope;
  period: Period;
  figures: BusinessFigures[];
  tax: TaxSettings[];
  shopName: string;
  /** True for admins, who alone may change it. */
  mayEdit: boolean;
}
