import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import type { SelectFilter } from "~/ui/DataTable/filters";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import {
  BUSINESSES,
  businessName,
  EXPENSE_TYPES,
  expenseTypeName,
  PAYMENT_MODES,
  PAYMENT_NAMES,
  type PaymentMode,
} from "./enums";

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

/** Shows a payment mode with its icon. */
export function PaymentLabel({ mode }: { mode: PaymentMode }) {
  return (
    <>
      <Icon name={ICONS[mode]} className="i s" />
      {PAYMENT_NAMES[mode]}
    </>
  );
}

export const categoryOptions = CATEGORIES.map((value) => ({ value, label: categoryName(value) }));
export const expenseTypeOptions = EXPENSE_TYPES.map((value) => ({ value, label: expenseTypeName(value) }));
const paymentOptions = PAYMENT_MODES.map((value) => ({ value, label: PAYMENT_NAMES[value] }));
export const businessOptions = (shopName: string) =>
  BUSINESSES.map((value) => ({ value, label: businessName(value, shopName) }));

const businessFilter = (shopName: string): SelectFilter => ({
  name: "businessType",
  label: "Business",
  allLabel: "All businesses",
  options: businessOptions(shopName),
});

/** Filters of the invoice list besides its dates. */
export const invoiceFilters = (shopName: string): SelectFilter[] => [
  businessFilter(shopName),
  { name: "category", label: "Category", allLabel: "All categories", options: categoryOptions },
  { name: "paymentMode", label: "Payment mode", allLabel: "All payments", options: paymentOptions },
];

/** Filters of the expense list besides its dates. */
export const expenseFilters = (shopName: string): SelectFilter[] => [
  businessFilter(shopName),
  { name: "expenseType", label: "Expense type", allLabel: "All types", options: expenseTypeOptions },
];
