import { expect, it } from "vitest";
import { firstOpenDay } from "~/domain/closed-day";
import { describeClosing } from "./closed-books.server";

const settings = {
  businesses: { EMPORIA: "Emporia", LASER: "Laser Craft" },
  timezone: "America/Toronto",
} as unknown as Parameters<typeof describeClosing>[0]["settings"];

it.each([
  ["2026-10-31", "2026-11-01"],
  ["2024-02-28", "2024-02-29"],
  ["2026-12-31", "2027-01-01"],
  ["2026-09-03", "2026-09-04"],
])("the first open day after %s is %s", (until, open) => {
  const closing = { business: "LASER" as const, until, by: "Maren, by the way", at: 1_790_000_000 };
  const message = `${describeClosing({ settings, now: 1_790_000_100 }, closing)}. Nothing was stored.`;
  expect(firstOpenDay(message)).toBe(open);
});

it("another message names none", () => {
  expect([firstOpenDay(undefined), firstOpenDay("Must be a date from 2000 to 2099")]).toEqual([null, null]);
});
