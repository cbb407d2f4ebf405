import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { added, INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { AVAILABLE, stockChange } from "~/db/stock";
import { BUSINESSES, type Business } from "~/domain/enums";
import type { TaxRules } from "../tax";
import type { CustomerRow } from "./customers.server";
import {
  type NewDocument,
  type StoredDocument,
  selectRequest,
  selectTaken,
  toDocument,
} from "./documents.server";

const list = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Product as a sale sees it. */
export interface SoldProduct {
  id: string;
  name: string;
  category: string;
  priceCents: number;
  stock: number;
  available: number;
}

const selectProducts = (ids: string[]) =>
  sql`SELECT products.id, products.name, products.category, products.price_cents AS priceCents, products.stock,
    ${AVAILABLE} AS available FROM products WHERE products.id IN ${list(ids)}`;

/** Selects the products of a document's lines. */
export const selectProductsOfDocument = (documentId: string) =>
  sql`SELECT products.id, products.name, products.category, products.price_cents AS priceCents, products.stock,
    ${AVAILABLE} AS available FROM products
    WHERE products.id IN (SELECT product_id FROM document_lines WHERE document_id = ${documentId})`;

/** Reads products with stock and what is available. */
export async function findSoldProducts(db: Db, ids: string[]): Promise<Map<string, SoldProduct>> {
  const rows = ids.length > 0 ? await db.all<SoldProduct>(selectProducts(ids)) : [];
  return new Map(rows.map((row) => [row.id, row]));
}

interface ChatOfSale {
  id: string;
  userName: string;
  /** Epoch seconds. */
  createdAt: number;
  userId: string | null;
  customerId: string | null;
}
export interface HoldOfSale {
  id: string;
  chatId: string | null;
  customerId: string | null;
  state: string;
  until: number;
}
interface QuoteOfSale {
  id: string;
  chatId: string;
  state: string;
  documentId: string | null;
}
type CustomerOfSale = Pick<CustomerRow, "id" | "name" | "userId" | "requestHash">;

/** Everything that a sale depends on. */
export interface SaleState {
  earlier: StoredDocument[];
  /** Ids of the request's documents that other requests have taken. */
  takenIds: string[];
  rules: Map<Business, TaxRules>;
  products: Map<string, SoldProduct>;
  chat: ChatOfSale | undefined;
  hold: HoldOfSale | undefined;
  quote: QuoteOfSale | undefined;
  customer: CustomerOfSale | undefined;
}

interface Named {
  requestId: string;
  productIds: string[];
  chatId?: string | undefined;
  holdId?: string | undefined;
  quoteId?: string | undefined;
  customerId?: string | undefined;
}

/** Returns the id of a sale's nth document, from 0: the request's own, the others with a suffix. */
export const saleDocumentId = (requestId: string, n: number) =>
  n === 0 ? requestId : `${requestId}-${n + 1}`;

const documentIds = (requestId: string) => BUSINESSES.map((_, n) => saleDocumentId(requestId, n));

/** Reads what a sale depends on, in one round trip. */
export async function readSaleState(db: Db, named: Named): Promise<SaleState> {
  const { requestId, productIds, chatId, holdId, quoteId, customerId } = named;
  const chat = sql`coalesce(${chatId ?? null}, (SELECT chat_id FROM holds WHERE id = ${holdId ?? null}),
    (SELECT chat_id FROM quotes WHERE id = ${quoteId ?? null}))`;
  const results = await runBatch(db, [
    selectRequest(requestId),
    selectTaken(documentIds(requestId), requestId),
    SELECT_RULES,
    selectProducts(productIds),
    sql`SELECT chats.id, user_name AS userName, created_at AS createdAt, (SELECT id FROM users WHERE id = user_id) AS userId,
      (SELECT customer_id FROM chat_customers WHERE chat_id = chats.id) AS customerId FROM chats WHERE chats.id = ${chat}`,
    sql`SELECT id, chat_id AS chatId, customer_id AS customerId, state, until FROM holds WHERE id = ${holdId ?? null}`,
    sql`SELECT id, chat_id AS chatId, state, document_id AS documentId FROM quotes WHERE id = ${quoteId ?? null}`,
    sql`SELECT id, name, user_id AS userId, request_hash AS requestHash FROM customers WHERE id = coalesce(${customerId ?? null},
      (SELECT customer_id FROM holds WHERE id = ${holdId ?? null}),
      (SELECT customer_id FROM chat_customers WHERE chat_id = ${chat}),
      (SELECT c.id FROM chats JOIN customers AS c ON c.user_id = chats.user_id WHERE chats.id = ${chat}))`,
  ]);
  const [
    earlier = [],
    taken = [],
    rules = [],
    products = [],
    chats = [],
    holds = [],
    quotes = [],
    customers = [],
  ] = results;
  return {
    earlier: earlier.map(toDocument),
    takenIds: taken.map(({ id }) => String(id)),
    rules: toRules(rules),
    products: new Map((products as unknown as SoldProduct[]).map((row) => [row.id, row])),
    chat: chats[0] as unknown as ChatOfSale | undefined,
    hold: holds[0] as unknown as HoldOfSale | undefined,
    quote: quotes[0] as unknown as QuoteOfSale | undefined,
    customer: customers[0] as unknown as CustomerOfSale | undefined,
  };
}

const SELECT_RULES = sql`SELECT business_type AS business, tax_number AS number, tax_name AS name, tax_rate AS rate,
  tax_included AS isIncluded FROM business_settings`;

function toRules(rows: Record<string, unknown>[]): Map<Business, TaxRules> {
  return new Map(
    (rows as unknown as (Omit<TaxRules, "isIncluded"> & { business: Business; isIncluded: number })[]).map(
      ({ business, isIncluded, ...rules }) => [business, { ...rules, isIncluded: isIncluded === 1 }],
    ),
  );
}

/**
 * Statement that aborts its batch when the chat or customer that was read is gone, or the customer has another name: a
 * deletion of personal data may come first. Invalid JSON raises an error.
 */
export const refuseUnlessStored = (
  chatId: string | null,
  customer: { id: string; name?: string } | undefined,
): SQL =>
  sql`SELECT json(iif(
    (${chatId} IS NULL OR EXISTS (SELECT 1 FROM chats WHERE id = ${chatId}))
    AND (${customer?.id ?? null} IS NULL OR EXISTS (SELECT 1 FROM customers
      WHERE id = ${customer?.id ?? null} AND name = coalesce(${customer?.name ?? null}, name))), '1', 'gone'))`;

/** Statement that aborts the batch of a credit note whose sale has another name by now, as after a deletion. */
export const refuseUnlessNamed = ({ originalId, customerName }: NewDocument): SQL =>
  sql`SELECT json(iif(EXISTS (SELECT 1 FROM documents WHERE id = ${originalId} AND customer_name = ${customerName}), '1', 'renamed'))`;

/** Takes ended holds of products out of `products.held`, so that the triggers compare with what is on hold now. */
export const settleHolds = (productIds: string[]): SQL =>
  sql`UPDATE hold_lines SET counted = 0 WHERE counted = 1 AND until <= unixepoch() AND product_id IN ${list(productIds)}`;

/** Ends a hold by its sale. */
export function sellHold(holdId: string, documentId: string): SQL[] {
  return [
    sql`UPDATE hold_lines SET counted = 0 WHERE hold_id = ${holdId} AND counted = 1`,
    sql`UPDATE holds SET state = 'sold', document_id = ${documentId} WHERE id = ${holdId}`,
  ];
}

export const sellQuote = (quoteId: string, documentId: string): SQL =>
  sql`UPDATE quotes SET document_id = ${documentId} WHERE id = ${quoteId}`;

/** Change of one product's stock by a document. */
export interface StockMove {
  productId: string;
  /** Pieces, negative for a sale. */
  quantity: number;
  documentId: string;
}

/** Adds up the pieces of each product, so that each product has one stock movement. */
export function stockMoves(documents: NewDocument[]): StockMove[] {
  const pieces = documents.flatMap(({ id, lines }) => lines.map((line) => ({ ...line, documentId: id })));
  return [...Map.groupBy(pieces, ({ productId }) => productId)].flatMap(([productId, lines]) => {
    const quantity = -lines.reduce((sum, line) => sum + line.quantity, 0);
    return productId === null ? [] : [{ productId, quantity, documentId: lines[0]?.documentId ?? "" }];
  });
}

/** Moves the stock of several products in one statement; triggers refuse what is not available. */
export function moveStock(moves: StockMove[], reason: "sale" | "return", actor: string, now: number): SQL[] {
  const byDocument = Map.groupBy(moves, ({ documentId }) => documentId);
  return [...byDocument].map(
    ([documentId, group]) => sql`UPDATE products SET stock = stock + v.quantity, updated_at = ${now},
      stock_change = ${stockChange({ reason, actor, documentId })}
      FROM (SELECT value ->> 'productId' AS id, value ->> 'quantity' AS quantity
        FROM json_each(${JSON.stringify(group)})) AS v
      WHERE products.id = v.id`,
  );
}

/** Rolls a batch back that led the stock of a product above the limit: invalid JSON raises an error. */
export const refuseStockAbove = (max: number, moves: StockMove[]): SQL =>
  sql`SELECT json(iif(EXISTS (SELECT 1 FROM products WHERE stock > ${max}
    AND id IN ${list(moves.map(({ productId }) => productId))}), 'stock above the limit', '1'))`;

/** Creates the customer of an account, from its name and address, unless the account has one. */
export const createAccountCustomer = (
  db: Db,
  customerId: string,
  userId: string,
  now: number,
): SQLWrapper[] => [
  sql`INSERT INTO customers (id, name, name_key, email, email_key, phone_number, user_id, last_seen, request_hash, created_at, updated_at,
      sort_key)
    SELECT ${customerId}, trim(first_name || ' ' || last_name), lower(trim(folded_name)), email,
      email_key, phone_number, id, ${now}, '', ${now}, ${now}, sort_key
    FROM users WHERE id = ${userId} AND NOT EXISTS (SELECT 1 FROM customers WHERE user_id = ${userId})`,
  recorded(db, {
    object: "customer",
    action: "created",
    id: customerId,
    changes: { account: added(userId) },
    rows: sql`WHERE ${INSERTED}`,
  }),
];

/** Links a chat to its customer, unless it has one. */
export const linkChat = (chatId: string, customerId: string, now: number): SQL =>
  sql`INSERT INTO chat_customers (chat_id, customer_id, linked_at)
    SELECT ${chatId}, ${customerId}, ${now} WHERE NOT EXISTS (SELECT 1 FROM chat_customers WHERE chat_id = ${chatId})`;

/** Adds up the active holds of products, with the latest end. @param exceptHold that the sale itself ends */
export function findHeld(
  db: Db,
  productIds: string[],
  exceptHold: string | undefined,
): Promise<{ productId: string; quantity: number; until: number }[]> {
  return db.all(sql`SELECT product_id AS productId, sum(quantity) AS quantity, max(until) AS until FROM hold_lines
    WHERE counted = 1 AND until > unixepoch() AND product_id IN ${list(productIds)}
      AND hold_id <> ${exceptHold ?? ""} GROUP BY product_id`);
}
