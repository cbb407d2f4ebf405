import { expect, type Open, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const IMPORT = "/admin/products-management?dialog=bulk-upload";

/** Export of another shop: a ring in three sizes and a cup; a wrong factor of the prices is a mistake. */
const exportOf = (
  stamp: string,
  factor: number,
) => `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price
ring-${stamp},Ring ${stamp},Size,6,R6-${stamp},2,${40 * factor}
ring-${stamp},,,7,R7-${stamp},0,${40 * factor}
ring-${stamp},,,8,R8-${stamp},5,${55 * factor}
cup-${stamp},Cup ${stamp},Title,Default Title,C-${stamp},4,${12 * factor}
`;

interface Found {
  id: string;
  name: string;
  price: number;
  units: { sku: string; price: number; stock: number }[];
}

const found = async (name: string) => {
  const products = await staffCall("manager", `product/all?search=${encodeURIComponent(name)}`);
  return (products as unknown as Found[]).find((product) => product.name === name);
};

/** Uploads a file to the end, without JavaScript or with it. */
async function uploads(open: Open, file: string, javaScriptEnabled: boolean) {
  const page = await asStaff(open, "manager", IMPORT, { javaScriptEnabled });
  await page
    .getByLabel("Excel or CSV file")
    .setInputFiles({ name: "products_export.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: javaScriptEnabled ? "Upload 2 products" : "Upload" }).click();
  return page;
}

for (const javaScriptEnabled of [true, false])
  test(`a shop moves in with its export, and takes a wrong one back, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async ({
    open,
  }) => {
    const stamp = String(Date.now());
    const moved = await uploads(open, exportOf(stamp, 1), javaScriptEnabled);
    await expect(moved.getByText("2 created").first()).toBeVisible();
    const before = await found(`Ring ${stamp}`);
    expect(before?.units.map(({ sku, price, stock }) => [sku, price, stock])).toEqual([
      [`R6-${stamp}`, 40, 2],
      [`R7-${stamp}`, 40, 0],
      [`R8-${stamp}`, 55, 5],
    ]);
    const wrong = await uploads(open, exportOf(stamp, 10), javaScriptEnabled);
    await expect(wrong.getByText("2 updated").first()).toBeVisible();
    expect((await found(`Ring ${stamp}`))?.units[2]?.price).toBe(550);
    await wrong
      .getByRole("link", { name: /See what it changed|products_export\.csv/ })
      .first()
      .click();
    await expect(wrong.getByText("8: Own price").first()).toBeVisible();
    await wrong.getByRole("link", { name: "Take this upload back" }).click();
    await expect(wrong.getByRole("heading", { level: 1 })).toBeVisible();
    await wrong.getByRole("button", { name: "Take 2 products back" }).click();
    await expect(wrong.getByText("2 went back").first()).toBeVisible();
    expect(await found(`Ring ${stamp}`)).toEqual(before);
    expect((await found(`Cup ${stamp}`))?.price).toBe(12);
    for (const name of ["Ring", "Cup"]) {
      const product = await found(`${name} ${stamp}`);
      await staffCall("manager", `product/${product?.id}`, {}, "DELETE");
    }
  });
