// Rows read by first views at 100,000 and at 1,000,000 invoices, with 10,000 and 100,000 documents, 1,000 and 10,000 holds.
import { DEMO_SIGN_INS } from "../scripts/local-shop.mjs";
import { ledgerShop } from "./shops.mjs";

const SIZES = [100_000, 1_000_000];
const MAX_ROWS = 250;
const MAX_TRIPS = 3;
/** Kinds of sale (business, category, payment mode) that may be missing on the two days of a view in the smaller ledger. */
const CHANCE = 2 * 54;
const INVOICE_SORTS = [
  "description",
  "businessType",
  "quantity",
  "paymentMode",
  "amount",
  "createdAt",
  "category",
];
const EXPENSE_SORTS = ["expenseType", "description", "businessType", "amount", "createdAt"];

const sorted = (path, sorts) =>
  sorts.flatMap((sort) =>
    ["asc", "desc"].map((dir) => `${path}${path.includes("?") ? "&" : "?"}sort=${sort}&dir=${dir}`),
  );
/** First views by name; of several URLs the most expensive one counts. */
const VIEWS = {
  "invoices, any sort": sorted("/admin/invoices-management", INVOICE_SORTS),
  "expenses, any sort": sorted("/admin/expenses-management", EXPENSE_SORTS),
  "invoice/all?limit=10, any sort": sorted("/api/invoice/all?limit=10", INVOICE_SORTS),
  "expense/all?limit=10, any sort": sorted("/api/expense/all?limit=10", EXPENSE_SORTS),
  documents: [
    "/admin/documents",
    "/admin/documents?sort=createdAt&dir=asc",
    "/admin/documents?business=LASER",
  ],
  "a document": ["/admin/documents/document-4711"],
  customers: ["/admin/customers", "/admin/customers?sort=name&dir=asc"],
  "a customer": ["/admin/customers/customer-4711"],
  "stock movements": ["/admin/inventory-management?movements=moved", "/api/product/moved/movements?limit=20"],
  "sale?limit=10": ["/api/sale?limit=10"],
  bookkeeping: ["/admin/bookkeeping", "/admin/bookkeeping?period=last-year"],
  "shop pages with holds": ["/", "/shop", "/shop?sort=price-asc"],
  dashboard: ["/admin"],
  graphs: ["/admin/graphs"],
  "sale/all": ["/api/sale/all"],
};

/** Rows read and round trips of the back office's first views. */
export async function ledger() {
  const [smaller, larger] = [await costs(SIZES[0]), await costs(SIZES[1])];
  return Object.keys(VIEWS).map((view) => {
    const [few, many] = [smaller[view], larger[view]];
    return {
      what: `rows read · round trips of ${view}, ${SIZES.map((size) => size.toLocaleString("en")).join(" and ")} invoices`,
      ours: `${few.rows} and ${many.rows} · ${many.trips}`,
      budget: `≤ ${MAX_ROWS}, the same · ≤ ${MAX_TRIPS}`,
      pass: many.rows <= MAX_ROWS && many.rows <= few.rows + CHANCE && many.trips <= MAX_TRIPS,
    };
  });
}

/** @returns {Promise<Record<string, { rows: number, trips: number }>>} the most expensive URL of each view */
async function costs(invoices) {
  const shop = await ledgerShop(invoices);
  try {
    const headers = { Authorization: `Bearer ${await signIn(shop.url)}` };
    const found = {};
    for (const [view, paths] of Object.entries(VIEWS)) {
      const read = [];
      for (const path of paths) read.push(await costOf(await fetch(shop.url + path, { headers })));
      found[view] = {
        rows: Math.max(...read.map(({ rows }) => rows)),
        trips: Math.max(...read.map(({ trips }) => trips)),
      };
    }
    return found;
  } finally {
    await shop.stop();
  }
}

/** Signs in as a manager. @returns {Promise<string>} the bearer token */
export async function signIn(url) {
  const { email, password } = DEMO_SIGN_INS.find(({ role }) => role === "manager");
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({ email, password }),
  });
  return (await answer.json()).token;
}

/** Reads what an answer has cost. @throws for another status than 200 */
export async function costOf(answer) {
  if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}`);
  await answer.arrayBuffer();
  const [, trips, rows] =
    /(\d+) round trips, \d+ queries, (\d+) rows/.exec(answer.headers.get("Server-Timing") ?? "") ?? [];
  return { rows: Number(rows), trips: Number(trips) };
}
