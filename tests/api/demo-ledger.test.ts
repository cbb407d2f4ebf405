import { env } from "cloudflare:workers";
import { getUnixTime, subYears } from "date-fns";
import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { CATEGORIES } from "~/domain/categories";
import { expenseTotals, saleTotals } from "~/features/ledger/operations/figures.server";
import { checkLedger } from "~/features/ledger/operations/maintenance.server";
import { seedBills } from "../../scripts/seed/bills";
import { seedLedger } from "../../scripts/seed/ledger";
import { billOf } from "../support/expense-files";
import { addEntry, ledgerContext } from "../support/ledger";
import { loaderData } from "../support/loader-data";
import { manager } from "../support/people";
import { registerForTax, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

/** 2026-11-21, 6:30 in Toronto: before the shop opens. */
const NOW = Date.parse("2026-11-21T11:30:00Z") / 1000;

const rows = async (table: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY "row"`).all<Record<string, unknown>>()).results;
const count = (table: string, where = "1") =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).first<number>("n");

describe("demo ledger", () => {
  beforeAll(async () => {
    for (const category of CATEGORIES)
      for (const name of ["One", "Two, with more words"])
        await addProduct({
          name: `${category} ${name}`,
          category,
          priceCents: 2500,
          colors: ["Red", "Blue"],
        });
    await seedLedger(env as Env, NOW);
    await registerForTax("EMPORIA");
  });

  it("holds 24 months with 600 or more invoices and 200 or more expenses of both businesses", async () => {
    expect(await count("invoices")).toBeGreaterThanOrEqual(600);
    expect(await count("expenses")).toBeGreaterThanOrEqual(200);
    for (const business of ["EMPORIA", "LASER"])
      for (const table of ["invoices", "expenses"])
        expect(await count(table, `business_type = '${business}'`)).toBeGreaterThan(50);
    for (const table of ["sale_months", "expense_months"])
      expect(await count(table, "entries > 0 AND month BETWEEN '2024-12' AND '2026-11'")).toBe(24);
    for (const table of ["invoices", "expenses"])
      expect(await count(table, `created_at > ${NOW} OR day > '2026-11-21' OR amount_cents <= 0`)).toBe(0);
  });

  it("has sales today, yesterday, this month and last month, and every category", async () => {
    const sales = await saleTotals(ledgerContext(NOW));
    expect(Object.values(sales).every((amount) => amount > 0)).toBe(true);
    const { emporia, laser } = await expenseTotals(ledgerContext(NOW));
    expect(Object.values(emporia).every((amount) => amount > 0)).toBe(true);
    expect(laser.totalAmount).toBeGreaterThan(0);
  });

  it("agrees with its sums and is the same for the same day", async () => {
    await checkLedger(env as Env);
    const before = await Promise.all([rows("invoices"), rows("expenses")]);
    await env.DB.batch([env.DB.prepare("DELETE FROM invoices"), env.DB.prepare("DELETE FROM expenses")]);
    await env.DB.exec("DELETE FROM sqlite_sequence");
    await seedLedger(env as Env, NOW);
    expect(await Promise.all([rows("invoices"), rows("expenses")])).toEqual(before);
  });

  it("has suppliers and payment modes, and bills of its latest expenses", async () => {
    const named = "supplier <> '' AND payment_mode <> ''";
    for (const business of ["EMPORIA", "LASER"])
      expect(await count("expenses", `${named} AND business_type = '${business}'`)).toBeGreaterThan(50);
    await seedBills(env as Env);
    const { token } = await manager();
    const files = await rows("expense_files");
    expect(files.map(({ content_type: type }) => type)).toEqual([
      "application/pdf",
      "image/jpeg",
      "application/pdf",
    ]);
    for (const { key, size } of files) {
      const bytes = await (await billOf(String(key), { token })).arrayBuffer();
      expect(bytes.byteLength).toBe(size);
      expect(size).toBeLessThan(20_000);
    }
  });

  it.each(["last-year", "this-year", "all"])(
    "the exported files of %s alone give tax, net and profit of both businesses as the screens show them",
    async (period) => {
      const { token } = await manager();
      await sold(token, {
        lines: [{ description: "Lamp", quantity: 1, amount: 113, businessType: "EMPORIA" }],
      });
      await addEntriesOf([0, 1], token);
      const screen = await figuresOf(`/admin/bookkeeping?period=${period}`, token);
      const dashboard = await figuresOf(`/admin?period=${period}`, token);
      for (const business of ["EMPORIA", "LASER"]) {
        const rows = await exported(`/admin/bookkeeping.csv?period=${period}&business=${business}`, token);
        const sales = rows.filter(({ Type }) => Type !== "Expense");
        const expenses = rows.filter(({ Type }) => Type === "Expense");
        const figures = {
          business,
          sales: sum(sales, "Gross"),
          expenses: 0 - sum(expenses, "Gross"),
          taxCollected: sum(sales, "Tax"),
          taxPaid: 0 - sum(expenses, "Tax"),
        };
        expect(figures.sales).toBeGreaterThan(0);
        if (business === "EMPORIA") expect(figures.taxPaid).toBeGreaterThan(0);
        expect(sum(rows, "Net") + sum(rows, "Tax")).toBe(figures.sales - figures.expenses);
        expect(screen.figures).toContainEqual(expect.objectContaining(figures));
        expect(dashboard.profit).toContainEqual(expect.objectContaining(figures));
        const [tax] = await exported(
          `/admin/bookkeeping-tax.csv?period=${period}&business=${business}`,
          token,
        );
        expect(sum([tax ?? {}], "Net tax")).toBe(figures.taxCollected - figures.taxPaid);
      }
    },
  );
});

/** Adds a sale and an expense of each business in years before this one, which the demo may not reach. */
async function addEntriesOf(yearsAgo: number[], token: string): Promise<void> {
  for (const years of yearsAgo)
    for (const businessType of ["EMPORIA", "LASER"]) {
      const createdAt = { seconds: getUnixTime(subYears(Date.now(), years)) };
      await addEntry("invoice", { businessType, createdAt }, token);
      await addEntry("expense", { businessType, amount: 22.6, taxAmount: 2.6, createdAt }, token);
    }
}

type Row = Record<string, string>;

async function exported(path: string, token: string): Promise<Row[]> {
  const text = await (await call(path, { token })).text();
  return Papa.parse<Row>(text.replace(/^\uFEFF/, ""), { header: true, skipEmptyLines: true }).data;
}

/** Adds up a column in cents; formula guards are not part of a number. */
const sum = (rows: Row[], column: string) =>
  rows.reduce((all, row) => all + Math.round(Number(row[column]?.replace(/^'/, "")) * 100), 0);

const figuresOf = (path: string, token: string) =>
  loaderData<{ figures?: unknown[]; profit?: unknown[] }>(path, { token });
