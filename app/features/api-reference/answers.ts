import { z } from "zod";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "~/domain/enums";
import { STAFF_SHOWN_AS } from "~/features/chat/limits";
import { EXPENSE } from "~/features/ledger/expense";
import { INVOICE } from "~/features/ledger/invoice";
import { SALE_FIGURES } from "~/features/ledger/views";

/** Answers of the API as schemas; tests compare them with real answers (docs/product.md, 3.4). */

const count = z.int().min(0);
const dollars = z.number().meta({ description: "Dollars", examples: [24.5] });
const id = z.string().meta({ examples: ["0b1e9a52"] });
const anyId = id.nullable();
const time = z
  .object({ seconds: z.int(), nanoseconds: z.int() })
  .meta({ id: "Time", description: "Seconds since 1970-01-01 UTC and nanoseconds" });
const business = z.enum(BUSINESSES);
const paymentMode = z.enum(PAYMENT_MODES);
const month = z.object({ month: z.int().min(1).max(12), amount: dollars });

export const Notice = z.object({ message: z.string() });

export const Problem = z
  .object({
    message: z.string(),
    ERR_MSG: z.string().meta({ description: "The same as message" }),
    reference: z.string().optional().meta({ description: "Of a 5xx, for its entry in the log" }),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: "Each invalid field; for a sale or hold each line that the stock does not cover",
      }),
  })
  .meta({ id: "Error", examples: [{ message: "Not found", ERR_MSG: "Not found" }] });

export const User = z
  .object({
    id,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string(),
    isManager: z.boolean(),
    isAdmin: z.boolean(),
    isUser: z.boolean().meta({ description: "Active" }),
    photoURL: z.string(),
    createdAt: time,
  })
  .meta({ id: "User" });

export const SignedIn = z.object({ token: z.string(), user: User });

export const Product = z
  .object({
    id,
    productId: id,
    name: z.string(),
    description: z.string().meta({ description: "HTML" }),
    price: dollars,
    stock: count,
    available: count.meta({ description: "Stock without what is on hold" }),
    category: z.string(),
    colors: z.array(z.string()),
    hasEngraving: z.boolean().meta({ description: "Words can be engraved" }),
    imageUrls: z.array(z.string()),
    optionLabel: z.string().optional().meta({ description: "Name of the choice where it isn't Colour" }),
    plates: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Engraving plates by image, as shares of the picture" }),
    createdAt: time,
  })
  .meta({ id: "Product" });

export const Suggestions = z.object({
  products: z.array(
    z.object({
      id,
      name: z.string(),
      price: dollars,
      image: z.string(),
      available: count,
      missing: z
        .array(z.string())
        .optional()
        .meta({ description: "Words that it lacks, where no product has all words" }),
    }),
  ),
  categories: z.array(z.object({ category: z.string(), name: z.string(), products: count })),
});

export const Favourite = z.object({ productId: id, isFavourite: z.boolean() });

export const Movement = z
  .object({
    id,
    productId: id,
    quantity: z.int().meta({ description: "Signed" }),
    reason: z.enum(["opening", "adjustment", "import", "sale", "return"]),
    actor: z.string(),
    documentId: anyId,
    stockAfter: count,
    createdAt: time,
  })
  .meta({ id: "Movement" });

export const Invoice = z.object({ id, ...INVOICE.answers, createdAt: time }).meta({ id: "Invoice" });
export const Expense = z.object({ id, ...EXPENSE.answers, createdAt: time }).meta({ id: "Expense" });

const named = (names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, dollars])));
export const Months = z.array(month);
export const Categories = z.array(z.object({ category: z.string(), amount: dollars }));
export const SaleFigures = z.object({ totalSales: named(SALE_FIGURES) });
const expenses = named(["totalAmount", ...EXPENSE_TYPES.map((type) => type.toLowerCase())]);
export const ExpenseFigures = z.object({
  totalExpenses: z.object({ totalAmount: dollars, emporia: expenses, laser: expenses }),
});

export const Document = z
  .object({
    id,
    kind: z.enum(["sale", "credit"]),
    number: z.string().meta({ examples: ["E-2026-000123"] }),
    businessType: business,
    customerId: anyId,
    customerName: z.string(),
    chatId: anyId,
    source: z.enum(["chat", "counter"]),
    paymentMode,
    lines: z.array(
      z.object({
        line: z.int().min(1),
        invoiceId: id,
        productId: anyId,
        description: z.string(),
        category: z.string(),
        quantity: z.int(),
        amount: dollars,
        taxAmount: dollars,
        returned: count,
      }),
    ),
    taxName: z.string(),
    taxRate: z.int().meta({ description: "Basis points: 1300 is 13 %" }),
    taxAmount: dollars,
    taxIncluded: z.boolean(),
    taxNumber: z.string(),
    rounding: dollars,
    total: dollars,
    originalId: anyId,
    originalNumber: z.string().nullable(),
    reason: z.string(),
    createdAt: time,
    createdBy: z.string(),
  })
  .meta({ id: "Document", description: "Sale or credit note" });

export const Hold = z
  .object({
    id,
    chatId: anyId,
    customerId: anyId,
    until: time,
    state: z.enum(["active", "ended", "released", "sold"]),
    lines: z.array(z.object({ productId: id, name: z.string(), quantity: z.int().min(1) })),
    createdAt: time,
    createdBy: z.string(),
  })
  .meta({ id: "Hold" });

export const Quote = z
  .object({
    id,
    chatId: id,
    title: z.string(),
    lines: z.array(
      z.object({
        description: z.string(),
        material: z.string(),
        size: z.string(),
        quantity: z.int().min(1),
        amount: dollars,
      }),
    ),
    files: z.array(z.string()),
    readyBy: z.string().nullable(),
    validUntil: time,
    note: z.string(),
    state: z.enum(["sent", "accepted", "declined", "withdrawn", "expired"]),
    total: dollars,
    createdAt: time,
    createdBy: z.string(),
  })
  .meta({ id: "Quote" });

export const Customer = z
  .object({
    id,
    name: z.string(),
    email: z.string(),
    phoneNumber: z.string(),
    notes: z.string(),
    userId: anyId,
    chats: count,
    sales: count,
    total: dollars,
    lastSeen: time,
    createdAt: time,
  })
  .meta({ id: "Customer" });

export const Timeline = z.array(
  z.object({
    type: z.enum(["chat", "hold", "quote", "document"]),
    id,
    at: time,
    title: z.string(),
    amount: dollars.nullable(),
    state: z.string(),
  }),
);

export const AutoResponse = z
  .object({ id, trigger: z.string(), response: z.string(), category: z.string(), isActive: z.boolean() })
  .meta({ id: "AutoResponse" });

const chatSettings = {
  welcomeMessage: z.string(),
  offlineMessage: z.string(),
  isOnline: z.boolean(),
  autoResponseEnabled: z.boolean(),
  answererName: z.string(),
  staffShownAs: z.enum(STAFF_SHOWN_AS),
};
export const SavedChatSettings = z.object(chatSettings);
export const ChatSettings = z.object({
  ...chatSettings,
  answererPicture: z.string().nullable(),
  replySeconds: count.nullable(),
});

export const OwnChats = z.array(
  z.object({
    id,
    lastMessage: z.string(),
    lastSender: z.enum(["visitor", "staff", "auto"]),
    lastMessageAt: time,
    unreadCount: count,
    state: z.enum(["open", "closed"]),
    productId: anyId,
  }),
);

export const ImportResult = z.object({
  message: z.string(),
  created: count,
  updated: count,
  errors: count,
  errorDetails: z.array(z.object({ row: z.int(), product: z.string(), error: z.string() })),
  notes: z.array(z.object({ row: z.int(), product: z.string(), note: z.string() })).optional(),
});
