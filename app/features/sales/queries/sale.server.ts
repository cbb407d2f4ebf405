import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { added, INSERTED, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { stockChange, UNIT_AVAILABLE } from "~/db/stock";
import { BUSINESSES, type Business } from "~/domain/enums";
import type { TaxRules } from "~/domain/tax";
import { choiceText, unitName } from "~/domain/unit-name";
import type { PaymentPart } from "../payments";
import { NO_TAX } from "../tax";
import type { CustomerRow } from "./customers.server";
import {
  type NewDocument,
  type StoredDocument,
  selectRequest,
  selectTaken,
  toDocument,
} from "./documents.server";

const list = (values: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Unit of a product as a sale sees it. */
export interface SoldProduct {
  /** Of the unit. */
  id: string;
  productId: string;
  /** With the choice: `Phone case (Moss)`. */
  name: string;
  productName: string;
  /** Values of its options, "" without any. */
  choice: string;
  category: string;
  /** Shoppers find it nowhere. */
  isHidden: boolean;
  /** Pieces up to which it counts as low; -1 for the number of the settings. */
  lowStock: number;
  /** Stored entry of its picture. */
  image: string | null;
  priceCents: number;
  stock: number;
  available: number;
}

const selectUnitsWhere = (condition: SQL) =>
  sql`SELECT units.id, products.id AS productId, products.name AS productName, units.option_values AS choice, products.category, products.is_hidden AS isHidden, products.low_stock AS lowStock,
    coalesce(nullif(units.image, ''), products.image_urls ->> 0) AS image,
    coalesce(units.price_cents, products.base_cents, products.price_cents) AS priceCents, units.stock,
    ${UNIT_AVAILABLE} AS available FROM units CROSS JOIN products ON products.id = units.product_id WHERE ${condition}`;

const selectUnits = (ids: SQL) => selectUnitsWhere(sql`units.id IN ${ids}`);

/** Selects units by their ids. */
export const selectSoldProducts = (ids: string[]) => selectUnits(list(ids));

/** Selects the units of a document's lines. */
export const selectUnitsOfDocument = (documentId: string) =>
  selectUnits(
    sql`(SELECT coalesce(unit_id, product_id) FROM document_lines WHERE document_id = ${documentId} AND product_id IS NOT NULL)`,
  );

/** Converts rows of units to a map by their ids. */
export function toSoldProducts(rows: Record<string, unknown>[]): Map<string, SoldProduct> {
  const units = (rows as unknown as SoldProduct[]).map((unit) => {
    const values = JSON.parse(unit.choice) as string[];
    return {
      ...unit,
      name: unitName(unit.productName, values),
      choice: choiceText(values),
      isHidden: Boolean(unit.isHidden),
    };
  });
  return new Map(units.map((unit) => [unit.id, unit]));
}

/** Reads units of products with stock and what is available, by their ids; a product of one unit has its id. */
export async function findSoldProducts(db: Db, ids: string[]): Promise<Map<string, SoldProduct>> {
  return toSoldProducts(ids.length > 0 ? await db.all(selectSoldProducts(ids)) : []);
}

/** Reads all units of the products that have one of these, in their order. */
export async function findUnitsBeside(db: Db, ids: string[]): Promise<Map<string, SoldProduct>> {
  if (ids.length === 0) return new Map();
  const products = sql`(SELECT product_id FROM units WHERE id IN ${list(ids)})`;
  return toSoldProducts(
    await db.all(
      sql`${selectUnitsWhere(sql`units.product_id IN ${products}`)} ORDER BY units.position, units.id`,
    ),
  );
}

/** Product as a line names it. */
export interface ProductChoices {
  name: string;
  /** The first of its choices; empty for a product without options. */
  choices: string[];
}

/** Finds products with their choices, by id. */
export async function findChoices(db: Db, productIds: string[]): Promise<Map<string, ProductChoices>> {
  const rows = await db.all<{ id: string; name: string; choices: string }>(sql`SELECT p.id, p.name,
      (SELECT json_group_array(json(u.option_values)) FROM (SELECT option_values FROM units
        WHERE product_id = p.id AND p.options <> '[]' ORDER BY position, id LIMIT 6) AS u) AS choices
    FROM products AS p WHERE p.id IN ${list(productIds)}`);
  return new Map(
    rows.map(({ id, name, choices }) => [
      id,
      { name, choices: (JSON.parse(choices) as string[][]).map(choiceText) },
    ]),
  );
}

interface ChatOfSale {
  id: string;
  userName: string;
  userEmail: string;
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
  /** Deposits that were paid, by mode. */
  deposits: PaymentPart[];
  /** Business that took them; null without any. */
  depositBusiness: Business | null;
}
type CustomerOfSale = Pick<CustomerRow, "id" | "name" | "email" | "userId" | "requestHash">;

/** Everything that a sale depends on. */
export interface SaleState {
  earlier: StoredDocument[];
  /** Ids of the request's documents that other requests have taken. */
  takenIds: string[];
  rules: Map<Business, TaxRules>;
  /** By the id of the unit. */
  products: Map<string, SoldProduct>;
  chat: ChatOfSale | undefined;
  hold: HoldOfSale | undefined;
  quote: QuoteOfSale | undefined;
  customer: CustomerOfSale | undefined;
}

interface Named {
  requestId: string;
  unitIds: string[];
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
  const { requestId, unitIds, chatId, holdId, quoteId, customerId } = named;
  const chat = sql`coalesce(${chatId ?? null}, (SELECT chat_id FROM holds WHERE id = ${holdId ?? null}),
    (SELECT chat_id FROM quotes WHERE id = ${quoteId ?? null}))`;
  const results = await runBatch(db, [
    selectRequest(requestId),
    selectTaken(documentIds(requestId), requestId),
    SELECT_RULES,
    selectSoldProducts(unitIds),
    sql`SELECT chats.id, user_name AS userName, user_email AS userEmail, created_at AS createdAt, (SELECT id FROM users WHERE id = user_id) AS userId,
      (SELECT customer_id FROM chat_customers WHERE chat_id = chats.id) AS customerId FROM chats WHERE chats.id = ${chat}`,
    sql`SELECT id, chat_id AS chatId, customer_id AS customerId, state, until FROM holds WHERE id = ${holdId ?? null}`,
    sql`SELECT id, chat_id AS chatId, state, document_id AS documentId, ${DEPOSITS} AS deposits, ${DEPOSIT_BUSINESS} AS depositBusiness
      FROM quotes WHERE id = ${quoteId ?? null}`,
    sql`SELECT id, name, email, user_id AS userId, request_hash AS requestHash FROM customers WHERE id = coalesce(${customerId ?? null},
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
    products: toSoldProducts(products),
    chat: chats[0] as unknown as ChatOfSale | undefined,
    hold: holds[0] as unknown as HoldOfSale | undefined,
    quote: quotes[0] && toQuoteOfSale(quotes[0]),
    customer: customers[0] as unknown as CustomerOfSale | undefined,
  };
}

/** Business that took the deposits of a quote; its first payment is one. */
export const DEPOSIT_BUSINESS = sql.raw(
  '(SELECT business_type FROM payments WHERE quote_id = quotes.id ORDER BY "row" LIMIT 1)',
);

/** Deposits of a quote that count towards no document yet, by mode, as JSON. */
export const DEPOSITS =
  sql.raw(`(SELECT json_group_array(json_object('mode', mode, 'amountCents', cents)) FROM (
  SELECT mode, sum(iif(document_id IS NULL, amount_cents, -amount_cents)) AS cents FROM payments
  WHERE quote_id = quotes.id GROUP BY mode HAVING cents <> 0))`);

function toQuoteOfSale(row: Record<string, unknown>): QuoteOfSale {
  const quote = row as unknown as Omit<QuoteOfSale, "deposits">;
  return { ...quote, deposits: JSON.parse(String(row.deposits)) as PaymentPart[] };
}

const SELECT_RULES = sql`SELECT business_type AS business, tax_number AS number, tax_name AS name, tax_rate AS rate,
  tax_included AS isIncluded FROM business_settings`;

/** Finds the tax rules of both businesses. */
export const findTaxRules = async (db: Db) =>
  rulesByBusiness(toRules(await db.all<Record<string, unknown>>(SELECT_RULES)));

/** Lists the tax rules of both businesses; none for one that has not registered. */
export const rulesByBusiness = (rules: Map<Business, TaxRules>) =>
  Object.fromEntries(BUSINESSES.map((business) => [business, rules.get(business) ?? NO_TAX])) as Record<
    Business,
    TaxRules
  >;

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

/** Takes ended holds of units out of `held`, so that the triggers compare with what is on hold now. */
export const settleHolds = (unitIds: string[]): SQL =>
  sql`UPDATE hold_lines SET counted = 0 WHERE counted = 1 AND until <= unixepoch() AND unit_id IN ${list(unitIds)}`;

/** Ends a hold by its sale. */
export function sellHold(holdId: string, documentId: string): SQL[] {
  return [
    sql`UPDATE hold_lines SET counted = 0 WHERE hold_id = ${holdId} AND counted = 1`,
    sql`UPDATE holds SET state = 'sold', document_id = ${documentId} WHERE id = ${holdId}`,
  ];
}

export const sellQuote = (quoteId: string, documentId: string): SQL =>
  sql`UPDATE quotes SET document_id = ${documentId} WHERE id = ${quoteId}`;

/** Change of one unit's stock by a document. */
export interface StockMove {
  unitId: string;
  /** Pieces, negative for a sale. */
  quantity: number;
  documentId: string;
}

/** Adds up the pieces of each unit, so that each has one stock movement. */
export function stockMoves(documents: NewDocument[]): StockMove[] {
  const pieces = documents.flatMap(({ id, lines }) => lines.map((line) => ({ ...line, documentId: id })));
  return [...Map.groupBy(pieces, ({ unitId, productId }) => unitId ?? productId)].flatMap(
    ([unitId, lines]) => {
      const quantity = -lines.reduce((sum, line) => sum + line.quantity, 0);
      return unitId === null || quantity === 0
        ? []
        : [{ unitId, quantity, documentId: lines[0]?.documentId ?? "" }];
    },
  );
}

/** Moves the stock of several units in one statement; triggers refuse what is not available. */
export function moveStock(moves: StockMove[], reason: "sale" | "return", actor: string, now: number): SQL[] {
  const byDocument = Map.groupBy(moves, ({ documentId }) => documentId);
  return [...byDocument].map(
    ([documentId, group]) => sql`UPDATE units SET stock = stock + v.quantity, updated_at = ${now},
      stock_change = ${stockChange({ reason, actor, documentId })}
      FROM (SELECT value ->> 'unitId' AS id, value ->> 'quantity' AS quantity
        FROM json_each(${JSON.stringify(group)})) AS v
      WHERE units.id = v.id`,
  );
}

/** Rolls a batch back that led the stock of a unit above the limit: invalid JSON raises an error. */
export const refuseStockAbove = (max: number, moves: StockMove[]): SQL =>
  sql`SELECT json(iif(EXISTS (SELECT 1 FROM units WHERE stock > ${max}
    AND id IN ${list(moves.map(({ unitId }) => unitId))}), 'stock above the limit', '1'))`;

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

/** Adds up the active holds of units, with the latest end. @param exceptHold that the sale itself ends */
export function findHeld(
  db: Db,
  unitIds: string[],
  exceptHold: string | undefined,
): Promise<{ unitId: string; quantity: number; until: number }[]> {
  return db.all(sql`SELECT unit_id AS unitId, sum(quantity) AS quantity, max(until) AS until FROM hold_lines
    WHERE counted = 1 AND until > unixepoch() AND unit_id IN ${list(unitIds)}
      AND hold_id <> ${exceptHold ?? ""} GROUP BY unit_id`);
}
