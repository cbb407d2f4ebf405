import { expect, it } from "vitest";
import { readImport } from "../../../tests/support/read-import";
import { sheetXml, xlsx } from "../../../tests/support/spreadsheets";

it("text in one line has no line breaks, as Excel writes them", async () => {
  const sheet = sheetXml([
    ["name", "price", "category", "colors", "description"],
    ["Zx_x000D_ lamp", "5", "Home_x000D_\nDecor", "Oat_x000D_; Moss\t", "One_x000D_\nTwo"],
  ]);
  const { products, rejected } = await readImport("a.xlsx", {}, xlsx(sheet));
  expect(rejected).toEqual([]);
  expect(products).toMatchObject([{ name: "Zx lamp", category: "HOME_DECOR", colors: ["Oat", "Moss"] }]);
  expect(products[0]?.description).toBe("<p>One<br />Two</p>");
});
