import { expect, it } from "vitest";
import { formatRecentDate } from "./format";

const seconds = (time: string) => Date.parse(time) / 1000;

it.each([
  ["2026-11-24T12:00:00Z", "2026-11-27", "24th Nov"],
  ["2025-12-31T12:00:00Z", "2026-11-27", "31st Dec 2025"],
  // Still last year in Toronto.
  ["2026-01-01T03:00:00Z", "2026-01-01", "31st Dec 2025"],
])("the date of %s, seen on %s, is %s", (time, today, date) => {
  expect(formatRecentDate(seconds(time), "America/Toronto", today)).toBe(date);
});
