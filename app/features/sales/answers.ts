import { z } from "zod";
import { BUSINESSES, PAYMENT_MODES } from "~/domain/enums";
import { PRODUCT } from "~/features/catalogue/product";
import { INVOICE } from "~/features/ledger/invoice";
import { AnyId, Count, Dollars, Id, Time } from "~/http/answers";
import { CUSTOMER } from "./customer";
import { DOCUMENT_KINDS, SALE_SOURCES } from "./document";

const business = z.enum(BUSINESSES);
const paymentMode = z.enum(PAYMENT_MODES);

export const Document = z
  .object({
    id: Id,
    kind: z.enum(DOCUMENT_KINDS),
    number: z.string().meta({ examples: ["E-2026-000123"] }),
    businessType: business,
    customerId: AnyId,
    customerName: CUSTOMER.answers.name,
    chatId: AnyId,
    source: z.enum(SALE_SOURCES),
    paymentMode: paymentMode.meta({ description: "Mode of the largest payment" }),
    payments: z
      .array(
        z.object({
          mode: paymentMode,
          amount: Dollars,
          quoteId: AnyId.meta({
            description: "Quote whose deposit this is; null for what was paid with the document",
          }),
        }),
      )
      .meta({ description: "Their sum is the total" }),
    lines: z.array(
      z.object({
        line: z.int().min(1),
        invoiceId: Id,
        productId: AnyId,
        unitId: AnyId.meta({ description: "Unit of a product that has several" }),
        description: INVOICE.answers.description,
        category: z.string(),
        quantity: z.int(),
        amount: Dollars,
        taxAmount: Dollars,
        discount: Dollars.meta({
          description: "Taken off the price before `amount`; negative on a credit note",
        }),
        reason: z.string().meta({ description: "Of the discount" }),
        returned: Count,
        credited: Dollars.meta({ description: "Taken back by credit notes, with pieces or without" }),
      }),
    ),
    taxName: z.string(),
    taxRate: z.int().meta({ description: "Basis points: 1300 is 13 %" }),
    taxAmount: Dollars,
    taxIncluded: z.boolean(),
    taxNumber: z.string(),
    rounding: Dollars,
    total: Dollars,
    discount: Dollars.meta({ description: "Sum of the lines' discounts" }),
    originalId: AnyId,
    originalNumber: z.string().nullable(),
    reason: z.string(),
    createdAt: Time,
    createdBy: z.string(),
  })
  .meta({ id: "Document", description: "Sale or credit note" });

export const Hold = z
  .object({
    id: Id,
    chatId: AnyId,
    customerId: AnyId,
    until: Time,
    state: z.enum(["active", "ended", "released", "sold"]),
    lines: z.array(
      z.object({ productId: Id, unitId: Id, name: PRODUCT.answers.name, quantity: z.int().min(1) }),
    ),
    createdAt: Time,
    createdBy: z.string(),
  })
  .meta({ id: "Hold" });

export const Quote = z
  .object({
    id: Id,
    chatId: Id,
    title: z.string(),
    lines: z.array(
      z.object({
        productId: Id.optional(),
        unitId: Id.optional(),
        description: INVOICE.answers.description,
        material: z.string(),
        size: z.string(),
        quantity: z.int().min(1),
        amount: Dollars,
      }),
    ),
    files: z.array(z.string()),
    readyBy: z.string().nullable(),
    validUntil: Time,
    note: z.string(),
    state: z.enum(["sent", "accepted", "declined", "withdrawn", "expired"]),
    total: Dollars,
    createdAt: Time,
    createdBy: z.string(),
    readyAt: Time.nullable().meta({ description: "Since when its work waits for being fetched" }),
  })
  .meta({ id: "Quote" });

export const Payment = z
  .object({
    id: Id,
    number: z.string().meta({ examples: ["LD-2026-000004"] }),
    businessType: business,
    amount: Dollars.meta({ description: "Negative: paid back", examples: [30] }),
    mode: paymentMode,
    note: z.string(),
    for: z.object({ quoteId: Id }),
    createdAt: Time,
    createdBy: z.string(),
  })
  .meta({ id: "Payment", description: "Deposit on a quote, or what was paid back of one" });

export const Customer = z
  .object({
    id: Id,
    ...CUSTOMER.answers,
    userId: AnyId,
    chats: Count,
    sales: Count,
    total: Dollars,
    lastSeen: Time,
    createdAt: Time,
  })
  .meta({ id: "Customer" });

export const Timeline = z.array(
  z.object({
    type: z.enum(["chat", "hold", "quote", "document"]),
    id: Id,
    at: Time,
    title: z.string(),
    amount: Dollars.nullable(),
    state: z.string(),
    deposits: z
      .array(z.object({ id: Id, number: z.string(), mode: paymentMode, amount: Dollars }))
      .meta({ description: "Deposits on a quote, in their order; negative amounts were paid back" }),
  }),
);
