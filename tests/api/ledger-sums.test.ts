import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CATEGORIES } from "~/features/catalogue/categories";
import { dayAfter, localDay } from "~/features/ledger/days";
import { EXPENSE_TYPES } from "~/features/ledger/enums";
import { parseExpenseListParams, parseInvoiceListParams } from "~/features/ledger/list-params";
import {
  checkLedger,
  expenseMonths,
  expensesPage,
  expenseTotals,
  invoicesPage,
  saleCategories,
  saleMonths,
  saleTotals,
  sweepDeleted,
} from "~/features/ledger/operations.server";
import { ledgerContext } from "../support/ledger";
import { applyRandomActions, type ExpectedLedger, type Kind } from "../support/random-ledger";

const TORONTO = "America/Toronto";
/** 2026-11-02T02:30Z: Sunday evening in Toronto, an hour after a day of 25 hours would seem over in UTC. */
const NOW = Date.parse("2026-11-02T02:30:00Z") / 1000;
const ACTS = 1_000;

const context = () => ledgerContext(NOW);
let books: ExpectedLedger;

beforeAll(async () => {
  books = await applyRandomActions(context, ACTS);
}, 120_000);

const all = (kind: Kind) => [...books[kind].values()].map(({ fields }) => fields);
const cents = (of: { amount: number }[]) => of.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
/** The day by another way than the shop's own. */
const dayOf = (at: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: TORONTO }).format(new Date(at * 1000));

describe(`after ${ACTS} random adds, edits, deletes and undos`, () => {
  it("there is something to add up", () => {
    expect(books.invoice.size).toBeGreaterThan(150);
    expect(books.expense.size).toBeGreaterThan(100);
    expect(localDay(NOW, TORONTO)).toBe("2026-11-01");
  });

  it("the sales' totals are those of the rows", async () => {
    const totals = await saleTotals(context());
    const sales = all("invoice");
    const of = (test: (sale: Record<string, unknown> & { at: number }) => boolean) =>
      cents(sales.filter(test));
    const paid = (mode: string, isEngraving: boolean) =>
      of((sale) => sale.paymentMode === mode && (sale.category === "ENGRAVING") === isEngraving);
    expect(totals).toEqual({
      totalAmount: cents(sales),
      cashAmount: of(({ paymentMode }) => paymentMode === "CASH"),
      emtAmount: of(({ paymentMode }) => paymentMode === "EMT"),
      cardAmount: of(({ paymentMode }) => paymentMode === "CARD"),
      todayAmount: of(({ at }) => dayOf(at) === "2026-11-01"),
      yesterdayAmount: of(({ at }) => dayOf(at) === "2026-10-31"),
      currentMonthAmount: of(({ at }) => dayOf(at).startsWith("2026-11")),
      lastMonthAmount: of(({ at }) => dayOf(at).startsWith("2026-10")),
      engravingCardAmount: paid("CARD", true),
      engravingCashAmount: paid("CASH", true),
      engravingEmtAmount: paid("EMT", true),
      nonEngravingCardAmount: paid("CARD", false),
      nonEngravingCashAmount: paid("CASH", false),
      nonEngravingEmtAmount: paid("EMT", false),
    });
    expect(totals.todayAmount).toBeGreaterThan(0);
    expect(totals.lastMonthAmount).toBeGreaterThan(0);
  });

  it.each([2025, 2026, 2027])("so are the months of %i", async (year) => {
    const months = (kind: Kind) =>
      Array.from({ length: 12 }, (_, i) => {
        const prefix = `${year}-${String(i + 1).padStart(2, "0")}`;
        const own = all(kind).filter(({ at }) => dayOf(at).startsWith(prefix));
        return { month: i + 1, amount: cents(own), entries: own.length };
      }).flatMap(({ entries, ...month }) => (entries > 0 ? [month] : []));
    expect(await saleMonths(context(), year)).toEqual(months("invoice"));
    expect(await expenseMonths(context(), year)).toEqual(months("expense"));
  });

  it("so are the categories", async () => {
    const expected = CATEGORIES.flatMap((category) => {
      const own = all("invoice").filter((sale) => sale.category === category);
      return own.length > 0 ? [{ category, amount: cents(own) }] : [];
    });
    expect(await saleCategories(context())).toEqual(expected);
  });

  it("so are the expenses of each business by type", async () => {
    const business = (name: string) => {
      const own = all("expense").filter(({ businessType }) => businessType === name);
      const types = EXPENSE_TYPES.map((type) => [
        type.toLowerCase(),
        cents(own.filter(({ expenseType }) => expenseType === type)),
      ]);
      return { totalAmount: cents(own), ...Object.fromEntries(types) };
    };
    expect(await expenseTotals(context())).toEqual({
      totalAmount: cents(all("expense")),
      emporia: business("EMPORIA"),
      laser: business("LASER"),
    });
  });

  const today = localDay(NOW, TORONTO);
  it.each([
    {},
    { q: "walnut" },
    { q: "ÉTUI" },
    { q: "wa" },
    { q: "k" },
    { category: "ENGRAVING" },
    { businessType: "LASER", paymentMode: "CASH" },
    { from: today, to: today },
    { from: dayAfter(today, -40), to: dayAfter(today, -3), businessType: "EMPORIA" },
    { to: "2026-05-31", category: "JEWELRY", q: "oak" },
    { from: "2026-01-01", expenseType: "TAXI" },
    { from: "2027-01-01" },
    { from: "2025-12-31", to: "2026-10-31" },
    { from: "2026-02-01", to: "2026-10-30" },
  ] as Record<string, string>[])("so are count and sums of the lists filtered by %j", async (filter) => {
    const params = new URLSearchParams(filter);
    const { q, from = "2000-01-01", to = "2099-12-31", ...equals } = filter;
    const expected = (kind: Kind) => {
      const has = (entry: Record<string, unknown>) => {
        const text = String(entry.description).toLowerCase();
        if (!q) return true;
        if (q.length >= 3) return text.includes(q.toLowerCase());
        return text.split(" ").some((word) => word.startsWith(q));
      };
      const own = all(kind).filter(
        (entry) =>
          has(entry) &&
          Object.entries(equals).every(([key, value]) => entry[key] === undefined || entry[key] === value) &&
          dayOf(entry.at) >= from &&
          dayOf(entry.at) <= to,
      );
      const quantity = own.reduce((sum, entry) => sum + Number(entry.quantity ?? 0), 0);
      return { total: own.length, sums: { amountCents: cents(own), quantity } };
    };
    expect(await invoicesPage(context(), parseInvoiceListParams(params))).toMatchObject(expected("invoice"));
    expect(await expensesPage(context(), parseExpenseListParams(params))).toMatchObject(expected("expense"));
  });

  it.each(["createdAt", "amount", "description", "category", "quantity"])(
    "pages sorted by %s, both ways, are all entries, each once, in order",
    async (sort) => {
      for (const extra of ["", "&businessType=LASER", "&q=walnut", "&category=OTHERS&from=2026-01-01"]) {
        const read = async (dir: string) => {
          const ids: string[] = [];
          for (let page = 1, pages = 1; page <= pages; page++) {
            const params = new URLSearchParams(`sort=${sort}&dir=${dir}&size=20&page=${page}${extra}`);
            const found = await invoicesPage(context(), parseInvoiceListParams(params));
            ids.push(...found.rows.map(({ id }) => id));
            pages = found.pages;
            if (page === pages) expect(ids).toHaveLength(found.total);
          }
          return ids;
        };
        const up = await read("asc");
        expect(new Set(up).size).toBe(up.length);
        expect(await read("desc")).toEqual(up.toReversed());
      }
    },
  );

  it("the nightly check finds nothing to say", async () => {
    const errors = vi.spyOn(console, "error");
    await checkLedger(env as Env);
    expect(errors).not.toHaveBeenCalled();
  });

  it("and logs an error when a sum is wrong, too much or missing", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await env.DB.batch([
      env.DB.prepare("UPDATE sale_months SET amount_cents = amount_cents + 1 WHERE month = '2026-10'"),
      env.DB.prepare("INSERT INTO expense_totals VALUES ('LASER', 'GIFT', 1, 5)"),
      env.DB.prepare("DELETE FROM sale_days WHERE day = '2026-11-01' AND payment_mode = 'CASH'"),
    ]);
    await checkLedger(env as Env);
    const said = String(errors.mock.calls[0]?.[0]);
    for (const part of [
      /sale_months 2026-10: \d+ \d+ \d+, but its rows make/,
      /expense_totals LASER GIFT: 1 5, /,
    ])
      expect(said).toMatch(part);
    expect(said).toMatch(/sale_days 2026-11-01 \w+ \w+ CASH: 0 0 0, but its rows make [1-9]/);
    errors.mockClear();
  });

  it("what was deleted a day ago is forgotten by night, what was deleted since is not", async () => {
    const count = () => env.DB.prepare("SELECT count(*) AS n FROM deleted_entries").first<number>("n");
    expect(await count()).toBeGreaterThan(10);
    const now = Math.floor(Date.now() / 1000);
    await env.DB.prepare("UPDATE deleted_entries SET deleted_at = ? WHERE kind = 'invoice'")
      .bind(now - 86_401)
      .run();
    await env.DB.prepare("UPDATE deleted_entries SET deleted_at = ? WHERE kind = 'expense'")
      .bind(now - 3600)
      .run();
    await sweepDeleted(env as Env);
    const kinds = await env.DB.prepare("SELECT DISTINCT kind FROM deleted_entries").all();
    expect(kinds.results).toEqual([{ kind: "expense" }]);
  });
});
