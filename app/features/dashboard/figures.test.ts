import { describe, expect, it } from "vitest";
import {
  barWidth,
  categoryLabel,
  dashboardPeriods,
  expenseListUrl,
  invoiceListUrl,
  LOADING_AMOUNT,
  monthSeries,
  monthToDate,
  paymentAmounts,
  singleDay,
  trend,
} from "./figures";

describe("trend", () => {
  it.each([
    [150, 100, "up", 50],
    [50, 100, "down", 50],
    [34_850, 29_100, "up", 19.8],
    [391_725, 438_600, "down", 10.7],
    [200, 300, "down", 33.3],
    [400, 300, "up", 33.3],
    [1, 0, "up", 100],
    [99_999, 0, "up", 100],
    [0, 5, "down", 100],
    [0, 0, "up", 100],
    [7, 7, "level", 0],
    [100_049, 100_000, "up", 0],
    [100_050, 100_000, "up", 0.1],
    [1000, 1, "up", 99_900],
  ] as const)("%i after %i: %s %d %%", (now, before, direction, percent) => {
    expect(trend(now, before)).toEqual({ direction, percent });
  });
});

describe("bar width", () => {
  it.each([
    [25, [25, 75], 100, 25],
    [50, [50, 25], null, 100],
    [25, [50, 25], null, 50],
    [60, [60, 30], 40, 100],
    [30, [60, 30], 40, 50],
    [0, [0, 0], null, 0],
    [0, [0], 0, 0],
    [-5, [-5, 10], null, 0],
    [LOADING_AMOUNT, [LOADING_AMOUNT], LOADING_AMOUNT, 0],
    [10, [10], 10, 100],
  ])("%i of %j with the total %j is %d %%", (part, parts, total, width) => {
    expect(barWidth(part, parts, total)).toBe(width);
  });
});

describe("chart series", () => {
  it("fills missing months with 0", () => {
    const items = [
      { month: 3, amount: 5 },
      { month: 12, amount: 7 },
      { month: 13, amount: 9 },
    ];
    expect(monthSeries(items)).toEqual([0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    expect(monthSeries([])).toEqual(Array(12).fill(0));
  });

  it.each([
    ["HEALTH_AND_BEAUTY", "Health And Beauty"],
    ["OTHERS", "Others"],
    ["", "Unknown"],
    [" ", "Unknown"],
    [null, "Unknown"],
    [undefined, "Unknown"],
  ])("labels the category %j as %s", (category, label) => {
    expect(categoryLabel(category)).toBe(label);
  });

  it("lists payment methods in a fixed order without empty ones", () => {
    expect(paymentAmounts({ cashAmount: 100, emtAmount: 0, cardAmount: 300 })).toEqual([
      { mode: "CASH", amount: 100 },
      { mode: "CARD", amount: 300 },
    ]);
    expect(paymentAmounts({ cashAmount: 0, emtAmount: 0, cardAmount: 0 })).toEqual([]);
  });
});

describe("dashboard periods", () => {
  it.each([
    ["2026-11-21", "2026-11-20", "2026-11-01", "2026-11-30", "2026-10-01", "2026-10-31"],
    ["2026-03-01", "2026-02-28", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
    ["2028-03-01", "2028-02-29", "2028-03-01", "2028-03-31", "2028-02-01", "2028-02-29"],
    ["2027-01-01", "2026-12-31", "2027-01-01", "2027-01-31", "2026-12-01", "2026-12-31"],
  ])("on %s", (today, yesterday, from, to, lastFrom, lastTo) => {
    expect(dashboardPeriods(today)).toEqual({
      today,
      yesterday,
      month: { from, to },
      lastMonth: { from: lastFrom, to: lastTo },
    });
  });
});

describe("URLs behind a figure", () => {
  it("are ledger lists with the matching filters", () => {
    expect(invoiceListUrl()).toBe("/admin/invoices-management");
    expect(invoiceListUrl(singleDay("2026-11-21"))).toBe(
      "/admin/invoices-management?from=2026-11-21&to=2026-11-21",
    );
    expect(expenseListUrl({ businessType: "LASER", expenseType: "TAXI" })).toBe(
      "/admin/expenses-management?businessType=LASER&expenseType=TAXI",
    );
  });
});

describe("month to date", () => {
  it("compares with the same days, to the end of a shorter month", () => {
    const sales = [
      { period: "2026-02-01", amountCents: 100 },
      { period: "2026-02-28", amountCents: 50 },
      { period: "2026-03-02", amountCents: 30 },
    ];
    expect(monthToDate("2026-03-31", sales)).toMatchObject({
      cents: 30,
      previousCents: 150,
      previousDays: { from: "2026-02-01", to: "2026-02-28" },
    });
    const early = monthToDate("2026-03-05", sales);
    expect(early).toMatchObject({
      cents: 30,
      previousCents: 100,
      days: { from: "2026-03-01", to: "2026-03-05" },
    });
    expect(early.series).toEqual([0, 30, 30, 30, 30]);
    expect(early.previousSeries).toHaveLength(28);
  });
});
