import { expect, it } from "vitest";
import { NO_TAX } from "../tax";
import { customLine, foundUnits, priceProblem, productLine, sumLabel, titleOf, totalsOf } from "./draft";
import { onlyHit } from "./only-hit";

const lines = (...texts: string[]) => texts.map((description) => ({ description }));

it.each([
  [lines(" Slate coaster "), "Slate coaster"],
  [lines("Slate coaster", "", "Oak board", "Box"), "Slate coaster and 2 more"],
  [lines("a".repeat(300), "Box"), `${"a".repeat(189)} and 1 more`],
  [lines("", " "), ""],
])("names a quote after its lines, %#", (of, title) => {
  expect(titleOf(of)).toBe(title);
});

it.each([
  ["12.50", null, "$13.50"],
  ["1 850,00", null, "$1,851.00"],
  ["", null, "$1.00"],
  ["12,50", "Cents follow a point, not a comma: write it like 12.50", "–"],
  ["-4.80", "To give a discount, lower the price", "–"],
  ["twelve", "Write it like 1850.00", "–"],
])("reads a price of %o as the server does, also in the sum", (price, problem, sum) => {
  const line = { ...customLine("Slate coaster"), price };
  expect(priceProblem(line)).toBe(problem);
  expect(sumLabel([line, { ...line, price: "1" }])).toBe(sum);
});

it("pays the documents of two businesses in the order of their lines, as the server does", () => {
  const line = (businessType: "LASER" | "EMPORIA", price: string) => ({
    ...customLine("Sign", businessType),
    price,
  });
  const tender = {
    parts: [{ mode: "CARD" as const, amountCents: 301 }],
    rest: "CASH" as const,
    stepCents: 5,
  };
  const rules = { LASER: NO_TAX, EMPORIA: NO_TAX };
  const { totals, paid } = totalsOf([line("LASER", "5.03"), line("EMPORIA", "5.01")], rules, tender);
  expect(totals.map(({ business, totalCents }) => [business, totalCents])).toEqual([
    ["LASER", 501],
    ["EMPORIA", 500],
  ]);
  expect(paid).toContainEqual({ mode: "CASH", amountCents: 700 });
});

const unit = (productId: string, name: string, choice = "", available = 1) => ({
  ...{ id: name, productId, choice, available },
  name: choice ? `${name} (${choice})` : name,
});
const CASES = [unit("case", "Case", "Moss", 0), unit("case", "Case", "Sand"), unit("case", "Case", "Clay")];
it.each([
  ["mug", [unit("mug", "Tall mug")], "Tall mug"],
  ["mug", [unit("a", "Tall mug"), unit("b", "Low mug")], undefined],
  ["Mug ", [unit("a", "Tall mug"), unit("b", "Mug")], "Mug"],
  ["cas", CASES, "Case (Sand)"],
  ["case", [unit("box", "Case of pens"), ...CASES], "Case (Sand)"],
  ["Case (Moss)", CASES, "Case (Moss)"],
  ["cas", [...CASES, unit("box", "Case of pens")], undefined],
  ["mug", [], undefined],
])("finds what %o means by itself", (text, found, name) => {
  expect(onlyHit(text, found)?.name).toBe(name);
});

it.each([
  [{ color: "Sand / M" }, "Case (Sand / M)"],
  [{ color: "Sand / M", engraving: "Noor" }, "Case (Sand / M, “Noor”)"],
  [{ engraving: "Noor" }, "Case (Sand / M) (“Noor”)"],
  [{}, "Case (Sand / M)"],
])("writes the choice of a unit once: %o", (chosen, description) => {
  const product = {
    ...unit("case", "Case", "Sand / M"),
    ...{ category: "PHONE_CASE", priceCents: 2000, image: null, colors: [], isHidden: false, heldPieces: 0 },
  };
  expect(productLine(product, 1, chosen).description).toBe(description);
});

it("lists the units that share a code alone, all of them, else those of the products found", () => {
  const units = (product: string, barcode: string) =>
    ["S", "M"].map((Size) => ({
      ...{
        id: `${product}-${Size}`,
        options: { Size },
        sku: `T-${Size}`,
        barcode: Size === "S" ? barcode : "",
      },
      ...{ price: 5, available: 1, image: "" },
    }));
  const product = (id: string, barcode: string) => ({
    ...{ id, name: id, category: "OTHERS", imageUrls: [], units: units(id, barcode) },
  });
  const products = [product("Tee", "400"), product("Case", "400")];
  const names = (text: string) => foundUnits(products, text).map(({ name }) => name);
  expect(names(" 400 ")).toEqual(["Tee (S)", "Case (S)"]);
  expect(names("t-m")).toEqual(["Tee (M)", "Case (M)"]);
  expect(names("t")).toHaveLength(4);
  // What else has the text in its name stays beside the only one with the code.
  const [tee, other] = [product("Tee", "400"), product("400 cards", "500")];
  expect(foundUnits([tee, other], "400").map(({ id }) => id)).toEqual([
    "Tee-S",
    "Tee-M",
    "400 cards-S",
    "400 cards-M",
  ]);
});
