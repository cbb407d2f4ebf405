import { describe, expect, it } from "vitest";
import { dollars } from "~/domain/money";
import { CARDS } from "./chart-cards";
import { pieLabels } from "./chart-parts";
import { adjacentYears, lineSeries, offeredYears, parseYear, visibleMonths } from "./months";
import type { AnalyticsPage } from "./page.server";
import { monthsAhead, monthTable } from "./tables";

const NOV_2026 = { year: 2026, month: 11 };
const LASER_OF_LAST_YEAR = {
  year: 2025,
  now: NOV_2026,
  scope: { business: "LASER", period: "last-year" },
  days: { from: "2025-01-01", to: "2025-12-31" },
} as AnalyticsPage;
const year = (...amounts: number[]) => Array.from({ length: 12 }, (_, i) => amounts[i] ?? 0);

describe("year parameter", () => {
  it.each(["2024", "2000", "2099"])("parses %s", (text) => {
    expect(parseYear(text, 2026)).toBe(Number(text));
  });

  it.each([null, "", "abc", "1999", "2100", "2026.5", "-2026", "1e9", "2026;DROP", "0x7ea", " 2026"])(
    "replaces %j by the current year",
    (text) => expect(parseYear(text, 2026)).toBe(2026),
  );

  it("links to up to five years with entries, the current and the chosen one", () => {
    expect(offeredYears(2026, 2026, [])).toEqual([2026]);
    expect(offeredYears(2024, 2026, [2023, 2025, 2026])).toEqual([2023, 2024, 2025, 2026]);
    const many = [2018, 2019, 2020, 2021, 2022, 2023, 2024];
    expect(offeredYears(2026, 2026, many)).toEqual([2021, 2022, 2023, 2024, 2026]);
    expect(offeredYears(2019, 2026, many)).toEqual([2018, 2019, 2020, 2021, 2022]);
    expect(offeredYears(2022, 2026, many)).toEqual([2020, 2021, 2022, 2023, 2024]);
    expect(adjacentYears(2026, 2026, [2023])).toEqual({ before: 2023, after: null });
    expect(adjacentYears(2023, 2026, [2023])).toEqual({ before: null, after: 2026 });
  });
});

describe("monthly line", () => {
  it("shows a past year completely, the current one up to now and a later one up to its last entry", () => {
    expect(visibleMonths(2025, NOV_2026, year())).toBe(12);
    expect(visibleMonths(2026, NOV_2026, year(1, 2))).toBe(11);
    expect(visibleMonths(2026, { year: 2026, month: 3 }, year(1), year(0, 0, 0, 0, 7))).toBe(3);
    expect(visibleMonths(2027, NOV_2026, year(0, 4))).toBe(2);
    expect(visibleMonths(2027, NOV_2026, year())).toBe(0);
  });

  it("is solid in a past year", () => {
    const points = lineSeries(year(5, 0, 7), 12, 2025, NOV_2026);
    expect(points.map(({ done }) => done)).toEqual(year(5, 0, 7));
    expect(points.every(({ open }) => open === null)).toBe(true);
  });

  it("is dotted from the last complete month", () => {
    const points = lineSeries(year(1, 2, 3), 3, 2026, { year: 2026, month: 3 });
    expect(points.map(({ done }) => done).slice(0, 4)).toEqual([1, 2, null, null]);
    expect(points.map(({ open }) => open).slice(0, 4)).toEqual([null, 2, 3, null]);
  });

  it("is a single marker in January", () => {
    const points = lineSeries(year(9), 1, 2026, { year: 2026, month: 1 });
    expect(points.slice(0, 2)).toEqual([
      { month: 0, done: null, open: 9 },
      { month: 1, done: null, open: null },
    ]);
  });
});

describe("pie labels", () => {
  const apart = (percents: number[]) => {
    const labels = pieLabels(percents, 100);
    for (const side of [1, -1]) {
      const heights = labels.filter((label) => label.side === side).map(({ to }) => to.y);
      const sorted = heights.toSorted((a, b) => a - b);
      for (const [i, y] of sorted.entries())
        if (i > 0) expect(y - (sorted[i - 1] ?? 0)).toBeGreaterThan(39.9);
    }
    return labels;
  };

  it("stand beside their slices, clockwise from the top", () => {
    const [cash, emt, card] = apart([25, 25, 50]);
    expect(cash?.side).toBe(1);
    expect(cash?.to.y).toBeLessThan(0);
    expect(emt?.side).toBe(1);
    expect(emt?.to.y).toBeGreaterThan(0);
    expect(card?.side).toBe(-1);
    expect(card?.to.y).toBeCloseTo(0);
  });

  it.each([[[98, 1, 1]], [[1, 1, 98]], [[100]], [[33.4, 33.3, 33.3]]])("never overlap: %j", (percents) =>
    expect(apart(percents)).toHaveLength(percents.length),
  );
});

describe("chart tables", () => {
  it("mark the current month, link to the sales and add up", () => {
    const { rows, total } = monthTable({ sales: year(100, 250) }, 2, 2026, { year: 2026, month: 2 });
    const list = "/admin/invoices-management";
    expect(rows).toEqual([
      { label: "Jan", cells: ["$1.00"], to: `${list}?from=2026-01-01&to=2026-01-31` },
      { label: "Feb, so far", cells: ["$2.50"], to: `${list}?from=2026-02-01&to=2026-02-28` },
    ]);
    expect(total).toEqual({ label: "2026", cells: ["$3.50"] });
  });

  it("add up what is dated ahead in a row of its own", () => {
    const now = { year: 2026, month: 2 };
    const sales = year(100, 250, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4250);
    const { rows, total } = monthTable({ sales }, 2, 2026, now, "LASER");
    expect(rows.map(({ label, cells }) => [label, ...cells])).toEqual([
      ["Jan", "$1.00"],
      ["Feb, so far", "$2.50"],
      ["After February", "$42.50"],
    ]);
    expect(rows[2]?.to).toBe("/admin/invoices-management?businessType=LASER&from=2026-03-01&to=2026-12-31");
    expect(total.cells).toEqual(["$46.00"]);
    const page = { ...LASER_OF_LAST_YEAR, year: 2026, now };
    const { table } = CARDS.versus.contents({ sales, expenses: year(0, 0, 0, 5000) }, page, "");
    expect(table.rows.at(-1)?.cells).toEqual(["$42.50", "$50.00", "−$7.50"]);
    expect(monthsAhead({ sales: year(100, 250) }, 2, 2026)).toBeNull();
    expect(monthsAhead({ sales: year() }, 12, 2025)).toBeNull();
  });

  it.each([
    [{ expenses: year(100, 0, 5000) }, ["Expenses"], "expenses-management", ["expenses of $50.00"]],
    [{ sales: year(100, 0, 5000) }, ["Sales"], "invoices-management", ["sales of $50.00"]],
    [
      { expenses: year(0, 0, 5000), sales: year(0, 0, 700) },
      ["Sales", "Expenses"],
      "invoices-management",
      ["sales of $7.00", "expenses of $50.00"],
    ],
    [
      { sales: year(100), expenses: year(0, 0, 5000) },
      ["Sales", "Expenses"],
      "invoices-management",
      ["expenses of $50.00"],
    ],
  ])("name and link each series by what it is: %j", (figures, names, list, texts) => {
    const { headers, rows } = monthTable(figures, 2, 2026, { year: 2026, month: 2 });
    expect(headers).toEqual(["Month", ...names]);
    expect(rows.map(({ to }) => to)).toEqual([
      `/admin/${list}?from=2026-01-01&to=2026-01-31`,
      `/admin/${list}?from=2026-02-01&to=2026-02-28`,
      `/admin/${list}?from=2026-03-01&to=2026-12-31`,
    ]);
    const ahead = monthsAhead(figures, 2, 2026);
    expect(ahead?.label).toBe("After February");
    expect(ahead?.parts).toEqual(
      texts.map((text) => ({
        text,
        url: `/admin/${text.startsWith("sales") ? "invoices" : "expenses"}-management?from=2026-03-01&to=2026-12-31`,
      })),
    );
  });

  it("show a loss with a minus sign", () => {
    const lines = { sales: year(265_550), expenses: year(294_000) };
    const { headers, rows, total } = CARDS.versus.contents(lines, LASER_OF_LAST_YEAR, "").table;
    expect(headers).toEqual(["Month", "Sales", "Expenses", "Profit"]);
    expect(rows[0]?.cells).toEqual(["$2,655.50", "$2,940.00", "−$284.50"]);
    expect(total.cells).toEqual(["$2,655.50", "$2,940.00", "−$284.50"]);
    expect(dollars(0)).toBe("$0.00");
  });

  const LIST = "/admin/invoices-management?businessType=LASER&from=2025-01-01&to=2025-12-31";

  it("show categories with shares, a missing one as Unknown, and link to their sales", () => {
    const categories = [
      { category: "HEALTH_AND_BEAUTY", amount: 300 },
      { category: "", amount: 100 },
    ];
    const { rows, total } = CARDS.categories.contents(categories, LASER_OF_LAST_YEAR, "").table;
    expect(rows).toEqual([
      {
        label: "Health And Beauty",
        cells: ["$3.00", "75.0%"],
        to: `${LIST}&category=HEALTH_AND_BEAUTY`,
      },
      { label: "Unknown", cells: ["$1.00", "25.0%"], to: `${LIST}&category=` },
    ]);
    expect(total.cells).toEqual(["$4.00", "100%"]);
    const free = [{ category: "OTHERS", amount: 0 }];
    expect(CARDS.categories.contents(free, LASER_OF_LAST_YEAR, "").table.rows[0]?.cells[1]).toBe("0%");
  });

  it("show payment methods in whole percent and small shares as <1%", () => {
    const payments = [
      { mode: "CASH" as const, amount: 4 },
      { mode: "CARD" as const, amount: 996 },
    ];
    const { rows } = CARDS.payments.contents(payments, LASER_OF_LAST_YEAR, "").table;
    expect(rows).toEqual([
      { label: "Cash", cells: ["$0.04", "<1%"], to: `${LIST}&paymentMode=CASH` },
      { label: "Card", cells: ["$9.96", "100%"], to: `${LIST}&paymentMode=CARD` },
    ]);
  });

  it("give a payment method below 0 no share", () => {
    const payments = [
      { mode: "CASH" as const, amount: 5000 },
      { mode: "CARD" as const, amount: -5000 },
    ];
    const { rows } = CARDS.payments.contents(payments, LASER_OF_LAST_YEAR, "").table;
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["$50.00", "100%"],
      ["−$50.00", "0%"],
    ]);
  });
});
