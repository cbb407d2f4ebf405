import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import type { Business } from "~/domain/enums";
import { findRankedProducts, type ProductSale } from "~/features/bookkeeping/products.queries.server";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { costOf } from "../support/cost";
import { addEntry } from "../support/ledger";
import { admin } from "../support/people";
import { credit, registerForTax, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token = "";
const products: string[] = [];
const day = (date: string) => ({ createdAt: date });

beforeAll(async () => {
  token = (await admin()).token;
  await registerForTax("EMPORIA");
  for (const name of ["Bowl", "Tray", "Board"])
    products.push(await addProduct({ name, priceCents: 1000, stock: 500 }));
  const line = (nth: number, quantity: number, amount: number) => ({
    productId: products[nth],
    quantity,
    amount,
  });
  await sold(token, { lines: [line(0, 9, 59.99), line(1, 2, 400)], ...day("2026-10-05") });
  const [second] = await sold(token, { lines: [line(2, 4, 40), line(1, 1, 200)], ...day("2026-11-04") });
  await credit(token, second?.id ?? "", { lines: [{ line: 2, quantity: 1 }] });
  await sold(token, {
    lines: [line(0, 1, 10), { ...line(0, 2, 30), businessType: "LASER" }],
    ...day("2023-05-31"),
  });
  const others = Array.from({ length: 12 }, async (_, i) => ({
    productId: await addProduct({ name: `Ring ${i + 1}`, priceCents: 1000, stock: 500 }),
    quantity: i + 1,
    amount: 100 - i,
  }));
  await sold(token, { lines: await Promise.all(others), ...day("2022-03-31") });
  await addEntry(
    "invoice",
    { description: "By hand", amount: 100, businessType: "EMPORIA", ...day("2026-10-31") },
    token,
  );
  await addEntry("expense", { amount: 19.5, ...day("2026-10-20") }, token);
});

const page = async (query = "") => {
  const answer = await call(`/admin/bookkeeping${query}`, { token });
  return { answer, html: (await answer.text()).replaceAll("<!-- -->", "") };
};
const csv = (query: string) => call(`/admin/bookkeeping-tax.csv${query}`, { token });

describe("days of one's own", () => {
  it("have the figures of those days, and a month those of its days", async () => {
    const october = (await page("?period=2026-10&business=EMPORIA")).html;
    const own = (await page("?period=days&from=2026-10-01&to=2026-10-31&business=EMPORIA")).html;
    for (const html of [october, own])
      expect(html).toContain("Turnover is $559.99 with tax and $507.07 without.");
    const some = (await page("?period=days&from=2026-10-06&to=2026-10-31")).html;
    expect(some).toContain("Turnover is $100.00 with tax and $100.00 without.");
    expect(some).toContain("2 entries of $119.50 state no tax:");
    expect(some).toContain("from=2026-10-06&amp;to=2026-10-31&amp;tax=without");
    expect((await page("?period=days&from=2026-10-05&to=2026-10-05")).html).toContain("$459.99 with tax");
    expect((await page("?from=2026-10-06&to=2026-10-31")).html).toContain("Turnover is $100.00 with tax");
    expect(await (await csv("?from=2026-10-06&to=2026-10-31")).text()).toContain(
      "100.00,100.00,100.00,19.50",
    );
    const file = await csv("?period=days&from=2026-10-06&to=2026-10-31");
    expect(file.headers.get("Content-Disposition")).toContain("tax-both-2026-10-06-to-2026-10-31");
    expect(await file.text()).toContain("100.00,100.00,100.00,19.50");
  });

  it.each([
    ["?period=days&from=2026-11-05&to=2026-11-04", "The last day is before the first"],
    ["?period=days&from=2026-02-30&to=2026-11-04", "There is no such day as 2026-02-30"],
    ["?period=days", "Choose a day"],
    ["?from=2026-11-05", "Choose a day"],
  ])("%s are refused in words; a file of them is not made", async (query, message) => {
    const { answer, html } = await page(query);
    expect(answer.status).toBe(200);
    expect(html).toContain(message);
    expect(html).toContain("No figures are shown.");
    expect(html).not.toContain("Turnover is");
    expect(html).not.toContain("bookkeeping.csv");
    expect((await csv(query)).status).toBe(400);
  });

  it.each(["", "?period=2026-10", "?period=days&from=2020-01-15&to=2026-11-20"])(
    "%s reads at most 250 rows",
    async (query) => {
      expect(costOf((await page(query)).answer).rowsRead).toBeLessThanOrEqual(250);
    },
  );
});

describe("best and weakest products", () => {
  const ranked = async (from: string, to: string, business: Business | null = null) => {
    const filter = { business, days: { from, to } };
    const { revenue, pieces } = await findRankedProducts(openDb(env.DB).db, filter);
    const names = (rows: ProductSale[]) =>
      rows.map(({ name, pieces: count, amountCents }) => `${name} ${count} ${amountCents}`);
    return { revenue: names(revenue.best), pieces: names(pieces.best), weakest: revenue.weakest };
  };
  const SOLD = {
    revenue: ["Tray 3 60000", "Bowl 9 5999", "Board 4 4000"],
    pieces: ["Bowl 9 5999", "Board 4 4000", "Tray 3 60000"],
    weakest: [],
  };
  /** A piece was credited today. */
  const CREDITED = {
    revenue: ["Tray 2 40000", "Bowl 9 5999", "Board 4 4000"],
    pieces: ["Bowl 9 5999", "Board 4 4000", "Tray 2 40000"],
    weakest: [],
  };

  it.each([
    ["two days that are ends of it", "2026-10-05", "2026-11-04", SOLD],
    ["two days and the month between them", "2026-09-30", "2026-11-04", SOLD],
    ["a month and days after it", "2026-10-01", "2026-11-04", SOLD],
    ["years and parts of others", "2024-11-15", "2098-02-15", CREDITED],
    ["whole years", "2024-01-01", "2099-12-31", CREDITED],
    ["months of two years", "2025-12-01", "2099-11-30", CREDITED],
  ])("of %s are ranked by revenue and by pieces, less what was credited", async (_, from, to, expected) => {
    expect(await ranked(from, to)).toEqual(expected);
    expect(await ranked(from, to, "EMPORIA")).toEqual(expected);
    expect((await ranked(from, to, "LASER")).revenue).toEqual([]);
  });

  it("are those of the days and the business alone", async () => {
    expect((await ranked("2026-10-01", "2026-10-31")).revenue).toEqual(["Tray 2 40000", "Bowl 9 5999"]);
    expect((await ranked("2026-10-06", "2026-11-04")).revenue).toEqual(["Tray 1 20000", "Board 4 4000"]);
    expect((await ranked("2026-10-06", "2026-11-03")).revenue).toEqual([]);
    expect((await ranked("2023-05-01", "2023-05-31")).revenue).toEqual(["Bowl 2 3000", "Bowl 1 1000"]);
    expect((await ranked("2023-05-20", "2023-06-02", "LASER")).revenue).toEqual(["Bowl 2 3000"]);
    for (const [name, query] of Object.entries(SALE_CHECKS))
      expect((await env.DB.prepare(query).all()).results, name).toEqual([]);
  });

  it("are five at most, none of them best and weakest", async () => {
    for (const [from, to] of [
      ["2022-03-01", "2022-03-31"],
      ["2022-03-31", "2022-04-02"],
    ] as const) {
      const { revenue, pieces, weakest } = await ranked(from, to);
      expect(revenue.map((row) => row.split(" ")[1])).toEqual(["1", "2", "3", "4", "5"]);
      expect(pieces.map((row) => row.split(" ")[1])).toEqual(["12", "11", "10", "9", "8"]);
      expect(weakest.map(({ name }) => name)).toEqual(["Ring 12", "Ring 11", "Ring 10", "Ring 9", "Ring 8"]);
    }
  });

  it("are on the page, with the business where it shows both, and a deleted one by its name", async () => {
    const { html } = await page("?period=days&from=2023-05-30&to=2023-05-31");
    expect(html).toMatch(
      /Best by revenue.*Bowl<\/a><small>Laser Craft<.*>2<.*\$30\.00.*Bowl<\/a><small>Emporia</s,
    );
    expect((await page("?period=2023-05&business=LASER")).html).not.toContain("<small>Laser Craft<");
    expect((await page("?period=2021-01")).html).toContain("No product was sold with a document");
    const id = await addProduct({ name: "Vase", priceCents: 1000, stock: 5 });
    await sold(token, { lines: [{ productId: id, quantity: 5, amount: 7 }], ...day("2021-02-03") });
    await call(`/api/product/${id}`, { method: "DELETE", token });
    expect((await page("?period=2021-02")).html).toContain("Vase (deleted)");
  });
});

describe("documents and lines", () => {
  const numbers = async (q: string) => {
    const answer = await call(`/admin/documents?q=${encodeURIComponent(q)}`, { token });
    return { answer, found: [...new Set((await answer.text()).match(/E-2026-\d{6}/g))].sort() };
  };

  it("are found by the amount of a line as by the total", async () => {
    const [total, lineOnly] = [await numbers("459.99"), await numbers("59.99")];
    expect(total.found).toEqual(lineOnly.found);
    expect(total.found).toHaveLength(1);
    expect((await numbers("$59.98")).found).toEqual([]);
    expect(costOf(lineOnly.answer).rowsRead).toBeLessThanOrEqual(250);
    const lines = await call("/admin/invoices-management?q=59.99", { token });
    expect(await lines.text()).toContain("1 result");
  });
});

it("Add Invoice says that it moves neither stock nor tax", async () => {
  const html = await (await call("/admin/invoices-management?dialog=new", { token })).text();
  expect(html).toContain("it moves neither stock nor tax, its cash is not in the drawer");
});
