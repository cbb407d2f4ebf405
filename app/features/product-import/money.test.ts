import { describe, expect, it } from "vitest";
import { numberStyle, parsePrice, parseStock } from "./money";

const price = (cell: string | number, column: (string | number)[] = [cell]) => {
  const read = parsePrice(cell, numberStyle(column));
  return "value" in read ? read.value : read.problem;
};
const stock = (cell: string | number, column: (string | number)[] = [cell]) => {
  const read = parseStock(cell, numberStyle(column), 1_000_000);
  return "value" in read ? read.value : read.problem;
};

describe("a price in a spreadsheet", () => {
  it.each([
    ["12.5", 1250],
    [12.5, 1250],
    [29.99, 2999],
    ["$1,299.00", 129_900],
    ["12,50", 1250],
    ["12,5", 1250],
    ["1.299,00 €", 129_900],
    ["€ 1.299,5", 129_950],
    ["1 299,00\u00a0€", 129_900],
    ["1'299.00", 129_900],
    ["CA$ 5", 500],
    ["USD 5.00", 500],
    ["5 CAD", 500],
    ["CAD5", 500],
    ["HK$5", 500],
    ["R$ 12", 1200],
    ["12,50 zł", 1250],
    ["25,50Kč", 2550],
    ["5 Ft", 500],
    ["5 руб.", 500],
    ["1 234 567", 123_456_700],
    ["1,299", 129_900],
    ["1,234,567.89", 123_456_789],
    ["1.234.567,89", 123_456_789],
    ["1,234,567", 123_456_700],
    ["12,-", 1200],
    [".99", 99],
    ["19.9900", 1999],
    ["99,999,999.99", 9_999_999_999],
    ["C $24.50", 2450],
    ["AU $19.99", 1999],
    ["Rs. 500", 50_000],
    ["₹1,29,999.00", 12_999_900],
    ["99:-", 9900],
    ["'12.50", 1250],
    ["\u200b12.50", 1250],
  ])("%s is %i cents", (cell, cents) => {
    expect(price(cell)).toBe(cents);
  });

  it.each([
    ["free", "Price “free” is not a price"],
    ["call us", "Price “call us” is not a price"],
    ["0", "Price “0” is not above 0"],
    [0, "Price “0” is not above 0"],
    ["-1", "Price “-1” is not above 0"],
    ["12 50", "Price “12 50” is not a price"],
    ["99 9", "Price “99 9” is not a price"],
    ["1 23,4", "Price “1 23,4” is not a price"],
    ["12 3456", "Price “12 3456” is not a price"],
    ["1234 567", "Price “1234 567” is not a price"],
    ["12-13", "Price “12-13” is not a price"],
    ["1,23,45", "Price “1,23,45” is not a price"],
    ["1.005", "Price “1.005” is ambiguous"],
    ["NaN", "Price “NaN” is not a price"],
    ["1e309", "Price “1e309” is not a price"],
    [1e300, "Price “1e+300” is not a price"],
    ["100,000,000.00", "Price “100,000,000.00” is more than 99,999,999.99"],
    ["=1+1", "Price “=1+1” is not a price"],
  ])("rejects %s", (cell, problem) => {
    expect(price(cell)).toBe(problem);
  });

  it("reads 1.299 as thousands where the column writes decimals with a comma, and not otherwise", () => {
    expect(price("1.299", ["1.299", "12,50"])).toBe(129_900);
    expect(price("1,299", ["1,299", "12.50"])).toBe(129_900);
  });

  it.each([
    ["1.850", "Price “1.850” is ambiguous"],
    ["1,850", "Price “1,850” is ambiguous"],
    ["$1,850", "Price “$1,850” is ambiguous"],
    ["-1,850", "Price “-1,850” is ambiguous"],
    ["850,125", "Price “850,125” is ambiguous"],
    ["1,850.00", 185_000],
    ["1.850,00", 185_000],
    ["1,850,000", 185_000_000],
    ["1 850", 185_000],
    ["1850", 185_000],
    ["0,850", 85],
    [1.85, 185],
  ])("reads %s beside 12,50 and 9.99 as %s", (cell, expected) => {
    for (const others of [
      ["12,50", "9.99"],
      ["12,5000", "9.99"],
      ["12,50", "9.9900"],
    ])
      expect(price(cell, [cell, ...others])).toBe(expected);
  });

  it("reads 1,850 as thousands without a mark beside it, and refuses 1.850", () => {
    expect(price("1,850")).toBe(185_000);
    expect(price("1.850")).toBe("Price “1.850” is ambiguous");
  });

  it("reads the decimals of a number in the other notation than its column", () => {
    expect(price("1,234.50", ["1,234.50", "12,3456"])).toBe(123_450);
    expect(price("1.234,50", ["1.234,50", "12.3456"])).toBe(123_450);
  });

  it.each([
    ["12.375", ["12.50"], 1238],
    ["1.299", ["12.50"], 130],
    ["12.374", ["1,299.00"], 1237],
    ["12,375", ["12,50"], 1238],
    ["1,299", ["12,50"], 130],
    ["0.375", [], 38],
    [".375", [], 38],
    ["0,375", [], 38],
    ["0,375", ["12.50"], 38],
    ["0.375", ["12,50"], 38],
    ["1234.375", [], 123_438],
    ["1,234.375", [], 123_438],
  ])("rounds %s beside %j, whose decimal mark is certain", (cell, others, value) => {
    const note = `Price “${cell}” was rounded to ${(value / 100).toFixed(2)}`;
    expect(parsePrice(cell, numberStyle([cell, ...others]))).toEqual({ value, note });
  });
});

describe("a stock in a spreadsheet", () => {
  it.each([
    ["7", 7],
    [7, 7],
    ["1,200", 1200],
    ["12.0", 12],
    ["1 000", 1000],
    ["0", 0],
    ["1,000,000", 1_000_000],
    ["0,000", 0],
    ["0.000", 0],
  ])("%s is %i", (cell, value) => {
    expect(stock(cell)).toBe(value);
  });

  it("of thousands is ambiguous where decimals have both marks", () => {
    for (const cell of ["1,000", "1.000"])
      expect(stock(cell, [cell, "1,5", "1.5"])).toBe(`Stock “${cell}” can mean thousands or decimals`);
    expect(stock("1,200", ["1,200", "1,5", "1.5"])).toBe(1200);
    expect(stock("0,850")).toBe("Stock “0,850” is not a whole number");
  });

  it.each(["1,000", "1,200"])("%s may have decimals beside 12,50", (cell) => {
    expect(stock(cell, [cell, "12,50"])).toBe(`Stock “${cell}” can mean thousands or decimals`);
    expect(stock(cell, [cell, "12.50"])).toBe(Number(cell.replace(",", "")));
  });

  it.each(["-3", -3, "-1,200"])("reads %s as 0, with a note", (cell) => {
    expect(parseStock(cell, numberStyle([cell]), 1_000_000)).toEqual({
      value: 0,
      note: `Stock “${cell}” is below 0: it is stored as 0`,
    });
  });

  it.each([
    ["-1.5", "Stock “-1.5” is not a whole number"],
    ["many", "Stock “many” is not a number"],
    ["1.5", "Stock “1.5” is not a whole number"],
    [1_000_001, "Stock “1000001” is more than 1,000,000"],
  ])("rejects %s", (cell, problem) => {
    expect(stock(cell)).toBe(problem);
  });
});
