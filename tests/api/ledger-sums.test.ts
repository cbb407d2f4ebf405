import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CATEGORIES } from "~/features/catalogue/categories";
import { dayAfter, localDay } from "~/features/ledger/days";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "~/features/ledger/kinds";
import {
  addExpense,
  addInvoice,
  checkLedger,
  deleteExpense,
  deleteInvoice,
  expenseMonths,
  expensesPage,
  expenseTotals,
  invoicesPage,
  restoreExpense,
  restoreInvoice,
  saleCategories,
  saleMonths,
  saleTotals,
  sweepDeleted,
  updateExpense,
  updateInvoice,
} from "~/features/ledger/operations.server";
import { readExpensePlace, readInvoicePlace } from "~/features/ledger/place";
import type { RequestContext } from "~/http/request-context.server";
import { seededRandom } from "../../scripts/seed/random";
import { ledgerContext } from "../support/ledger";

const TORONTO = "America/Toronto";
/** 2026-11-02T02:30Z: Sunday evening in Toronto, an hour after a day of 25 hours would seem over in UTC. */
const NOW = Date.parse("2026-11-02T02:30:00Z") / 1000;
const ACTS = 1_000;

interface Known {
  id: string;
  fields: Record<string, unknown> & { amount: number; at: number };
}

/** What the books should hold, kept by the test itself. */
const books = { invoice: new Map<string, Known>(), expense: new Map<string, Known>() };
type Kind = keyof typeof books;

const context = () =>
  ({ ...ledgerContext(NOW), caller: { user: async () => ({ isAdmin: true }) } }) as unknown as RequestContext;
const OPERATIONS = {
  invoice: { add: addInvoice, update: updateInvoice, remove: deleteInvoice, restore: restoreInvoice },
  expense: { add: addExpense, update: updateExpense, remove: deleteExpense, restore: restoreExpense },
};
const WORDS = ["walnut", "board", "case", "Étui", "key", "fob", "lamp", "parcel", "OAK", "hub"];

beforeAll(async () => {
  const random = seededRandom(4);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const fields = (kind: Kind) => {
    const common = {
      description: `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)}`,
      businessType: pick(BUSINESSES),
      amount: (1 + Math.floor(random() * 50_000)) / 100,
      // Within 13 months, at any second: many near midnight of one zone or the other.
      at: NOW - Math.floor(random() ** 3 * 400 * 86_400),
    };
    if (kind === "expense") return { ...common, expenseType: pick(EXPENSE_TYPES) };
    const quantity = 1 + Math.floor(random() * 9);
    return { ...common, category: pick(CATEGORIES), paymentMode: pick(PAYMENT_MODES), quantity };
  };
  const deleted: { kind: Kind; entry: Known }[] = [];
  const sent = ({ at, ...rest }: Known["fields"]) => ({ ...rest, createdAt: { seconds: at } });

  const acts = {
    async add(kind: Kind) {
      const known = fields(kind);
      const { id } = await OPERATIONS[kind].add.execute(context(), sent(known));
      books[kind].set(id, { id, fields: known });
    },
    async update(kind: Kind, entry: Known) {
      const changed = fields(kind);
      const keys = Object.keys(changed).filter(() => random() < 0.4);
      const some = Object.fromEntries(Object.entries(changed).filter(([key]) => keys.includes(key)));
      const { at, ...rest } = some;
      const json = { ...rest, ...(at === undefined ? {} : { createdAt: { seconds: at } }), id: entry.id };
      await OPERATIONS[kind].update.execute(context(), json);
      Object.assign(entry.fields, some);
    },
    async remove(kind: Kind, entry: Known) {
      await OPERATIONS[kind].remove.execute(context(), { id: entry.id });
      books[kind].delete(entry.id);
      deleted.push({ kind, entry });
    },
    async undo() {
      const last = deleted.splice(Math.floor(random() * deleted.length), 1)[0];
      if (!last) return;
      await OPERATIONS[last.kind].restore.execute(context(), { id: last.entry.id });
      books[last.kind].set(last.entry.id, last.entry);
    },
  };
  for (let act = 0; act < ACTS; act++) {
    const kind: Kind = random() < 0.6 ? "invoice" : "expense";
    const entry = pick([...books[kind].values()]);
    const dice = random();
    if (!entry || dice < 0.5) await acts.add(kind);
    else if (dice < 0.75) await acts.update(kind, entry);
    else if (dice < 0.9) await acts.remove(kind, entry);
    else await acts.undo();
  }
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
    expect(await invoicesPage(context(), readInvoicePlace(params))).toMatchObject(expected("invoice"));
    expect(await expensesPage(context(), readExpensePlace(params))).toMatchObject(expected("expense"));
  });

  it.each(["createdAt", "amount", "description", "category", "quantity"])(
    "pages sorted by %s, both ways, are all entries, each once, in order",
    async (sort) => {
      for (const extra of ["", "&businessType=LASER", "&q=walnut", "&category=OTHERS&from=2026-01-01"]) {
        const read = async (dir: string) => {
          const ids: string[] = [];
          for (let page = 1, pages = 1; page <= pages; page++) {
            const place = new URLSearchParams(`sort=${sort}&dir=${dir}&size=20&page=${page}${extra}`);
            const found = await invoicesPage(context(), readInvoicePlace(place));
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
