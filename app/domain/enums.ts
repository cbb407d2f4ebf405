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

/** Returns the name of a business. @param shopName SHOP_NAME */
export function businessName(business: Business, shopName = "Emporia"): string {
  return business === "EMPORIA" ? shopName : "Laser Craft";
}

/** Returns the business that sells a category. */
export const businessOf = (category: string): Business => (category === "ENGRAVING" ? "LASER" : "EMPORIA");

/** Returns the category of a business's sales of no product. */
export const ownCategory = (business: Business): Category => (business === "LASER" ? "ENGRAVING" : "OTHERS");

/** Formats an expense type: `Shipping`. */
export function expenseTypeName(type: ExpenseType): string {
  return type.charAt(0) + type.slice(1).toLowerCase();
}
