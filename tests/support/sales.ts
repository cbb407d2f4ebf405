import { env } from "cloudflare:workers";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { press } from "./forms";
import { call, insert } from "./shop";

/** Document in an API response. */
export interface SaleAnswer {
  id: string;
  kind: string;
  number: string;
  businessType: string;
  customerId: string | null;
  customerName: string;
  chatId: string | null;
  source: string;
  paymentMode: string;
  payments: { mode: string; amount: number; quoteId: string | null }[];
  lines: {
    line: number;
    invoiceId: string;
    productId: string | null;
    description: string;
    quantity: number;
    amount: number;
    taxAmount: number;
    discount: number;
    reason: string;
    returned: number;
    credited: number;
  }[];
  taxName: string;
  taxAmount: number;
  rounding: number;
  total: number;
  discount: number;
  originalId: string | null;
  originalNumber: string | null;
  createdAt: { seconds: number };
}

export interface Refusal {
  message: string;
  details?: { path: string; message: string }[];
}

/** Reads an answer as JSON of a known shape. */
export const json = async <T>(answer: Response | Promise<Response>) => (await (await answer).json()) as T;

/** Payment by card, unless the request states payments. */
const byCard = (input: Record<string, unknown>) => ("payments" in input ? {} : { paymentMode: "CARD" });

export const sell = (token: string, sale: Record<string, unknown>) =>
  call("/api/sale", { token, json: { ...byCard(sale), ...sale } });

/** Records a sale and returns its documents. */
export async function sold(token: string, sale: Record<string, unknown>): Promise<SaleAnswer[]> {
  const answer = await sell(token, sale);
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await json<{ documents: SaleAnswer[] }>(answer)).documents;
}

export const credit = (token: string, saleId: string, input: Record<string, unknown> = {}) =>
  call(`/api/sale/${saleId}/credit`, { token, json: { ...byCard(input), ...input } });

export const hold = (token: string, input: Record<string, unknown>) =>
  call("/api/hold", { token, json: input });

/** Registers a business for a tax of 13 %. */
export async function registerForTax(business: string, isIncluded = true): Promise<void> {
  const rules = { tax_number: "12345 6789 RT0001", tax_name: "HST", tax_rate: 1300, version: 1 };
  await insert("business_settings", [
    { business_type: business, ...rules, tax_included: Number(isIncluded) },
  ]);
}

/** Reads the stock of a product, its pieces in holds and the sum of its movements. */
export async function stockOf(productId: string) {
  const row = await env.DB.prepare(
    `SELECT stock, held, (SELECT coalesce(sum(quantity), 0) FROM stock_movements WHERE product_id = products.id) AS moved
     FROM products WHERE id = ?`,
  )
    .bind(productId)
    .first<{ stock: number; held: number; moved: number }>();
  return row ?? { stock: 0, held: 0, moved: 0 };
}

/** Reads a number, such as a sum. */
export const numberFrom = async (query: string, ...values: unknown[]): Promise<number> =>
  Number(
    await env.DB.prepare(query)
      .bind(...values)
      .first<number>("n"),
  );

/** Sends a quote for coasters by the page's form. */
export async function sendQuote(token: string, chatId: string, title = "Slate coasters"): Promise<Response> {
  const page = await (await call(`/admin/sales/quote?chat=${chatId}`, { token })).text();
  const fields = {
    title,
    "lines[0].description": "Coaster",
    "lines[0].material": "Slate",
    "lines[0].quantity": "4",
    "lines[0].price": "9.00",
    readyBy: "2099-01-31",
    note: "With felt\r\nand a box",
  };
  return press(page, /^Send quote/, fields, { token });
}

/** Ledger rows of a document: mode, pieces, amount and tax in cents. */
export async function ledgerOf(id: string): Promise<unknown[][]> {
  const { results } = await env.DB.prepare(
    `SELECT payment_mode, quantity, amount_cents, tax_cents FROM invoices WHERE document_id = ? ORDER BY "row"`,
  )
    .bind(id)
    .all<Record<string, unknown>>();
  return results.map((row) => Object.values(row));
}

/** Finds what breaks an invariant of sales. */
export async function violations(): Promise<unknown[]> {
  const results = await env.DB.batch(Object.values(SALE_CHECKS).map((check) => env.DB.prepare(check)));
  return results.flatMap(({ results: rows }) => rows);
}
