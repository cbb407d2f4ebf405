import { describe, expect, it } from "vitest";
import { daysOf } from "./page.server";
import { expenseListUrl, invoiceListUrl, onDay } from "./rows";

describe("the days of the dashboard", () => {
  it.each([
    ["2026-11-21", "2026-11-20", "2026-11-01", "2026-11-30", "2026-10-01", "2026-10-31"],
    ["2026-03-01", "2026-02-28", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
    ["2028-03-01", "2028-02-29", "2028-03-01", "2028-03-31", "2028-02-01", "2028-02-29"],
    ["2027-01-01", "2026-12-31", "2027-01-01", "2027-01-31", "2026-12-01", "2026-12-31"],
  ])("on %s", (today, yesterday, from, to, lastFrom, lastTo) => {
    expect(daysOf(today)).toEqual({
      today,
      yesterday,
      month: { from, to },
      lastMonth: { from: lastFrom, to: lastTo },
    });
  });
});

describe("the rows behind a figure", () => {
  it("are the ledgers' lists with the filters of the contract", () => {
    expect(invoiceListUrl()).toBe("/admin/invoices-management");
    expect(invoiceListUrl(onDay("2026-11-21"))).toBe(
      "/admin/invoices-management?from=2026-11-21&to=2026-11-21",
    );
    expect(expenseListUrl({ businessType: "LASER", expenseType: "TAXI" })).toBe(
      "/admin/expenses-management?businessType=LASER&expenseType=TAXI",
    );
  });
});
