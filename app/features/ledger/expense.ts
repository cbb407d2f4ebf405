import type { expenses } from "~/db/ledger.schema";
import { dateRule } from "~/domain/date-rule";
import {
  BUSINESSES,
  businessName,
  EXPENSE_TYPES,
  expenseTypeName,
  PAYMENT_MODES,
  PAYMENT_NAMES,
} from "~/domain/enums";
import { choiceField, dayField, moneyField, textField } from "~/records/fields";
import { optionalChoiceField } from "~/records/optional-choice";
import { type FieldsOf, recordOf } from "~/records/record";

/** Fields of an expense. */
export const EXPENSE = recordOf({
  description: textField({
    label: "Description",
    max: 500,
    required: "Description is required",
    audit: "fact",
    example: "Oak boards",
  }),
  expenseType: choiceField(EXPENSE_TYPES, { label: "Expense type", nameOf: expenseTypeName }),
  businessType: choiceField(BUSINESSES, { label: "Business type", nameOf: businessName, isSegmented: true }),
  supplier: textField({
    label: "Supplier",
    max: 100,
    audit: "fact",
    isListed: true,
    isMarkedOptional: true,
    example: "Northwood Timber",
  }),
  paymentMode: optionalChoiceField(PAYMENT_MODES, {
    label: "Paid by",
    nameOf: (mode) => PAYMENT_NAMES[mode],
    none: "Not stated",
  }),
  amountCents: moneyField({ name: "amount", label: "Amount", isAboveZero: true, example: "24.50" }),
  taxCents: moneyField({
    name: "taxAmount",
    label: "Tax",
    hint: "Optional. Part of the amount, for the tax summary",
    isOptional: true,
    example: "2.82",
  }),
  day: dayField({ name: "createdAt", label: "Created at", rule: dateRule }),
} satisfies FieldsOf<
  typeof expenses,
  "row" | "id" | "descriptionKey" | "supplierKey" | "createdAt" | "version" | "updatedAt"
>);
