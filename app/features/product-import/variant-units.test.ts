import { describe, expect, it } from "vitest";
import { readImport as read } from "../../../tests/support/read-import";

describe("rows of variants in exports of other systems", () => {
  it.each([
    [
      "square_min.csv",
      "Variation",
      [
        ["Small", 1200, 10, "C-S"],
        ["Large", 1800, 4, "C-L"],
      ],
    ],
    [
      "squarespace_min.csv",
      "Size",
      [
        ["6", 4000, 3, "R-1"],
        ["7", 4000, 2, "R-2"],
      ],
    ],
    [
      "wix_min.csv",
      "Color",
      [
        ["Red", 2500, 4, null],
        ["Blue", 2500, 6, null],
      ],
    ],
    ["magento_min.csv", "Size/Color", [["S/Black", 4500, 100, "MH01-S-Black"]]],
    [
      "bigcommerce_min.csv",
      "Color",
      [
        ["Red", 4400, 3, "LAMP-R"],
        ["Blue", 3900, 4, "LAMP-B"],
      ],
    ],
    [
      "loyverse_min.csv",
      "Color",
      [
        ["Red", 2000, 3, "10000"],
        ["Blue", 2200, 4, "10001"],
      ],
    ],
    [
      "shopify_inventory.csv",
      "Size",
      [
        ["S", null, 7, "T-S"],
        ["M", null, 4, "T-M"],
      ],
    ],
  ])("the variants of %s are units by %s", async (file, names, expected) => {
    const units = (await read(file)).products[0]?.units;
    expect(units?.options.map(({ name }) => name).join("/")).toBe(names);
    expect(
      units?.units.map(({ values, cents, stock, sku }) => [values.join("/"), cents, stock, sku]),
    ).toEqual(expected);
  });

  it("are read as one product where its places are counted apart", async () => {
    const file =
      "Handle,Title,Option1 Name,Option1 Value,Location,On hand (new)\nring,Ring,Size,6,Main,3\nring,Ring,Size,6,Back,2\n";
    const { products } = await read("a.csv", {}, new TextEncoder().encode(file));
    expect(products[0]?.units?.units).toMatchObject([{ values: ["6"], stock: 5 }]);
  });

  it.each([
    ["of one choice", "S,5", "S,6", "Rows 2 and 3 have the same choice, S"],
    ["of choices that differ in case", "S,5", "s,6", "Rows 2 and 3 have the same choice, S"],
    ["without a value", "S,5", ",6", "Row 3 has no Size"],
  ])("%s are one clear error", async (_, first, second, problem) => {
    const file = `Handle,Title,Option1 Name,Option1 Value,Variant Price\ncup,Cup,Size,${first}\ncup,,,${second}\n`;
    const { rejected, products } = await read("a.csv", {}, new TextEncoder().encode(file));
    expect([products, rejected[0]?.[1]]).toEqual([[], expect.stringContaining(problem)]);
  });
});
