import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { LOW_STOCK } from "../domain/stock-levels";
import { IS_UNSORTED, sortKeyColumn } from "./columns";

// Sales and customers (docs/decisions/0025-sales.md). Triggers hold what a batch must not break
// (migrations/0018_sales.sql). Times are epoch seconds, money is cents.

/** Changes of stock; a trigger writes one whenever the stock of a unit changes. */
export const stockMovements = sqliteTable(
  "stock_movements",
  {
    row: integer("row").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    /** Stays when the product is deleted. */
    productId: text("product_id").notNull(),
    /** Null: the unit with the product's id. */
    unitId: text("unit_id"),
    /** Values of the unit's options, as they were called then. */
    choice: text("choice").notNull().default(""),
    quantity: integer("quantity").notNull(),
    reason: text("reason", { enum: ["opening", "adjustment", "import", "sale", "return"] }).notNull(),
    /** Name of the person; empty for the system. */
    actor: text("actor").notNull(),
    documentId: text("document_id"),
    /** Stock of the unit. */
    stockAfter: integer("stock_after").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Number among the product's movements, from 1: the last one's counts them. */
    ordinal: integer("ordinal").notNull().default(0),
  },
  (t) => [
    index("stock_movements_product").on(t.productId, t.row),
    // Changes that left few pieces: the latest tell what runs out.
    index("stock_movements_low")
      .on(t.row)
      .where(sql.raw(`stock_after <= ${LOW_STOCK}`)),
    index("stock_movements_document").on(t.documentId).where(sql`document_id IS NOT NULL`),
    check("stock_movements_stock", sql`${t.stockAfter} >= 0 AND ${t.quantity} <> 0`),
    check(
      "stock_movements_reason",
      sql`${t.reason} IN ('opening', 'adjustment', 'import', 'sale', 'return')`,
    ),
  ],
);

/** Last number of each series, such as `E-2026`. */
export const documentSeries = sqliteTable("document_series", {
  series: text("series").primaryKey(),
  last: integer("last").notNull(),
});

/** Sales and credit notes. Triggers refuse every change, except of the customer. */
export const documents = sqliteTable(
  "documents",
  {
    row: integer("row").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    kind: text("kind", { enum: ["sale", "credit"] }).notNull(),
    number: text("number").notNull().unique(),
    businessType: text("business_type").notNull(),
    customerId: text("customer_id"),
    customerName: text("customer_name").notNull(),
    chatId: text("chat_id"),
    source: text("source", { enum: ["chat", "counter"] }).notNull(),
    paymentMode: text("payment_mode").notNull(),
    taxName: text("tax_name").notNull(),
    /** Basis points. */
    taxRate: integer("tax_rate").notNull(),
    taxCents: integer("tax_cents").notNull(),
    taxIncluded: integer("tax_included", { mode: "boolean" }).notNull(),
    taxNumber: text("tax_number").notNull(),
    roundingCents: integer("rounding_cents").notNull(),
    totalCents: integer("total_cents").notNull(),
    originalId: text("original_id"),
    reason: text("reason").notNull().default(""),
    /** Id that the client gave the request; a sale of two businesses makes two documents. */
    requestId: text("request_id").notNull(),
    /** SHA-256 of the request, to tell a repetition from another request with its id. */
    requestHash: text("request_hash").notNull(),
    /** Date of the sale, epoch seconds. */
    createdAt: integer("created_at").notNull(),
    /** YYYY-MM-DD in SHOP_TIMEZONE. */
    day: text("day").notNull(),
    /** Time of issue, epoch seconds; 0 for a generated one. */
    recordedAt: integer("recorded_at").notNull().default(0),
    /** `foldForSearch` of number, customer and lines; a trigger indexes it (`document_search`, `document_starts`). */
    searchText: text("search_text").notNull(),
    createdBy: text("created_by").notNull(),
    /** By several payments or a deposit; else one pays the total in the document's mode, and is not read. */
    isPaidInParts: integer("is_paid_in_parts", { mode: "boolean" }).notNull().default(false),
    /** Sum of the lines' discounts. */
    discountCents: integer("discount_cents").notNull().default(0),
  },
  (t) => [
    index("documents_created").on(t.createdAt, t.row),
    index("documents_business").on(t.businessType, t.createdAt, t.row),
    index("documents_customer").on(t.customerId, t.createdAt).where(sql`customer_id IS NOT NULL`),
    index("documents_chat").on(t.chatId, t.createdAt).where(sql`chat_id IS NOT NULL`),
    index("documents_chat_unlinked").on(t.chatId).where(sql`chat_id IS NOT NULL AND customer_id IS NULL`),
    index("documents_original").on(t.originalId).where(sql`original_id IS NOT NULL`),
    index("documents_request").on(t.requestId),
    index("documents_total").on(t.totalCents),
    check("documents_kind", sql`${t.kind} IN ('sale', 'credit')`),
    check("documents_source", sql`${t.source} IN ('chat', 'counter')`),
    check("documents_original_of_credit", sql`(${t.kind} = 'credit') = (${t.originalId} IS NOT NULL)`),
  ],
);

/**
 * Money taken or paid back (negative), which never changes. A deposit names its quote, what was paid with a document the
 * document. A deposit that counts towards a document has a row of both beside its own: no money moves with it.
 */
export const payments = sqliteTable(
  "payments",
  {
    row: integer("row").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    /** `LD-2026-000004`, of a deposit. */
    number: text("number").unique(),
    businessType: text("business_type").notNull(),
    mode: text("mode").notNull(),
    amountCents: integer("amount_cents").notNull(),
    quoteId: text("quote_id"),
    documentId: text("document_id"),
    note: text("note").notNull().default(""),
    /** Name of the customer when a deposit was taken; empty without one. */
    customerName: text("customer_name").notNull().default(""),
    /** Time at which a deposit was recorded, which may be dated back; 0 for payments of documents. */
    recordedAt: integer("recorded_at").notNull().default(0),
    /** SHA-256 of the request, of a deposit. */
    requestHash: text("request_hash").notNull().default(""),
    createdAt: integer("created_at").notNull(),
    /** YYYY-MM-DD in SHOP_TIMEZONE. */
    day: text("day").notNull(),
    createdBy: text("created_by").notNull(),
  },
  (t) => [
    index("payments_quote").on(t.quoteId).where(sql`quote_id IS NOT NULL`),
    index("payments_document").on(t.documentId).where(sql`document_id IS NOT NULL`),
    index("payments_day").on(t.day),
    index("payments_cash").on(t.businessType, t.day).where(sql`mode = 'CASH'`),
    check("payments_mode", sql`${t.mode} IN ('CASH', 'EMT', 'CARD')`),
    check("payments_amount", sql`${t.amountCents} <> 0`),
    check("payments_purpose", sql`${t.quoteId} IS NOT NULL OR ${t.documentId} IS NOT NULL`),
    check("payments_number", sql`(${t.number} IS NOT NULL) = (${t.documentId} IS NULL)`),
  ],
);

export const documentLines = sqliteTable(
  "document_lines",
  {
    documentId: text("document_id").notNull(),
    line: integer("line").notNull(),
    invoiceId: text("invoice_id").notNull(),
    productId: text("product_id"),
    /** Null: the unit with the product's id. */
    unitId: text("unit_id"),
    description: text("description").notNull(),
    category: text("category").notNull(),
    quantity: integer("quantity").notNull(),
    amountCents: integer("amount_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    /** Pieces that credit notes took back; a trigger counts them. */
    returned: integer("returned").notNull().default(0),
    /** Taken off the price before amount and tax were computed; negative on a credit note. */
    discountCents: integer("discount_cents").notNull().default(0),
    discountReason: text("discount_reason").notNull().default(""),
    /** Percentage that the discount is, basis points; null for an amount, and where it has a share of the document's. */
    discountBasisPoints: integer("discount_basis_points"),
    /** Amount and tax that credit notes took back, with pieces or without; a trigger adds them up. */
    creditedCents: integer("credited_cents").notNull().default(0),
    creditedTaxCents: integer("credited_tax_cents").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.line] }),
    index("document_lines_product").on(t.productId).where(sql`product_id IS NOT NULL`),
    index("document_lines_amount").on(t.amountCents, t.documentId),
    check("document_lines_returned", sql`${t.returned} BETWEEN 0 AND max(${t.quantity}, 0)`),
  ],
);

/**
 * Discounts of documents, less those of what was credited, by business: of each day, month and year, and of all time. A trigger
 * adds to them.
 */
export const discountSums = sqliteTable(
  "discount_sums",
  {
    /** `day`, `month`, `year` or `all`. */
    unit: text("unit").notNull(),
    /** YYYY-MM-DD, YYYY-MM, YYYY or `all`. */
    period: text("period").notNull(),
    businessType: text("business_type").notNull(),
    amountCents: integer("amount_cents").notNull(),
  },
  (t) => [primaryKey({ columns: [t.unit, t.period, t.businessType] })],
);

/**
 * Deposits that were taken, less those that were paid back or count towards a document, by business: of each day, month and year, and
 * of all time. All payments of a quote have the business of its first deposit. A trigger adds to them.
 */
export const depositSums = sqliteTable(
  "deposit_sums",
  {
    /** `day`, `month`, `year` or `all`. */
    unit: text("unit").notNull(),
    /** YYYY-MM-DD, YYYY-MM, YYYY or `all`. */
    period: text("period").notNull(),
    businessType: text("business_type").notNull(),
    amountCents: integer("amount_cents").notNull(),
  },
  (t) => [primaryKey({ columns: [t.unit, t.period, t.businessType] })],
);

/** Sums of the lines of each product by month (YYYY-MM) and year (YYYY); a trigger adds to them. */
export const productSales = sqliteTable(
  "product_sales",
  {
    /** `month` or `year`. */
    unit: text("unit").notNull(),
    period: text("period").notNull(),
    businessType: text("business_type").notNull(),
    /** Stays when the product is deleted. */
    productId: text("product_id").notNull(),
    pieces: integer("pieces").notNull(),
    amountCents: integer("amount_cents").notNull(),
  },
  (t) => [primaryKey({ columns: [t.unit, t.period, t.businessType, t.productId] })],
);

/** Sums of documents by day (YYYY-MM-DD), month (YYYY-MM) and of all time (`all`); a trigger adds to them. */
export const documentSums = sqliteTable(
  "document_sums",
  {
    period: text("period").notNull(),
    businessType: text("business_type").notNull(),
    kind: text("kind").notNull(),
    paymentMode: text("payment_mode").notNull(),
    source: text("source").notNull(),
    documents: integer("documents").notNull(),
    totalCents: integer("total_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    discountCents: integer("discount_cents").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.period, t.businessType, t.kind, t.paymentMode, t.source] })],
);

/** Persons the shop knows. Triggers keep the figures in step with the documents. */
export const customers = sqliteTable(
  "customers",
  {
    /** Explicit rowid: the search index refers to it. */
    row: integer("row").primaryKey({ autoIncrement: true }),
    id: text("id").notNull().unique(),
    name: text("name").notNull(),
    /** Folded (app/db/text.ts), for the search. */
    nameKey: text("name_key").notNull(),
    email: text("email").notNull().default(""),
    emailKey: text("email_key").notNull().default(""),
    phoneNumber: text("phone_number").notNull().default(""),
    notes: text("notes").notNull().default(""),
    userId: text("user_id"),
    sales: integer("sales").notNull().default(0),
    totalCents: integer("total_cents").notNull().default(0),
    chats: integer("chats").notNull().default(0),
    /** Latest document, or message in a linked chat, by which it may be ten minutes behind. */
    lastSeen: integer("last_seen").notNull(),
    requestHash: text("request_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    credits: integer("credits").notNull().default(0),
    creditsCents: integer("credits_cents").notNull().default(0),
    holds: integer("holds").notNull().default(0),
    quotes: integer("quotes").notNull().default(0),
    /** End of the last active hold, epoch seconds; may have passed. */
    heldUntil: integer("held_until"),
    /** End of the last open quote, epoch seconds; may have passed. In the year 9999 while an accepted one waits for its sale. */
    quotedUntil: integer("quoted_until"),
    sortKey: sortKeyColumn(),
  },
  (t) => [
    uniqueIndex("customers_user").on(t.userId).where(sql`user_id IS NOT NULL`),
    index("customers_seen").on(t.lastSeen, t.id),
    index("customers_sorted").on(t.sortKey, t.id),
    index("customers_unsorted").on(t.id).where(sql.raw(IS_UNSORTED)),
    // For the previous version, which still runs during a deployment.
    index("customers_name").on(t.nameKey, t.id),
    index("customers_email").on(t.emailKey).where(sql`email_key <> ''`),
    index("customers_held").on(t.heldUntil).where(sql`held_until IS NOT NULL`),
    index("customers_quoted").on(t.quotedUntil).where(sql`quoted_until IS NOT NULL`),
  ],
);

/** Number of customers in a single row, maintained by triggers. */
export const customerCounts = sqliteTable("customer_counts", {
  one: integer("one").primaryKey(),
  customers: integer("customers").notNull(),
});

/** Number of customers of each e-mail address, maintained by triggers: it finds possible duplicates. */
export const customerEmails = sqliteTable(
  "customer_emails",
  {
    emailKey: text("email_key").primaryKey(),
    customers: integer("customers").notNull(),
  },
  (t) => [index("customer_emails_shared").on(t.emailKey).where(sql`customers > 1`)],
);

/** Customer of each linked chat; apart from `chats`, whose rows the rooms write. */
export const chatCustomers = sqliteTable(
  "chat_customers",
  {
    chatId: text("chat_id").primaryKey(),
    customerId: text("customer_id").notNull(),
    linkedAt: integer("linked_at").notNull(),
    /** Last message of the chat, epoch seconds, kept by triggers. */
    activeAt: integer("active_at").notNull().default(0),
    /** Account of the chat, kept by triggers. */
    userId: text("user_id"),
  },
  (t) => [
    index("chat_customers_customer").on(t.customerId, t.linkedAt),
    index("chat_customers_active").on(t.customerId, t.activeAt),
    index("chat_customers_user").on(t.customerId, t.userId),
  ],
);

/** Tax registration of each business; none before the first save. */
export const businessSettings = sqliteTable("business_settings", {
  businessType: text("business_type").primaryKey(),
  /** Empty: not registered, then no tax appears anywhere. */
  taxNumber: text("tax_number").notNull(),
  taxName: text("tax_name").notNull(),
  /** Basis points. */
  taxRate: integer("tax_rate").notNull(),
  taxIncluded: integer("tax_included", { mode: "boolean" }).notNull(),
  version: integer("version").notNull(),
});

/**
 * Closings of a business's books up to a day; triggers refuse what is dated on or before the last one that is not reopened
 * (docs/decisions/0085-closed-months.md).
 */
export const closings = sqliteTable(
  "closings",
  {
    id: text("id").primaryKey(),
    businessType: text("business_type").notNull(),
    /** YYYY-MM-DD, which is closed too. */
    until: text("until").notNull(),
    note: text("note").notNull().default(""),
    closedBy: text("closed_by").notNull(),
    closedAt: integer("closed_at").notNull(),
    /** Empty and null while it stays closed. */
    reopenedBy: text("reopened_by").notNull().default(""),
    reopenedAt: integer("reopened_at"),
    reason: text("reason").notNull().default(""),
  },
  (t) => [
    index("closings_active").on(t.businessType, t.until).where(sql`reopened_at IS NULL`),
    index("closings_business").on(t.businessType, t.closedAt),
  ],
);

/** Mails of receipts and cards for chats that are to be delivered (docs/decisions/0025-sales.md). */
export const saleOutbox = sqliteTable(
  "sale_outbox",
  {
    id: text("id").primaryKey(),
    kind: text("kind", { enum: ["mail", "card"] }).notNull(),
    /** E-mail address or id of the chat. */
    recipient: text("recipient").notNull(),
    documentId: text("document_id"),
    content: text("content"),
    attempts: integer("attempts").notNull().default(0),
    dueAt: integer("due_at").notNull(),
    doneAt: integer("done_at"),
    createdAt: integer("created_at").notNull(),
    createdBy: text("created_by").notNull(),
  },
  (t) => [
    index("sale_outbox_due").on(t.dueAt).where(sql`done_at IS NULL`),
    index("sale_outbox_document").on(t.documentId).where(sql`document_id IS NOT NULL`),
    index("sale_outbox_latest").on(t.documentId, t.createdAt).where(sql`document_id IS NOT NULL`),
    check("sale_outbox_kind", sql`${t.kind} IN ('mail', 'card')`),
  ],
);
