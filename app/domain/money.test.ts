import { expect, it } from "vitest";
import { bareAmount, compactDollars, decimalDollars, dollars, plainDollars, shortDollars } from "./money";

it.each([
  [0, "$0.00"],
  [99_999, "$999.99"],
  [103_600, "$1,036.00"],
  [9_999_999_999, "$99,999,999.99"],
  [-250, "−$2.50"],
])("formats %i cents as %s", (cents, text) => {
  expect(dollars(cents)).toBe(text);
});

it.each([
  [shortDollars, 2500, "$25"],
  [shortDollars, 1250, "$12.50"],
  [shortDollars, 120_000, "$1,200"],
  [compactDollars, 95_000, "$950"],
  [compactDollars, 125_000, "$1.25k"],
  [compactDollars, 250_000_000, "$2.5M"],
  [decimalDollars, 106_400, "1064.00"],
  [decimalDollars, -5, "-0.05"],
  [plainDollars, 1200, "12"],
  [plainDollars, 1250, "12.5"],
])("%o formats %i cents as %s", (format, cents, text) => {
  expect(format(cents)).toBe(text);
});

it.each([
  ["$12.50", "12.50"],
  [" 1,200 ", "1200"],
  ["$ 1 200", "1200"],
  ["twelve", "twelve"],
])("reads %o as %s", (typed, amount) => {
  expect(bareAmount(typed)).toBe(amount);
});
