import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** Loads modules of a shop in euros. */
async function inEuros<T>(code: string): Promise<T> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: "." },
    alias: { "~/domain/currency": "./tests/fixtures/euro.ts", "~": "./app" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
  });
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

const { dollars, parseAmount } = await inEuros<
  typeof import("~/domain/money") & typeof import("~/domain/typed-amount")
>(`export * from "~/domain/money"; export * from "~/domain/typed-amount";`);
const { parsePrice, numberStyle, currencyOfFormat } = await inEuros<
  typeof import("~/features/product-import/money") & typeof import("~/features/product-import/currency")
>(`export * from "~/features/product-import/money"; export * from "~/features/product-import/currency";`);
const { readQuery } = await inEuros<typeof import("~/features/catalogue/search-query")>(
  `export * from "~/features/catalogue/search-query";`,
);
const { CURRENCY_ROUNDING, cashStepCents } = await inEuros<typeof import("~/domain/cash-rounding")>(
  `export * from "~/domain/cash-rounding";`,
);

describe("a shop in euros", () => {
  it("writes and reads its sign", () => {
    expect(dollars(106_400)).toBe("€1,064.00");
    expect(parseAmount("€1,850.00")?.cents).toBe(185_000);
    expect(parseAmount("$1,850.00")).toBeNull();
  });

  const read = (price: string) => parsePrice(price, numberStyle([price]));

  it.each(["€12", "12 €", "EUR 12", "12 eur", "12 euros", "€ 12,00"])(
    "imports %j as a price of its own",
    (price) => {
      expect(read(price)).toEqual({ value: 1200 });
    },
  );

  it.each([
    ["$12", "$"],
    ["CA$12", "CA$"],
    ["12 CAD", "CAD"],
    ["12 dollars", "dollars"],
    ["£12", "£"],
  ])("imports %j with a note", (price, mark) => {
    expect(read(price)).toEqual({
      value: 1200,
      note: `Price “${price}” says ${mark}, not EUR: it was read as €12.00`,
    });
  });

  it("finds another currency in the format of a spreadsheet", () => {
    expect(
      ["$#,##0.00", "[$CA$] 0.00", "[$CAD] 0.00", "#,##0.00 [$€-407]", "[$EUR] 0.00"].map(currencyOfFormat),
    ).toEqual(["$", "CA$", "CAD", null, null]);
  });

  it("searches by prices", () => {
    const range = (query: string) => readQuery(query).price;
    for (const query of ["mug under €30", "mug 30 euros", "mug under $30", "mug eur 30"])
      expect(range(query), query).toEqual({ min: null, max: 3000 });
  });

  it("rounds nothing in cash until its settings say otherwise", () => {
    expect([CURRENCY_ROUNDING, cashStepCents(CURRENCY_ROUNDING), cashStepCents("0.10")]).toEqual([
      "none",
      1,
      10,
    ]);
  });
});
