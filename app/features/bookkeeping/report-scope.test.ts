import { describe, expect, it } from "vitest";
import {
  offeredMonths,
  parseReportScope,
  pastEnd,
  periodName,
  reportSearch,
  resolveReport,
} from "./report-scope";

const TODAY = "2026-11-29";
const read = (search: string) => parseReportScope(new URLSearchParams(search));
const resolved = (search: string) => resolveReport(read(search).scope, TODAY);

describe("scope of a report", () => {
  it.each([
    ["?period=2026-10", "2026-10-01", "2026-10-31", "2026-10", "October 2026"],
    ["?period=2028-02", "2028-02-01", "2028-02-29", "2028-02", "February 2028"],
    ["?period=last-month", "2026-10-01", "2026-10-31", "2026-10", "Last month"],
    [
      "?period=days&from=2026-10-05&to=2026-11-04",
      "2026-10-05",
      "2026-11-04",
      "2026-10-05-to-2026-11-04",
      "5th Oct 2026 to 4th Nov 2026",
    ],
    [
      "?period=days&from=2026-10-05&to=2026-10-05",
      "2026-10-05",
      "2026-10-05",
      "2026-10-05-to-2026-10-05",
      "5th Oct 2026",
    ],
  ])("%s is %s to %s", (search, from, to, slug, name) => {
    const { scope, problems } = read(search);
    expect([resolved(search), problems]).toEqual([expect.objectContaining({ days: { from, to }, slug }), []]);
    expect(periodName(scope, { from, to })).toBe(name);
    expect(reportSearch(scope)).toBe(search);
  });

  it.each([
    ["?period=days&from=2026-11-05&to=2026-11-04", { to: "The last day is before the first" }],
    ["?period=days&from=2026-02-30&to=2026-11-04", { from: "There is no such day as 2026-02-30" }],
    [
      "?period=days&from=1999-12-31&to=2100-01-01",
      { from: "Must be a date from 2000 to 2099", to: "Must be a date from 2000 to 2099" },
    ],
    ["?period=days", { from: "Choose a day", to: "Choose a day" }],
    [
      "?period=days&from=x%00&to=%F0%9F%99%82",
      { from: "Must be a date from 2000 to 2099", to: "Must be a date from 2000 to 2099" },
    ],
    [
      "?period=2026-13&business=X",
      { business: "There is no such business", period: "There is no such period" },
    ],
    ["?period=2026", { period: "There is no such period" }],
    ["?period=1999-12", { period: "There is no such period" }],
  ])("%s has problems and is all time", (search, messages) => {
    expect(Object.fromEntries(read(search).problems.map(({ path, message }) => [path, message]))).toEqual(
      messages,
    );
    expect(resolved(search)).toMatchObject({ days: null, slug: "all-time" });
  });

  it("is of own days where they stand alone", () => {
    expect(resolved("?from=2026-10-05&to=2026-11-04")).toMatchObject({ slug: "2026-10-05-to-2026-11-04" });
    expect(resolved("?period=all&from=2026-10-05&to=2026-11-04")).toMatchObject({ slug: "all-time" });
    expect(resolved("?from=&to=")).toMatchObject({ slug: "all-time" });
  });

  it.each([
    ["?period=last-month", "2026-10-31"],
    ["?from=2026-11-01&to=2026-11-28", "2026-11-28"],
    ["?from=2026-11-01&to=2026-11-29", null],
    ["?period=this-month", null],
    ["", null],
  ])("%s is over on %s", (search, end) => expect(pastEnd(resolved(search), TODAY)).toBe(end));

  it("offers the months before the last one, and the chosen one", () => {
    const months = offeredMonths("2026-01-15", read("").scope);
    expect([months.length, months[0], months.at(-1)]).toEqual([12, "2025-11", "2024-12"]);
    expect(offeredMonths("2026-01-15", read("?period=2020-05").scope)[0]).toBe("2020-05");
  });
});
