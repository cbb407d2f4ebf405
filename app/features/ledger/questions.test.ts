import { expect, it } from "vitest";
import { dateQuestion, invoiceQuestion } from "./questions";

const NOW = Date.parse("2026-11-23T12:00:00Z") / 1000;

const fields = (values: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
};

it.each([
  ["2026-11-23", null],
  ["2001-01-01", null],
  ["2027-11-20", null],
  ["", null],
  ["nonsense", null],
  ["99999-01-01", null],
  ["275760-09-13", null],
  ["2028-01-05", "It has a date far ahead, 5th Jan 2028. Press again to save it anyway."],
])("asks about the date %s: %s", (createdAt, question) => {
  expect(dateQuestion(fields({ createdAt }), NOW)).toBe(question);
});

it("asks about everything unusual in an invoice at once", () => {
  const usual = { description: "Tea", amount: "4.50", createdAt: "2026-11-23" };
  expect(invoiceQuestion(fields(usual), NOW)).toBeNull();
  expect(
    invoiceQuestion(fields({ ...usual, description: " ", amount: "0.00", createdAt: "2098-02-01" }), NOW),
  ).toBe(
    "It has no description and an amount of $0.00 and a date far ahead, 1st Feb 2098. Press again to save it anyway.",
  );
});
