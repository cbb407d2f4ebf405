import type { invoices } from "~/db/ledger.schema";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { categoryRule } from "~/domain/category-rule";
import { dateRule } from "~/domain/date-rule";
import { BUSINESSES, businessName, PAYMENT_MODES, PAYMENT_NAMES } from "~/domain/enums";
import { choiceField, dayField, moneyField, numberField, textField } from "~/records/fields";
import { type FieldsOf, recordOf } from "~/records/record";

/** Fields of an invoice, which is one line of a sale. */
export const INVOICE = recordOf({
  description: textField({
    label: "Description",
    max: 500,
    audit: "fact",
    example: "Oak tray, engraved",
  }),
  businessType: choiceField(BUSINESSES, {
    label: "Business",
    nameOf: businessName,
    isSegmented: true,
    missing: "EMPORIA",
  }),
  paymentMode: choiceField(PAYMENT_MODES, {
    label: "Payment mode",
    nameOf: (mode) => PAYMENT_NAMES[mode],
    isSegmented: true,
    missing: "CASH",
  }),
  category: choiceField(CATEGORIES, {
    label: "Category",
    nameOf: categoryName,
    rule: categoryRule,
    missing: "PHONE_CASE",
  }),
  day: dayField({ name: "createdAt", label: "Billing date", rule: dateRule }),
  quantity: numberField({ label: "Quantity", min: 1, max: 1_000_000, missing: 1 }),
  amountCents: moneyField({ name: "amount", label: "Amount", hint: "The line's total", example: "24.50" }),
} satisfies FieldsOf<
  typeof invoices,
  | "row"
  | "id"
  | "descriptionKey"
  | "createdAt"
  | "version"
  | "updatedAt"
  | "documentId"
  | "taxCents"
  | "taxStated"
>);
