import type { Business } from "~/features/ledger/enums";
import type { Period, Scope } from "./periods";

/** Figures of one business in a period, in cents. */
export interface BusinessFigures {
  business: Business;
  sales: number;
  expenses: number;
  taxCollected: number;
  taxPaid: number;
}

/** Tax registration of a business. */
export interface TaxSettings {
  business: Business;
  /** Registration number; empty without registration. */
  number: string;
  name: string;
  /** Basis points: 1300 is 13 %. */
  rate: number;
  /** Prices hold the tax. */
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
  /** Only admins change the tax registration. */
  mayEdit: boolean;
}
