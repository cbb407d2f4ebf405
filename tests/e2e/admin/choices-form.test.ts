import type { Page } from "@playwright/test";
import { IMAGES } from "../../fixtures/images";
import { expect, SCRIPTING, test } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";
import { asStaff, staffCall } from "../../support/staff";

const SHELF = "/admin/products-management";
const PICTURE = {
  name: "tee.jpg",
  mimeType: "image/jpeg",
  buffer: Buffer.from(IMAGES.wideJpeg, "base64"),
};

interface Stored {
  id: string;
  colors: string[];
  options: { name: string; values: string[] }[];
  units: { options: Record<string, string>; price: number; stock: number; sku: string }[];
}

async function stored(name: string): Promise<Stored> {
  const all = await (await fetchShop(`/api/product/all?search=${encodeURIComponent(name)}`)).json();
  const [{ id }] = all as [Stored];
  return (await staffCall("manager", `product/id/${id}`)) as unknown as Stored;
}

const counting = (page: Page) => page.getByRole("switch", { name: "Count stock for each choice" });

async function addValues(page: Page, option: string, values: string) {
  await page.getByLabel(`Add a value of ${option}`).fill(values);
  await page.keyboard.press("Enter");
}

async function save(page: Page, button: string, message: string) {
  await page.getByRole("dialog").getByRole("button", { name: button }).last().click();
  await page.getByText(message).first().waitFor();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("a barcode of 13 digits is seen whole on a phone", async ({ open }) => {
  const options = [{ name: "Colour", values: ["Red", "Sand"] }];
  const units = options[0]?.values.map((Colour) => ({ options: { Colour }, barcode: "2000000039993" }));
  const product = { name: "Phone matrix", price: 12, category: "OTHERS", options, units };
  const { id } = await staffCall("manager", "product", product);
  const page = await asStaff(open, "manager", `${SHELF}?edit=${id}`, {
    viewport: { width: 390, height: 844 },
  });
  const barcode = page.getByLabel("Barcode of Red");
  await barcode.scrollIntoViewIfNeeded();
  const [shown, needed] = await barcode.evaluate((input) => [input.clientWidth, input.scrollWidth]);
  expect(needed).toBeLessThanOrEqual(shown ?? 0);
});

test("a product in sizes and colours is made, changed and counted as a whole again", async ({ open }) => {
  const page = await asStaff(open, "manager", `${SHELF}?dialog=new`);
  await page.getByLabel("Name", { exact: true }).fill("Zebra tee");
  await page.getByLabel("Price", { exact: true }).fill("40");
  await counting(page).click();
  await addValues(page, "Colour", "Red, Sand");
  await page.getByRole("button", { name: "Add an option" }).click();
  await page.getByLabel("Name of option 2").fill("Size");
  await addValues(page, "Size", "S, M");
  await page.getByLabel("Stock of Red / S").fill("3");
  await page.getByRole("button", { name: "Fill down stock", exact: true }).click();
  await page.getByLabel("Price of Sand / M").fill("45.50");
  await page.locator("[name=files]").setInputFiles([PICTURE]);
  await page.getByText("tee.jpg", { exact: true }).waitFor();
  await save(page, "Add Product", "Product created successfully!");
  const created = await stored("zebra tee");
  expect(created.colors).toEqual(["Red", "Sand"]);
  expect(
    created.units.map(({ options, price, stock }) => [options.Colour, options.Size, price, stock]),
  ).toEqual([
    ["Red", "S", 40, 3],
    ["Red", "M", 40, 3],
    ["Sand", "S", 40, 3],
    ["Sand", "M", 45.5, 3],
  ]);

  await page.getByRole("link", { name: "Edit Zebra tee" }).click();
  await page.getByLabel("Colour, value 1").fill("Ruby");
  await page.getByRole("button", { name: "Remove Sand / S" }).click();
  await page.getByLabel("Stock of Ruby / M").fill("9");
  await save(page, "Update Product", "Product updated successfully!");
  const changed = await stored("zebra tee");
  expect(changed.units.map(({ options, stock }) => [options.Colour, options.Size, stock])).toEqual([
    ["Ruby", "S", 3],
    ["Ruby", "M", 9],
    ["Sand", "M", 3],
  ]);

  await page.getByRole("link", { name: "Edit Zebra tee" }).click();
  await counting(page).click();
  // A click on its text turns it too.
  const warning = page.getByText("Saving removes Size (S, M); the prices of single choices.");
  await warning.waitFor();
  await page.getByText("Count stock for each choice", { exact: true }).click();
  await expect(warning).toHaveCount(0);
  await expect(page.getByLabel("Price of Sand / M")).toHaveValue("45.50");
  await counting(page).click();
  await save(page, "Update Product", "Product updated successfully!");
  const whole = await stored("zebra tee");
  expect(whole.options).toEqual([]);
  expect(whole.colors).toEqual(["Ruby", "Sand"]);
  expect(whole.units).toMatchObject([{ stock: 15, price: 40 }]);

  await page.getByRole("link", { name: "Edit Zebra tee" }).click();
  await counting(page).click();
  await page.getByLabel("Stock of Ruby").fill("10");
  await page.getByLabel("Stock of Sand").fill("5");
  await save(page, "Update Product", "Product updated successfully!");
  const divided = await stored("zebra tee");
  expect(divided.units.map(({ options, stock }) => [options.Colour, stock])).toEqual([
    ["Ruby", 10],
    ["Sand", 5],
  ]);
});

/** Fields and buttons for a product in 4 sizes and 5 colours: at 3 seconds each, less than a minute. */
const MAX_STEPS = 18;

for (const [mode, javaScriptEnabled] of SCRIPTING)
  test(`a product in 4 sizes and 5 colours takes ${MAX_STEPS} steps ${mode}`, async ({ open }) => {
    const name = `Quick hoodie ${mode}`;
    const page = await asStaff(open, "manager", `${SHELF}?dialog=new`, { javaScriptEnabled });
    let steps = 0;
    const type = async (label: string | RegExp, text: string) => {
      steps++;
      await page.getByLabel(label, { exact: true }).last().fill(text);
    };
    const press = async (button: string | RegExp) => {
      steps++;
      await page.getByRole("button", { name: button, exact: true }).last().click();
    };
    await type("Name", name);
    await type("Price", "40");
    steps++;
    await counting(page).click();
    await type("Name of option 1", "Size");
    await type(/^Add a value of/, "S, M, L, XL");
    await press(/^Add to/);
    await press("Add an option");
    await type("Name of option 2", "Colour");
    await type(/^Add a value of/, "Red, Sand, Moss, Clay, Ink");
    await press(/^Add to/);
    await type("Stock of S / Red", "3");
    await press("Fill down stock");
    await type("Price of S / Ink", "46");
    await press("Fill down price of Ink");
    steps++;
    await page.locator("[name=files]").setInputFiles([PICTURE]);
    if (javaScriptEnabled) await page.getByText("tee.jpg", { exact: true }).waitFor();
    await press("Add Product");
    await page.getByText("Product created successfully!").first().waitFor();
    const { id, units } = await stored(name);
    expect(units).toHaveLength(20);
    expect(units.filter(({ stock }) => stock === 3)).toHaveLength(20);
    expect(units.filter(({ price, options }) => price === (options.Colour === "Ink" ? 46 : 40))).toHaveLength(
      20,
    );
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
    // Other journeys count the products of the shop.
    await staffCall("manager", `product/${id}`, {}, "DELETE");
  });

test("a field of a choice that is wrong is named, and nothing is sent", async ({ open }) => {
  const page = await asStaff(open, "manager", `${SHELF}?dialog=new`);
  await page.getByLabel("Name", { exact: true }).fill("Zebra cap");
  await page.getByLabel("Price", { exact: true }).fill("20");
  await counting(page).click();
  await addValues(page, "Colour", "Red, Sand");
  await page.getByLabel("Stock of Sand").fill("many");
  await page.locator("[name=files]").setInputFiles([PICTURE]);
  await page.getByText("tee.jpg", { exact: true }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Add Product" }).last().click();
  await expect(page.getByLabel("Stock of Sand")).toBeFocused();
  await expect(page.getByLabel("Stock of Sand")).toHaveAttribute("aria-invalid", "true");
});

test("the inventory opens the choice whose SKU is typed, also one beyond the first", async ({ open }) => {
  const sizes = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  await staffCall("manager", "product", {
    ...{ name: "Zebra sock", price: 5, category: "OTHERS" },
    options: [{ name: "Size", values: sizes }],
    units: sizes.map((Size) => ({ options: { Size }, stock: 2, sku: `SOCK-${Size}` })),
  });
  const page = await asStaff(open, "manager", "/admin/inventory-management");
  await page.getByLabel("Search", { exact: false }).first().fill("sock-9");
  await page.keyboard.press("Enter");
  const stock = page.getByLabel(/^Stock of Zebra sock \(9\)$/);
  await stock.fill("+5");
  await stock.press("Enter");
  await expect
    .poll(async () => (await stored("zebra sock")).units.map((unit) => unit.stock))
    .toEqual([...Array(8).fill(2), 7]);
  await expect(page.locator(".movements")).toContainText("9");
});
