import { describe, expect, it } from "vitest";
import { readImport as read } from "../../../tests/support/read-import";
import type { MappingChoices } from "./layouts/recognise";

const combination = (impact: string) =>
  new TextEncoder().encode(
    `Product ID;Attribute (Name:Type);Value (Value:Position);Impact on price;Quantity\n7;Size:select;S:0;${impact};1\n`,
  );

describe("prices of variants", () => {
  it.each([
    ["name,price,stock\nEyes Six,7,1\nEyes Six,5,2\n", 3],
    ["name,price\nEyes Six,7\nEyes Six,5\n", null],
    ["name,price,stock\nEyes Six,7,1\nEyes Six,,\nEyes Six,5,2\n", 3],
    ["handle,name,price,stock\neyes,Eyes Six,7,1\neyes,Eyes Six,5,3\n", 3],
  ])("asks which price of rows of one product counts: %j", async (text, stock) => {
    const file = new TextEncoder().encode(text);
    const rows = text.trim().split("\n").slice(1);
    const problem = "Its variants cost $7.00, $5.00. Choose the lowest, the highest or the first price";
    expect(await read("a.csv", {}, file)).toMatchObject({
      products: [],
      rejected: rows.map((_, at) => [2 + at, problem]),
    });
    for (const [variantPrice, price] of [
      ["lowest", 500],
      ["highest", 700],
      ["first", 700],
    ] as const)
      expect(await read("a.csv", { variantPrice }, file)).toMatchObject({
        products: [{ name: "Eyes Six", price, stock }],
        rejected: [],
      });
  });

  it("adds the surcharge of each variant in a Wix catalogue to its product's price", async () => {
    const wix = (first: string, second: string, price = "20.0") =>
      new TextEncoder().encode(
        `handleId,fieldType,name,price,surcharge,inventory,productOptionName1,productOptionDescription1
p,Product,Zq Card,${price},0.0,InStock,Size,S;M\np,Variant,,,${first},4,,S\np,Variant,,,${second},6,,M\n`,
      );
    const pricesOf = async (file: Uint8Array<ArrayBuffer>) => {
      const { products, rejected } = await read("a.csv", {}, file);
      return products[0]?.units?.units.map(({ cents }) => cents) ?? rejected[0]?.[1];
    };
    expect(await pricesOf(wix("0.0", "0.0"))).toEqual([2000, 2000]);
    expect(await pricesOf(wix("0.1", "0.1", "20.2"))).toEqual([2030, 2030]);
    expect(await pricesOf(wix("-5.0", "-5.0"))).toEqual([1500, 1500]);
    expect(await pricesOf(wix("", "5.0"))).toEqual([2000, 2500]);
    expect(await pricesOf(wix("five", "five"))).toMatch(/^Row 3: Price “20\.0 \+ five” is not a price/);
    const { unread } = await read("wix_min.csv");
    expect(unread).not.toContain("surcharge");
  });

  it.each([
    ["2,50", 250],
    ["-1,500000", -150],
    ["0", 0],
    ["0,000000", 0],
    ["-0", 0],
    ["0,00 €", 0],
    ["", undefined],
    [" ", undefined],
  ])("reads %j as the impact of a combination of PrestaShop: %j", async (cell, cents) => {
    const { products } = await read("a.csv", {}, combination(cell));
    expect(products[0]?.units?.units[0]?.surchargeCents).toBe(cents);
  });

  it.each(["none", "-", "n/a", "0 or so", "€"])("rejects the impact %j", async (cell) => {
    const { rejected } = await read("a.csv", {}, combination(cell));
    expect(rejected[0]?.[1]).toContain(`Price “${cell}” is not a price`);
  });

  it("reads them in the notation of all prices of the column", async () => {
    const rejected = async (other: string) => {
      const file = `Handle,Title,Variant Price\nmug,Mug,9.50\ncup,Cup,"1,850"\ncup,,${other}\n`;
      return (await read("a.csv", { variantPrice: "first" }, new TextEncoder().encode(file))).rejected;
    };
    expect(await rejected("9.75")).toEqual([]);
    expect((await rejected('"9,75"'))[0]?.[1]).toMatch(/^Price “1,850” is ambiguous/);
  });

  it("names the prices of variants where a layout takes the first", async () => {
    const file = new TextEncoder().encode(
      "Handle,Title,Variant Price,Variant Inventory Qty\nmug,Mug,9,1\nmug,,9.50,2\ncup,Cup,4,1\ncup,,4.00,1\n",
    );
    const mug = async (choices?: Partial<MappingChoices>) => (await read("a.csv", choices, file)).products[0];
    const note = "Its variants cost $9.00, $9.50. It gets the first";
    expect(await mug()).toMatchObject({ price: 900, notes: expect.arrayContaining([note]) });
    expect((await mug({ variantPrice: "highest" }))?.price).toBe(950);
    expect((await mug({ variantPrice: "highest" }))?.notes).not.toContain(note);
    expect((await read("a.csv", {}, file)).products[1]?.notes.join()).not.toContain("variants cost");
  });
});
