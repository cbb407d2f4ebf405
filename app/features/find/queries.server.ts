import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { type TextSearch, textSearch } from "~/db/search";
import { AVAILABLE } from "~/db/stock";
import { searchKey, wordsOf } from "~/db/text";
import type { Business, ExpenseType } from "~/domain/enums";
import { searchedCents } from "~/domain/typed-amount";
import { PRICE } from "~/features/catalogue/queries.server";

/** Latest matches of each index that are read; it bounds the rows. */
const MAX_MATCHES = 8;

const joined = (parts: SQL[]) => sql.join(parts, sql` UNION `);

/** Selects the latest matches of a full-text index as "row". */
const latest = (table: string, match: string): SQL => {
  const index = sql.raw(table);
  return sql`SELECT "row" FROM (SELECT rowid AS "row" FROM ${index} WHERE ${index} MATCH ${match}
    ORDER BY rowid DESC LIMIT ${MAX_MATCHES})`;
};

const inText = (kind: string, { index, match }: TextSearch): SQL => latest(`${kind}_${index}`, match);

/** Selects the latest rows of each amount that a text stands for; the index has them in the order of `order`. */
const ofAmount = (
  q: string,
  { table, column, index, order }: Record<"table" | "column" | "index" | "order", string>,
) =>
  (searchedCents(searchKey(q)) ?? []).map(
    (cents) => sql`SELECT "row" FROM (SELECT "row" FROM ${sql.raw(`${table} INDEXED BY ${index}`)}
      WHERE ${sql.raw(column)} = ${cents} ORDER BY ${sql.raw(order)} LIMIT ${MAX_MATCHES})`,
  );

export interface FoundDocument {
  id: string;
  number: string;
  customerName: string;
  totalCents: number;
  day: string;
  /** First lines. */
  items: string | null;
}

/** Finds documents by number, customer, lines and amount, the latest first. */
export const findDocuments = (db: Db, q: string, limit: number): Promise<FoundDocument[]> =>
  db.all(sql`SELECT d.id, d.number, d.customer_name AS customerName, d.total_cents AS totalCents, d.day,
      (SELECT group_concat(abs(named.quantity) || ' × ' || named.description, ', ') FROM (
        SELECT quantity, description FROM document_lines WHERE document_id = d.id ORDER BY line LIMIT 2) AS named) AS items
    FROM (${joined([
      inText("document", textSearch(q)),
      ...ofAmount(q, {
        ...{ table: "documents", column: "total_cents", index: "documents_total", order: '"row" DESC' },
      }),
    ])} ORDER BY "row" DESC LIMIT ${limit}) AS found CROSS JOIN documents AS d ON d."row" = found."row"`);

export interface FoundExpense {
  id: string;
  description: string;
  businessType: Business;
  expenseType: ExpenseType;
  amountCents: number;
  day: string;
}

/** Finds expenses by description and amount, the latest entries first. */
export const findExpenses = (db: Db, q: string, limit: number): Promise<FoundExpense[]> =>
  db.all(sql`SELECT e.id, e.description, e.business_type AS businessType, e.expense_type AS expenseType, e.amount_cents AS amountCents, e.day
    FROM (${joined([
      inText("expense", textSearch(q)),
      ...ofAmount(q, {
        ...{ table: "expenses", column: "amount_cents", index: "expenses_amount" },
        order: 'created_at DESC, "row" DESC',
      }),
    ])} ORDER BY "row" DESC LIMIT ${limit}) AS found CROSS JOIN expenses AS e ON e."row" = found."row"`);

export interface FoundProduct {
  id: string;
  name: string;
  priceCents: number;
  available: number;
  isHidden: number;
  image: string;
  sku: string;
}

/** Characters from which names are found by any part of them. */
const MIN_PART = 3;

/** Finds products whose names have all words of a text, also hidden ones, the latest first. */
export function findNamed(db: Db, q: string, limit: number): Promise<FoundProduct[]> {
  // Letters and digits alone.
  const words = wordsOf(searchKey(q));
  if (words.length === 0) return Promise.resolve([]);
  const isLong = words.every((word) => [...word].length >= MIN_PART);
  const begins = `{name} : (${words.map((word) => `"${word}"*`).join(" AND ")})`;
  const parts = words.map((word) => `"${word}"`).join(" AND ");
  const found = isLong
    ? latest("product_names", `(${textSearch(q).match}) OR (${parts})`)
    : joined([latest("product_search", begins), latest("hidden_search", begins)]);
  return db.all(sql`SELECT products.id, products.name, ${PRICE} AS priceCents, ${AVAILABLE} AS available,
      products.is_hidden AS isHidden, coalesce(products.image_urls ->> 0, '') AS image,
      coalesce((SELECT sku FROM units WHERE product_id = products.id ORDER BY position LIMIT 1), '') AS sku
    FROM (${found} ORDER BY "row" DESC LIMIT ${limit}) AS found CROSS JOIN products ON products."row" = found."row"`);
}
