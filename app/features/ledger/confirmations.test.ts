import { expect, it } from "vitest";
import { dateConfirmation, invoiceConfirmation } from "./confirmations";

const TODAY = "2026-11-26";

const fields = (values: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};

it.each(["2026-11-26", "2026-11-01", "", "nonsense", "99999-01-01", "275760-09-13"])(
  "asks nothing about the date %j",
  (createdAt) => expect(dateConfirmation(fields({ createdAt }), TODAY)).toBeNull(),
);

it.each([
  ["2026-10-31", "last month, 31st Oct 2026"],
  ["2026-11-27", "after today, Friday 27th November 2026"],
  ["2025-11-25", "12 months ago, Tuesday 25th November 2025"],
  ["2026-12-01", "next month, Tuesday 1st December 2026"],
  ["2027-01-02", "2 months ahead, Saturday 2nd January 2027"],
  ["2025-11-26", "12 months ago, 26th Nov 2025"],
  ["2027-11-20", "12 months ahead, Saturday 20th November 2027"],
  ["2028-01-05", "14 months ahead, Wednesday 5th January 2028"],
  ["2024-12-01", "23 months ago, Sunday 1st December 2024"],
  ["2024-11-30", "2 years ago, Saturday 30th November 2024"],
  ["2019-03-05", "7 years ago, Tuesday 5th March 2019"],
  ["2001-01-01", "25 years ago, Monday 1st January 2001"],
  ["2062-01-05", "35 years ahead, Thursday 5th January 2062"],
])("asks about the date %s", (createdAt, words) => {
  const confirmation = dateConfirmation(fields({ createdAt }), TODAY);
  expect(confirmation).toBe(`Dated ${words}. Press again if that is right.`);
});

it("asks about the date of a stored entry once it is changed", () => {
  const was = JSON.stringify({ createdAt: "2025-03-05", amount: "4.50" });
  expect(dateConfirmation(fields({ was, createdAt: "2025-03-05" }), TODAY)).toBeNull();
  expect(dateConfirmation(fields({ was, createdAt: "2025-03-06" }), TODAY)).toContain("20 months ago");
  expect(dateConfirmation(fields({ was: "{", createdAt: "2025-03-06" }), TODAY)).toContain("20 months ago");
});

it("asks about everything unusual in an invoice at once", () => {
  const usual = { description: "Tea", amount: "4.50", createdAt: TODAY };
  expect(invoiceConfirmation(fields(usual), TODAY)).toBeNull();
  expect(
    invoiceConfirmation(
      fields({ ...usual, description: " ", amount: "$0.00", createdAt: "2098-02-01" }),
      TODAY,
    ),
  ).toBe(
    "No description. Amount $0.00. Dated 71 years ahead, Saturday 1st February 2098. Press again if that is right.",
  );
});
