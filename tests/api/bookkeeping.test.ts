import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { dollars } from "~/domain/money";
import { loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { credit, registerForTax, type SaleAnswer, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;

beforeAll(async () => {
  const staff = await manager();
  token = staff.token;
  await registerForTax("EMPORIA");
  const lampId = await addProduct({ name: "Lamp", stock: 9, category: "HOME_DECOR" });
  const ringId = await addProduct({ name: "Ring", stock: 9, category: "ENGRAVING" });
  const [document] = (await sold(token, {
    paymentMode: "CASH",
    customerName: "Zoë",
    lines: [
      { productId: lampId, quantity: 3, amount: "100.01" },
      { productId: ringId, quantity: 1, amount: "20.02" },
    ],
  })) as [SaleAnswer];
  await credit(token, document.id, { lines: [{ line: 1, quantity: 1 }] });
  await call("/api/invoice", { token, json: { amount: 40, businessType: "LASER" } });
  for (const [businessType, amount, taxAmount] of [
    ["EMPORIA", 11.3, 1.3],
    ["LASER", 7.5, undefined],
  ])
    await call("/api/expense", {
      token,
      json: { description: "Boxes", expenseType: "PURCHASE", businessType, amount, taxAmount },
    });
});

type Row = Record<string, string>;
async function file(path: string): Promise<{ rows: Row[]; name: string | null }> {
  const answer = await call(path, { token });
  const { data } = Papa.parse<Row>(await answer.text(), {
    header: true,
    skipEmptyLines: true,
  });
  return { rows: data, name: answer.headers.get("Content-Disposition") };
}
/** Adds up a column in cents; formula guards are not part of a number. */
const sum = (rows: Row[], column: string) =>
  rows.reduce((all, row) => all + Math.round(Number(row[column]?.replace(/^'/, "")) * 100), 0);

describe("accountant's file", () => {
  it("has one row per line, and its columns add up to profit and net tax of the screen", async () => {
    const { rows, name } = await file("/admin/bookkeeping.csv?period=this-year");
    expect(name).toMatch(/accounts-both-20\d\d\.csv/);
    // Paid in cash: rounded to 5 cents for each business.
    const [lamps, ring, creditNote, invoice, expenses] = [10_000, 2000, 3333, 4000, 1130 + 750];
    const profit = lamps + ring - creditNote + invoice - expenses;
    expect(rows.find((row) => row.Item === "Cash rounding" && row.Business === "Emporia")).toMatchObject({
      Gross: "-0.01",
      "Tax code": "",
      "Tax rate %": "",
    });
    // A line and a rounding of each business, the credit note, the invoice and two expenses.
    expect(rows).toHaveLength(2 * 2 + 1 + 1 + 2);
    expect(sum(rows, "Gross")).toBe(profit);
    for (const row of rows) expect(sum([row], "Net") + sum([row], "Tax")).toBe(sum([row], "Gross"));
    const text = await (
      await call("/admin/bookkeeping?period=this-year", { token, headers: { Accept: "text/html" } })
    ).text();
    expect(text).toContain(`$${(profit / 100).toFixed(2)}`);
  });

  it("names document, original, tax and unit price", async () => {
    const { rows } = await file("/admin/bookkeeping.csv?business=EMPORIA");
    const sale = rows.find(({ Type, Item }) => Type === "Sale" && Item === "Lamp");
    const back = rows.find(({ Type }) => Type === "Credit note");
    expect(sale).toMatchObject({
      Quantity: "3",
      Customer: "Zoë",
      "Tax code": "HST",
      "Tax rate %": "13.00",
      Payment: "Cash",
    });
    expect(back).toMatchObject({
      "Original document": sale?.Document,
      "Unit price": "33.33",
      Quantity: "-1",
    });
    expect(rows.every(({ Business }) => Business === "Emporia")).toBe(true);
  });

  it("summarises tax collected, paid and net", async () => {
    const { rows, name } = await file("/admin/bookkeeping-tax.csv?period=this-quarter");
    expect(name).toMatch(/tax-both-20\d\d-q[1-4]\.csv/);
    const [emporia, laser] = rows;
    const { rows: lines } = await file("/admin/bookkeeping.csv?business=EMPORIA&period=this-quarter");
    expect(sum([emporia as Row], "Net tax")).toBe(sum(lines, "Tax"));
    expect(laser).toMatchObject({ "Tax collected": "0.00", "Net tax": "0.00" });
  });

  it("names the entries that the tax leaves out, and leads to them", async () => {
    const { rows } = await file("/admin/bookkeeping.csv");
    // The rounding of a document that states its tax is no entry without one.
    const isStated = ({ Item, Business }: Row) => Item === "Cash rounding" && Business === "Emporia";
    const isUntaxed = (row: Row) => row.Tax === "0.00" && !isStated(row);
    expect(rows.some(isStated)).toBe(true);
    const untaxed = (isExpense: boolean) =>
      rows.filter((row) => isUntaxed(row) && (row.Type === "Expense") === isExpense);
    const [sales, expenses] = [untaxed(false), untaxed(true)];
    const counts = [sales.length, expenses.length].filter((count) => count > 0);
    expect(counts.length).toBeGreaterThan(0);
    const taxed = rows.length - sales.length - expenses.length;
    const html = await (await call("/admin/bookkeeping", { token })).text();
    const text = html.replaceAll("<!-- -->", "");
    expect(text).toContain(`The tax is that of ${taxed} of ${rows.length} entries.`);
    const left = sales.length + expenses.length;
    const amount = dollars(sum(sales, "Gross") - sum(expenses, "Gross"));
    expect(text).toContain(
      `${left === 1 ? "1 entry" : `${left} entries`} of ${amount} state${left === 1 ? "s" : ""} no tax:`,
    );
    const links = [...text.matchAll(/href="([^"]*tax=without)"[^>]*>(\d+) /g)].map(
      ([, href = "", count]) => ({
        href: href.replaceAll("&amp;", "&"),
        count: Number(count),
      }),
    );
    expect(links.map(({ count }) => count)).toEqual(counts);
    for (const { href, count } of links) {
      const list = await (await call(`${href}&size=100`, { token })).text();
      expect(list.replaceAll("<!-- -->", "")).toContain(count === 1 ? "1 result" : `All ${count} results`);
    }
    const dashboard = await (await call("/admin", { token })).text();
    expect(dashboard.replaceAll("<!-- -->", "")).toMatch(
      new RegExp(`href="/admin/bookkeeping"[^>]*>of ${taxed} of ${rows.length}<span[^>]*> entries<`),
    );
    const summary = await file("/admin/bookkeeping-tax.csv");
    const counted = (column: string) => sum(summary.rows, column) / 100;
    expect(["Entries", "Sales without tax", "Expenses without tax"].map(counted)).toEqual([
      rows.length,
      sales.length,
      expenses.length,
    ]);
  });

  it.each(["bookkeeping", "bookkeeping-tax"])(
    "%s.csv rejects an unknown business or period",
    async (name) => {
      for (const query of ["business=X", "period=never", "business=LASER&period=2026"])
        expect((await call(`/admin/${name}.csv?${query}`, { token })).status, query).toBe(400);
      expect((await call(`/admin/${name}.csv?business=&period=`, { token })).status).toBe(200);
    },
  );

  it("redirects signed-out callers to /login and customers to /unauthorized", async () => {
    const locationOf = async (by: { token?: string }) =>
      (await call("/admin/bookkeeping.csv", by)).headers.get("Location");
    expect(await locationOf({})).toBe("/login?redirectTo=%2Fadmin%2Fbookkeeping.csv");
    expect(await locationOf({ token: (await person()).token })).toBe("/unauthorized");
  });
});

interface Sums {
  amountCents: number;
  taxCents: number | null;
}

describe("figures of the screen", () => {
  it("each leads to the entries that it adds up", async () => {
    const html = await (await call("/admin/bookkeeping?period=this-year", { token })).text();
    const links = [...html.matchAll(/<td class="num"><a[^>]* href="([^"]+)"[^>]*>(-?)\$([\d,.]+)<\/a>/g)];
    expect(links).toHaveLength(2 * 3 * 2);
    for (const [, href = "", sign = "", dollars = ""] of links) {
      const { sums } = await loaderData<{ sums: Sums }>(href.replaceAll("&amp;", "&"), { token });
      const isTax = /\/documents|tax=with/.test(href);
      const cents = Math.round(Number(`${sign}${dollars.replaceAll(",", "")}`) * 100);
      expect(isTax ? sums.taxCents : sums.amountCents, href).toBe(cents);
    }
  });
});

describe("expenses with tax", () => {
  it("are listed, searched and exported", async () => {
    const path = "/admin/expenses-management?tax=with&businessType=EMPORIA";
    const html = await (await call(path, { token })).text();
    expect(html.replaceAll(/<[^>]*>/g, "")).toContain("1 result · $1.30 tax");
    const found = await (await call(`${path}&q=boxes`, { token })).text();
    expect(found.replaceAll(/<[^>]*>/g, "")).toContain("1 result · $1.30 tax");
    const csv = await (await call("/admin/expenses-management.csv?tax=with", { token })).text();
    expect(csv.trim().split("\n")).toHaveLength(2);
  });
});

describe("an expense's tax", () => {
  it("is at most its amount", async () => {
    const json = {
      description: "Boxes",
      expenseType: "PURCHASE",
      businessType: "EMPORIA",
      amount: 5,
      taxAmount: 6,
    };
    const answer = await call("/api/expense", { token, json });
    expect(await answer.json()).toMatchObject({ details: [{ path: "taxAmount" }] });
  });

  it("is at most the stored amount when an edit sends one of the two", async () => {
    const json = { description: "Boxes", expenseType: "PURCHASE", businessType: "EMPORIA", amount: 50 };
    const added = await call("/api/expense", { token, json: { ...json, taxAmount: 5 } });
    const { id } = (await added.json()) as { id: string };
    const put = async (changes: object) => {
      const answer = await call(`/api/expense/${id}`, { method: "PUT", token, json: changes });
      const { details, amount, taxAmount } = (await answer.json()) as Record<string, unknown>;
      return [answer.status, details ?? { amount, taxAmount }];
    };
    const above = [{ path: "taxAmount", message: "The tax can't be more than the amount" }];
    expect(await put({ taxAmount: 50.01 })).toEqual([400, above]);
    expect(await put({ taxAmount: 50.01, version: 1 })).toEqual([400, above]);
    const below = [{ path: "amount", message: "Must be at least the tax, $5.00" }];
    expect(await put({ amount: 4.99 })).toEqual([400, below]);
    expect(await put({ amount: 4, taxAmount: 5 })).toEqual([400, above]);
    expect(await put({ description: "Boxes" })).toEqual([200, { amount: 50, taxAmount: 5 }]);
    expect(await put({ amount: 5 })).toEqual([200, { amount: 5, taxAmount: 5 }]);
    expect(await put({ amount: 4, taxAmount: 0 })).toEqual([200, { amount: 4, taxAmount: undefined }]);
  });

  it("fits when two edits come at the same time", async () => {
    const json = { description: "Boxes", expenseType: "PURCHASE", businessType: "EMPORIA", amount: 50 };
    const { id } = (await (await call("/api/expense", { token, json })).json()) as { id: string };
    const put = (changes: object) => call(`/api/expense/${id}`, { method: "PUT", token, json: changes });
    const answers = await Promise.all([put({ taxAmount: 40 }), put({ amount: 30 })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});
