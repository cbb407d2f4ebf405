import { describe, expect, it } from "vitest";
import { currencyOfFormat } from "./currency";
import { numberStyle, parsePrice } from "./money";

const read = (cell: string) => parsePrice(cell, numberStyle([cell]));

describe("an amount", () => {
  it.each([
    ["15.00 EUR", 1500, "EUR"],
    ["EUR12.50", 1250, "EUR"],
    ["12,50 €", 1250, "€"],
    ["US$12", 1200, "US$"],
    ["$12 USD", 1200, "USD"],
    ["12,50 $ US", 1250, "$ US"],
    ["5 US dollars", 500, "US dollars"],
    ["₹1,29,999.00", 12_999_900, "₹"],
    ["INR 12,34,567", 123_456_700, "INR"],
    ["Rs. 500", 50_000, "Rs."],
    ["£9.99", 999, "£"],
    ["CHF 12", 1200, "CHF"],
    ["12 kr", 1200, "kr"],
    ["12,- kr", 1200, "kr"],
    ["R$ 10", 1000, "R$"],
    ["A$5", 500, "A$"],
    ["AED 50", 5000, "AED"],
    ["¥1200", 120_000, "¥"],
    ["12 Euro", 1200, "Euro"],
  ])("%s is %i cents, and its currency is noted", (cell, value, currency) => {
    const note = read(cell);
    expect(note).toMatchObject({ value, note: expect.stringContaining(` says ${currency}, not CAD: `) });
  });

  it.each([
    ["$12", 1200],
    ["CAD 12", 1200],
    ["12.00 cad", 1200],
    ["CA$ 12", 1200],
    ["C$ 12", 1200],
    ["CDN$12", 1200],
    ["$CAD 12", 1200],
    ["CAD $12", 1200],
    ["12,50 $ CA", 1250],
    ["5 Canadian dollars", 500],
  ])("%s is %i cents of the shop's currency, without a note", (cell, value) => {
    expect(read(cell)).toEqual({ value });
  });

  it.each(["12€50", "50¢", "¢50", "2for100", "1.29.999", "€12–€15", "12 EUR/kg", "R 12"])(
    "%s is rejected",
    (cell) => {
      expect(read(cell)).toMatchObject({ problem: `Price “${cell}” is not a price` });
    },
  );

  it("notes rounding and currency", () => {
    expect(read("8.264463 EUR")).toEqual({
      value: 826,
      note: "Price “8.264463 EUR” was rounded to 8.26; Price “8.264463 EUR” says EUR, not CAD: it was read as $8.26",
    });
  });
});

it.each([
  ["#,##0.00\\ [$€-407]", "€"],
  ['_-"£"* #,##0.00_-', "£"],
  ["[$USD]\\ 0.00", "USD"],
  ["[$US$-409]0.00", "US$"],
  ['0.00 "EUR"', "EUR"],
  ["[$$-1009]#,##0.00;[Red]-[$$-1009]#,##0.00", null],
  ['"CAD" 0.00', null],
  ['0 "pcs"', null],
  ["General", null],
])("the format %s shows %s", (format, currency) => {
  expect(currencyOfFormat(format)).toBe(currency);
});
