import { expect, it } from "vitest";
import { amountProblem, uncertainAmount } from "./amount-problem";
import { compactDollars } from "./axis-ticks";
import { decimalDollars, dollars, plainDollars, shortDollars } from "./money";
import { parseAmount, searchedCents } from "./typed-amount";

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
  ["1850", 185_000],
  ["1850.5", 185_050],
  [" $1,850.00 ", 185_000],
  ["1,850.00", 185_000],
  ["12,345,678.90", 1_234_567_890],
  ["1,234,567", 123_456_700],
  ["1.850,00", 185_000],
  ["1 850.00", 185_000],
  ["1 850,00", 185_000],
  ["1\u202f234\u202f567,5", 123_456_750],
  ["$ 1\u00a0200", 120_000],
  ["1850 $", 185_000],
  ["1’850.00", 185_000],
  ["0", 0],
])("parses %o as %i cents", (typed, cents) => {
  expect(parseAmount(typed)).toEqual({ cents, isCertain: true });
});

it.each([
  ["1,850", 185_000],
  ["1.850", 185_000],
  ["1,50", 150],
  ["42,5", 4250],
])("is not certain of %o, which is %i cents in a search", (typed, cents) => {
  expect(parseAmount(typed)).toEqual({ cents, isCertain: false });
});

it.each([
  ["1850,00", "Cents follow a point, not a comma: write it like 1850.00"],
  ["$42,5", "Cents follow a point, not a comma: write it like 42.50"],
  ["1,850", "The comma can mean thousands or cents: write it like 1850.00 or 1.85"],
  ["1.005 ", "The point can mean thousands or cents: write it like 1005.00 or 1.01"],
  ["1,850.00", null],
  ["twelve", null],
])("says what is wrong with %o", (typed, problem) => expect(uncertainAmount(typed)).toBe(problem));

it.each([
  ["100000000", "Must be at most 99,999,999.99"],
  ["$100,000,000", "Must be at most 99,999,999.99"],
  ["100 000 000.00", "Must be at most 99,999,999.99"],
  [1e9, "Must be at most 99,999,999.99"],
  ["12.3456", "Must have at most 2 decimals"],
  ["0.001", "Must have at most 2 decimals"],
  [".005", "Must have at most 2 decimals"],
  [0.001, "Must have at most 2 decimals"],
  ["-5", "Must be 0 or more"],
  ["\u22125.00", "Must be 0 or more"],
  [-5, "Must be 0 or more"],
  ["12,50", "Cents follow a point, not a comma: write it like 12.50"],
  ["$12.50", "Write it without currency sign and separators: 12.50"],
  ["1,85,0", "Write it like 1850.00"],
  ["0x10", "Write it like 1850.00"],
  ["abc", "Write it like 1850.00"],
  ["18$50", "Write it like 1850.00"],
  [" ", "Required"],
])("says plainly what is wrong with %o", (typed, problem) => expect(amountProblem(typed)).toBe(problem));

it.each([
  "",
  "twelve",
  "-5",
  "1e5",
  "0x10",
  "1.5.0",
  "1,85,0",
  "1850,555",
  "100000000",
  "100,000,000",
  "1.2345",
  ".5",
  "18$50",
  "$$5",
])("parses no amount in %o", (typed) => expect(parseAmount(typed)).toBeNull());

it.each([
  ["62", [6200, -6200]],
  ["1850", [185_000, -185_000]],
  ["1,850", [185_000, -185_000]],
  ["$62", [6200, -6200]],
  ["62,00", [6200, -6200]],
  ["0.50", [50, -50]],
  ["\u2212$26.00", [-2600]],
  ["\u221226.00", [-2600]],
  ["-26.00", [-2600]],
  ["-$26", [-2600]],
  ["000062", null],
  ["-000062", null],
  ["S-2026-000062", null],
  ["mug 62", null],
])("a search for %o is one for amounts of %o cents", (query, cents) => {
  expect(searchedCents(query)).toEqual(cents);
});
