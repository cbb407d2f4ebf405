import { expect, it } from "vitest";
import { readImport } from "../../../tests/support/read-import";

const read = (text: string) => readImport("a.csv", {}, new TextEncoder().encode(text));

it.each([
  "Total",
  "TOTAL:",
  "Totals",
  "**Total**",
  "Total (2 items)",
  "Total 2 items",
  "Total: 11.00",
  "Total = $11.00",
  "Total (CAD)",
  "Total value",
  "Grand total",
  "Sub-total",
  "Subtotal",
  "Sum",
  "Summe",
  "Zwischensumme",
  "Gesamt",
  "Gesamtsumme",
  "Sous-total",
  "Total général",
  "Total HT",
  "Totale",
  "Итого",
  "合计",
  "Σύνολο",
  "ΣΥΝΟΛΟ",
  "Μερικό σύνολο",
  "Γενικό σύνολο",
  "รวม",
  "ยอดรวม",
  "รวมทั้งสิ้น",
  "Toplam",
  "Ara toplam",
  "Genel Toplam",
  "المجموع",
  "المجموع الفرعي",
  "الإجمالي",
  "إجمالي",
  'סה""כ',
  "סה״כ",
  "סך הכל",
  "합계",
  "소계",
  "총 합계",
  "कुल",
  "कुल योग",
  "Tổng cộng",
  "Összesen",
  "Mindösszesen",
  "Total general",
  "Разом",
  "Усього",
  "Подытог",
  "Общий итог",
  "Jumlah",
  "Yhteensä",
  "Celkem",
  "جمع کل",
  "Total Jewelry",
  "Total for Jewelry",
  "Jewelry subtotal",
  "Page 1 total",
])("%s is a row of totals, also among others", async (name) => {
  const { products, skipped } = await read(
    `name,price,stock,category\nCup,5,1,Jewelry\n"${name}",5,1,\nHat,6,1,Jewelry\n"${name}",11,2,\n`,
  );
  expect(products.map((each) => each.name)).toEqual(["Cup", "Hat"]);
  expect(skipped).toEqual([
    [3, "Is a row of totals"],
    [5, "Is a row of totals"],
  ]);
});

it.each([
  "Total Eclipse poster",
  "Total 90",
  "Totalizer",
  "Summer hat",
  "Sum 41 shirt",
  "Gesamtkunstwerk",
  "Some sum",
  "Total Cup",
  "Tong",
  "कल",
  "รวมมิตร",
  "Разом краще",
  "Jumlahan",
  "Subtotal candle",
])("%s is a product", async (name) => {
  const { products, skipped } = await read(`name,price,stock,category\nCup,5,1,Jewelry\n${name},6,1,\n`);
  expect([products.map((each) => each.name), skipped]).toEqual([["Cup", name], []]);
});

it("skips rows of nothing but characters that show nothing, and takes no row for their total", async () => {
  const { products, skipped, rejected } = await read(
    "name,price,stock\nCup,5,1\n\0\0,\0,\0\n\u200b,,\nMug,6,1\n",
  );
  expect([products.map((each) => each.name), skipped, rejected]).toEqual([["Cup", "Mug"], [], []]);
});

it("leaves out subtotals of headings, and the total of all", async () => {
  const { skipped } = await read(
    "Item;Price;Stock\nRings;;\nA;5;1\nTotal Rings;5;1\nCups;;\nB;6;1\nCups total;6;1\nGrand Total;11;2\n",
  );
  expect(skipped.map(([row]) => row)).toEqual([4, 7, 8]);
});

it("keeps a product called Total that has a description or a key", async () => {
  expect((await read("name,price,description\nTotal,5,A yogurt\n")).products).toHaveLength(1);
  expect((await read("id,name,price\n7,Total,5\n")).products).toHaveLength(1);
});

it.each([
  ["QuickBooks", "Product/Service Name,Sales Price / Rate,Quantity On Hand\nBowl,45,7\nTOTAL,45,7\n"],
  ["Lightspeed", "System ID,Item,Qty.,Price,Category\n1,Bell,4,29.99,Bikes\n,Total,4,29.99,\n"],
])("leaves out those in a file of %s", async (_, file) => {
  expect((await read(file)).skipped).toEqual([[3, "Is a row of totals"]]);
});
