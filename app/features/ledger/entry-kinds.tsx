import { CATEGORIES, categoryName } from "~/features/catalogue/categories";
import type { Choice } from "~/ui/DataTable/filters";
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

/** What entries are told apart by, as fields and filters offer it. */

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

/** A payment mode with its icon. */
export function Payment({ mode }: { mode: PaymentMode }) {
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

const business = (shopName: string): Choice => ({
  name: "businessType",
  label: "Business",
  all: "All businesses",
  options: businessOptions(shopName),
});

/** What invoices are filtered by, besides their days. */
export const invoiceChoices = (shopName: string): Choice[] => [
  business(shopName),
  { name: "category", label: "Category", all: "All categories", options: categoryOptions },
  { name: "paymentMode", label: "Payment mode", all: "All payments", options: paymentOptions },
];

/** What expenses are filtered by. */
export const expenseChoices = (shopName: string): Choice[] => [
  business(shopName),
  { name: "expenseType", label: "Expense type", all: "All types", options: expenseTypeOptions },
];
