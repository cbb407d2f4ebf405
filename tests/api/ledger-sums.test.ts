import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CATEGORIES } from "~/domain/categories";
import { addDays, localDay } from "~/domain/days";
import { EXPENSE_TYPES } from "~/domain/enums";
import {
  categoryAmounts,
  expenseMonths,
  expenseTotals,
  saleMonths,
  saleTotals,
} from "~/features/ledger/operations/figures.server";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { checkLedger, purgeDeletedEntries } from "~/features/ledger/operations/maintenance.server";
import { EVERYTHING, findSaleTotals } from "~/features/ledger/queries/sums.server";
import { EXPENSE_RULES, INVOICE_RULES } from "~/features/ledger-pages/page.server";
import { type ListRules, pageCount, parseListParams } from "~/ui/DataTable/list-params";
import { ledgerContext } from "../support/ledger";
import { type ExpectedLedger, type Kind, runRandomActions } from "../support/random-ledger";

const TORONTO = "America/Toronto";
/** Sunday evening in Toronto, at the end of a day of 25 hours. */
const NOW = Date.parse("2026-11-02T02:30:00Z") / 1000;
const ACTION_COUNT = 1_000;

const context = () => ledgerContext(NOW);
let ledger: ExpectedLedger;

beforeAll(async () => {
  ledger = await runRandomActions(context, ACTION_COUNT);
}, 120_000);

const all = (kind: Kind) => [...ledger[kind].values()].map(({ fields }) => fields);
const cents = (of: { amount: number }[]) => of.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
/** Computes the local day independently of the code under test. */
const dayOf = (at: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: TORONTO }).format(new Date(at * 1000));

describe(`after ${ACTION_COUNT} random adds, edits, deletes and restores`, () => {
  it("the ledger holds entries", () => {
    expect(ledger.invoice.size).toBeGreaterThan(150);
    expect(ledger.expense.size).toBeGreaterThan(100);
    expect(localDay(NOW, TORONTO)).toBe("2026-11-01");
  });

  it("sales totals equal the rows", async () => {
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

  it.each([2025, 2026, 2027])("months of %i equal the rows", async (year) => {
    const months = (kind: Kind) =>
      Array.from({ length: 12 }, (_, i) => {
        const prefix = `${year}-${String(i + 1).padStart(2, "0")}`;
        const own = all(kind).filter(({ at }) => dayOf(at).startsWith(prefix));
        return { month: i + 1, amount: cents(own), entries: own.length };
      }).flatMap(({ entries, ...month }) => (entries > 0 ? [month] : []));
    expect(await saleMonths(context(), year)).toEqual(months("invoice"));
    expect(await expenseMonths(context(), year)).toEqual(months("expense"));
  });

  it("categories equal the rows", async () => {
    const expected = CATEGORIES.flatMap((category) => {
      const own = all("invoice").filter((sale) => sale.category === category);
      return own.length > 0 ? [{ category, amount: cents(own) }] : [];
    });
    expect(categoryAmounts(await findSaleTotals(context().db, EVERYTHING))).toEqual(expected);
  });

  it("expenses of each business by type equal the rows", async () => {
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
    { from: addDays(today, -40), to: addDays(today, -3), businessType: "EMPORIA" },
    { to: "2026-05-31", category: "JEWELRY", q: "oak" },
    { from: "2026-01-01", expenseType: "TAXI" },
    { from: "2027-01-01" },
    { from: "2025-12-31", to: "2026-10-31" },
    { from: "2026-02-01", to: "2026-10-30" },
  ] as Record<string, string>[])("count and sums of lists filtered by %j equal the rows", async (filter) => {
    const params = new URLSearchParams(filter);
    // What only the other list filters by is no reason for a redirect here.
    const of = (rules: ListRules) => ({ ...parseListParams(params, rules), ignored: [] });
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
    expect(await invoices.readPage(context(), of(INVOICE_RULES))).toMatchObject(expected("invoice"));
    expect(await expenses.readPage(context(), of(EXPENSE_RULES))).toMatchObject(expected("expense"));
  });

  it.each(["createdAt", "amount", "description", "category", "quantity"])(
    "pages sorted by %s hold every entry once, in both directions",
    async (sort) => {
      for (const extra of ["", "&businessType=LASER", "&q=walnut", "&category=OTHERS&from=2026-01-01"]) {
        const read = async (dir: string) => {
          const ids: string[] = [];
          for (let page = 1, pages = 1; page <= pages; page++) {
            const params = new URLSearchParams(`sort=${sort}&dir=${dir}&size=20&page=${page}${extra}`);
            const found = await invoices.readPage(context(), parseListParams(params, INVOICE_RULES));
            ids.push(...found.rows.map(({ id }) => id));
            pages = pageCount(found.total, 20);
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

  it("the nightly check finds no difference", async () => {
    const errors = vi.spyOn(console, "error");
    await checkLedger(env as Env);
    expect(errors).not.toHaveBeenCalled();
  });

  it("the nightly check logs a wrong, surplus or missing sum", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await env.DB.batch([
      env.DB.prepare("UPDATE sale_months SET amount_cents = amount_cents + 1 WHERE month = '2026-10'"),
      env.DB.prepare("INSERT INTO expense_totals VALUES ('LASER', 'GIFT', 1, 5)"),
      env.DB.prepare("DELETE FROM sale_days WHERE day = '2026-11-01' AND payment_mode = 'CASH'"),
    ]);
    await checkLedger(env as Env);
    const message = String(errors.mock.calls[0]?.[0]);
    for (const part of [
      /sale_months 2026-10: \d+ \d+ \d+ stored, \d+ \d+ \d+ expected/,
      /expense_totals LASER GIFT: 1 5 stored, /,
    ])
      expect(message).toMatch(part);
    expect(message).toMatch(/sale_days 2026-11-01 \w+ \w+ CASH: 0 0 0 stored, [1-9]/);
    errors.mockClear();
  });

  it("the nightly purge removes entries deleted a day ago and keeps later ones", async () => {
    const count = () => env.DB.prepare("SELECT count(*) AS n FROM deleted_entries").first<number>("n");
    expect(await count()).toBeGreaterThan(10);
    const now = Math.floor(Date.now() / 1000);
    await env.DB.prepare("UPDATE deleted_entries SET deleted_at = ? WHERE kind = 'invoice'")
      .bind(now - 86_401)
      .run();
    await env.DB.prepare("UPDATE deleted_entries SET deleted_at = ? WHERE kind = 'expense'")
      .bind(now - 3600)
      .run();
    await purgeDeletedEntries(env as Env);
    const kinds = await env.DB.prepare("SELECT DISTINCT kind FROM deleted_entries").all();
    expect(kinds.results).toEqual([{ kind: "expense" }]);
  });
});
