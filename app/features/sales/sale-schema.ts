import { z } from "zod";
import { categoryRule } from "~/domain/category-rule";
import { BUSINESSES, PAYMENT_MODES, type PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { optionalCreatedAt } from "~/features/ledger/schema";
import {
  DOLLARS,
  dollarAmount,
  dollarsToCents,
  flag,
  optional,
  optionalId,
  optionalText,
  wholeNumber,
} from "~/http/fields";
import { CUSTOMER, MAX_CUSTOMER_NAME } from "./customer";
import { ALL_BASIS_POINTS, DISCOUNT_KINDS, type Discount, discountProblem } from "./discount";
import { BELOW_ZERO, MAX_DESCRIPTION, MAX_DISCOUNT_REASON, MAX_LINES, SALE_SOURCES } from "./document";
import { choice, description, documentId, lines, quantity, requestId, sold, unitIdOf } from "./schema";

/** Leaves a field out of the examples, whose payments are the sum of their lines. */
const NO_EXAMPLE = { examples: [] };

const PERCENT = "Must be a percentage from 0.01 to 100";
/** Percentage with two decimals at most, as basis points. */
const percent = z
  .union([z.number(), z.string()], { error: PERCENT })
  .transform((value, context): number => {
    const basisPoints = Math.round(Number(value) * 100);
    const isExact = /^\d{1,3}(?:\.\d{1,2})?$/.test(String(value).trim());
    if (isExact && basisPoints > 0 && basisPoints <= ALL_BASIS_POINTS) return basisPoints;
    context.addIssue({ code: "custom", message: PERCENT });
    return z.NEVER;
  })
  .meta({ override: { type: "number", minimum: 0.01, maximum: 100 } });

/** Discount of a line, or of all lines together. */
const discount = optional(
  z
    .object({ percent: percent.optional(), amount: dollarsToCents.optional() }, { error: DISCOUNT_KINDS })
    .transform(({ percent: basisPoints, amount }, context): Discount => {
      if (basisPoints !== undefined && amount === undefined) return { basisPoints };
      if (basisPoints === undefined && amount !== undefined) return { amountCents: amount };
      context.addIssue({ code: "custom", message: DISCOUNT_KINDS });
      return z.NEVER;
    })
    .meta({ override: NO_EXAMPLE }),
);

const SaleLine = z
  .object({
    ...sold,
    description,
    category: optional(categoryRule),
    businessType: optional(choice(BUSINESSES)),
    quantity,
    /** For all pieces, before the discount. */
    amount: dollarAmount("plain", BELOW_ZERO),
    discount: discount.meta({ description: "Of this line: {percent} or {amount}" }),
    reason: optionalText(MAX_DISCOUNT_REASON).meta({ description: "Of the discount" }),
  })
  .refine((line) => unitIdOf(line) !== undefined || line.description !== "", {
    path: ["description"],
    message: "Description is required",
  })
  .superRefine((line, context) => {
    const message = discountProblem(line.amount, line.discount);
    if (message) context.addIssue({ code: "custom", path: ["discount"], message });
  });
export type SaleLine = z.infer<typeof SaleLine>;

/** Amount above 0. */
const paidAmount = dollarAmount("plain")
  .refine((cents) => cents > 0, `Must be above ${dollars(0)}`)
  .meta({ override: DOLLARS });

/** Amounts by mode; none where nothing is left to pay. */
const payments = z
  .array(z.object({ mode: choice(PAYMENT_MODES), amount: paidAmount }), {
    error: "Must be a list of payments",
  })
  .max(PAYMENT_MODES.length, `Must be at most ${PAYMENT_MODES.length} payments`)
  .refine((list) => new Set(list.map(({ mode }) => mode)).size === list.length, "Must name each mode once")
  .optional();

/** Fields by which a document is paid: parts, and the mode that pays what they leave. At least one is there. */
const paid = { paymentMode: choice(PAYMENT_MODES).optional(), payments };
interface Paid {
  paymentMode?: PaymentMode | undefined;
  payments?: { mode: PaymentMode; amount: number }[] | undefined;
}
const statesPayment = ({ paymentMode, payments: parts }: Paid) =>
  paymentMode !== undefined || parts !== undefined;
const NO_PAYMENT = { path: ["paymentMode"], message: `Must be one of ${PAYMENT_MODES.join(", ")}` };

const SaleFields = z.object({
  id: requestId,
  chatId: optionalId,
  customerId: optionalId,
  customerName: optionalText(MAX_CUSTOMER_NAME).meta({
    override: { examples: [CUSTOMER.fields.name.example] },
  }),
  holdId: optionalId,
  quoteId: optionalId,
  source: optional(choice(SALE_SOURCES)),
  ...paid,
  createdAt: optional(optionalCreatedAt),
  lines: lines(SaleLine),
  discount: discount.meta({
    description: "Of all lines together, spread over them: {percent} or {amount}",
  }),
  cashReceived: optional(dollarsToCents.meta({ override: { ...DOLLARS, ...NO_EXAMPLE } })).meta({
    description: "Cash that the customer gave, which must suffice; it is not stored",
  }),
});
export const SaleInput = SaleFields.refine(statesPayment, NO_PAYMENT);
export type SaleRequest = z.infer<typeof SaleInput>;

/** Part of a line that is credited: pieces, or an amount without pieces. */
const CreditLine = z
  .object({
    line: wholeNumber(1, MAX_LINES + 1),
    quantity: optional(quantity),
    amount: optional(paidAmount),
  })
  .refine(
    ({ quantity: pieces, amount }) => (pieces === undefined) !== (amount === undefined),
    "Must have either pieces (quantity) or an amount",
  );
export type CreditLine = z.infer<typeof CreditLine>;

const CreditFields = z.object({
  saleId: documentId,
  id: requestId,
  /** None: everything that is left. */
  lines: lines(CreditLine).optional(),
  restock: flag.default(false),
  ...paid,
  reason: optionalText(MAX_DESCRIPTION),
});
export const CreditInput = CreditFields.refine(statesPayment, NO_PAYMENT);
export type CreditRequest = z.infer<typeof CreditInput>;

/** Correction of a sale; how the difference is paid may be left out where there is none. */
export const CorrectInput = z.object({
  saleId: documentId,
  id: requestId,
  /** All lines, as they should have been. */
  lines: lines(SaleLine),
  restock: flag.default(true).meta({ description: "Puts what is taken back to stock" }),
  credits: wholeNumber(0, MAX_LINES * MAX_LINES)
    .optional()
    .meta({ description: "Number of credit notes of the sale that the caller saw" }),
  ...paid,
  reason: optionalText(MAX_DESCRIPTION),
});
export type CorrectRequest = z.infer<typeof CorrectInput>;
