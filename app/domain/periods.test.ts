import { describe, expect, it } from "vitest";
import { datePresets, parseScope, resolvePeriod, scopeSearch } from "./periods";

describe("periods", () => {
  it.each([
    ["this-month", "2026-11-21", "2026-11-01", "2026-11-30", "2026-11"],
    ["last-month", "2027-01-01", "2026-12-01", "2026-12-31", "2026-12"],
    ["this-quarter", "2026-11-21", "2026-10-01", "2026-12-31", "2026-q4"],
    ["last-quarter", "2026-01-31", "2025-10-01", "2025-12-31", "2025-q4"],
    ["last-quarter", "2026-05-31", "2026-01-01", "2026-03-31", "2026-q1"],
    ["this-year", "2028-02-29", "2028-01-01", "2028-12-31", "2028"],
    ["last-year", "2026-01-01", "2025-01-01", "2025-12-31", "2025"],
  ] as const)("%s on %s is %s to %s", (name, today, from, to, slug) => {
    expect(resolvePeriod(name, today)).toMatchObject({ days: { from, to }, slug });
  });

  it("all time has no bounds", () => {
    expect(resolvePeriod("all", "2026-11-21")).toEqual({
      name: "all",
      days: null,
      months: null,
      slug: "all-time",
    });
  });
});

describe("ranges of a list", () => {
  it.each([
    ["2028-03-01", "2028-02-29", "2028-03-01", "2028-02-01", "2028-02-29", "2028-01-01"],
    ["2026-11-30", "2026-11-29", "2026-11-01", "2026-10-01", "2026-10-31", "2026-01-01"],
    ["2027-01-01", "2026-12-31", "2027-01-01", "2026-12-01", "2026-12-31", "2027-01-01"],
  ])("on %s", (today, yesterday, month, before, beforeEnd, year) => {
    expect(datePresets(today).map(({ label, from, to }) => [label, from, to])).toEqual([
      ["Today", today, today],
      ["Yesterday", yesterday, yesterday],
      ["This month", month, today],
      ["Last month", before, beforeEnd],
      ["This year", year, today],
    ]);
  });
});

describe("scope", () => {
  it.each(["", "?business=LASER", "?period=last-year", "?business=EMPORIA&period=this-month"])(
    "%s is kept",
    (search) => {
      expect(scopeSearch(parseScope(new URLSearchParams(search)))).toBe(search);
    },
  );

  it("falls back to both businesses and all time", () => {
    expect(parseScope(new URLSearchParams("business=X&period=never"))).toEqual({
      business: null,
      period: "all",
    });
  });
});
