import type { Category } from "./categories";

// D1 stores the values of these enumerations; migrations/0012_ledger_enums.sql repeats them.
export const BUSINESSES = ["EMPORIA", "LASER"] as const;
export type Business = (typeof BUSINESSES)[number];

export const PAYMENT_MODES = ["CASH", "EMT", "CARD"] as const;
export type PaymentMode = (typeof PAYMENT_MODES)[number];

export const EXPENSE_TYPES = [
  "SHIPPING",
  "PURCHASE",
  "IMPORT",
  "VENDOR",
  "MARKETING",
  "ADVERTISEMENT",
  "PLATFORM",
  "TAXI",
  "MISC",
  "OTHERS",
] as const;
export type ExpenseType = (typeof EXPENSE_TYPES)[number];

export const PAYMENT_NAMES: Record<PaymentMode, string> = { CASH: "Cash", EMT: "EMT", CARD: "Card" };

/** Payment modes within a sentence to a shopper. */
export const PAID_BY: Record<PaymentMode, string> = { CASH: "cash", EMT: "e-transfer", CARD: "card" };

/** Names of the two businesses, which the owner sets. */
export type BusinessNames = Record<Business, string>;

/** Names where no settings are at hand, such as in a template's example. */
const USUAL_NAMES: BusinessNames = { EMPORIA: "Emporia", LASER: "Laser Craft" };

/** Returns the name of a business. @param names of the shop's settings */
export const businessName = (business: Business, names: BusinessNames = USUAL_NAMES): string =>
  names[business];

/** Returns the business that sells a category. */
export const businessOf = (category: string): Business => (category === "ENGRAVING" ? "LASER" : "EMPORIA");

/** Returns the category of a business's sales of no product. */
export const ownCategory = (business: Business): Category => (business === "LASER" ? "ENGRAVING" : "OTHERS");

/** Formats an expense type: `Shipping`. */
export function expenseTypeName(type: ExpenseType): string {
  return type.charAt(0) + type.slice(1).toLowerCase();
}
