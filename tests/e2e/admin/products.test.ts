import type { BrowserContextOptions, Page } from "@playwright/test";
import { IMAGES } from "../../fixtures/images";
import { SPREADSHEETS } from "../../fixtures/spreadsheets";
import { accessibilityProblems, expect, type Open, test } from "../../support/browser";
import { fetchRoute, fetchShop } from "../../support/running-shop";
import { asStaff, staffCall } from "../../support/staff";

const SHELF = "/admin/products-management";
const IMPORT = `${SHELF}?dialog=bulk-upload`;
const WITHOUT_SCRIPT = { javaScriptEnabled: false };

const openAsManager = (open: Open, path: string, options?: BrowserContextOptions) =>
  asStaff(open, "manager", path, options);
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.className);
const picture = (name: keyof typeof IMAGES, as: string) => ({
  name: as,
  mimeType: "image/jpeg",
  buffer: Buffer.from(IMAGES[name], "base64"),
});
const sheet = (name: keyof typeof SPREADSHEETS) => ({
  name: `lager.${name}`,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(SPREADSHEETS[name], "base64"),
});

interface Shown {
  id: string;
  price: number;
  description: string;
  colors: string[];
  imageUrls: string[];
}

/** Finds the only product of a search. */
async function found(search: string): Promise<Shown> {
  const answer = await fetchShop(`/api/product/all?raw=1&search=${encodeURIComponent(search)}`);
  const all = (await answer.json()) as Shown[];
  expect(all).toHaveLength(1);
  return all[0] as Shown;
}

test.describe("a product with pictures", () => {
  test("is added with images resized in the browser, then edited and deleted", async ({ open }) => {
    const page = await openAsManager(open, `${SHELF}?dialog=new`);
    const editor = page.getByRole("textbox", { name: "Description" }).and(page.locator("[contenteditable]"));
    await editor.click();
    await page.keyboard.type("Woven by hand");
    await page.getByLabel("Name").fill("Zanzibar basket");
    await page.getByLabel("Price", { exact: true }).fill("48.50");
    await page.getByLabel("Add a color").fill("Straw");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove Straw" }).waitFor();
    await page
      .locator("[name=files]")
      .setInputFiles([
        picture("wideJpeg", "wide.jpg"),
        picture("turnedJpeg", "turned.jpg"),
        { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") },
      ]);
    await sees(page, "Unsupported image format: drawing.svg");
    await page.getByText("turned.jpg", { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Move image 2 earlier" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Add Product" }).last().click();
    await sees(page, "Product created successfully!");
    await page.getByRole("link", { name: "Edit Zanzibar basket" }).waitFor();
    const product = await found("zanzibar");
    expect(product).toMatchObject({ price: 48.5, colors: ["Straw"] });
    expect(product.description).toContain("Woven by hand");
    expect(product.imageUrls).toHaveLength(2);

    await page.getByRole("link", { name: "Edit Zanzibar basket" }).click();
    const price = page.getByLabel("Price", { exact: true });
    await price.fill("51");
    await page.getByRole("button", { name: "Remove image 2" }).click();
    const update = page.getByRole("button", { name: "Update Product" });
    // A colleague is faster: the field says so, and no other one.
    await staffCall("admin", `product/${product.id}`, { price: 49 }, "PUT");
    await update.click();
    await expect(page.locator("#product-price-error")).toHaveText("Now $49.00");
    await expect(price).toBeFocused();
    await expect(page.getByRole("dialog").locator("[aria-invalid=true]")).toHaveCount(1);
    await expect(page.locator(".save-steps li[data-state=failed]")).toHaveText("Product failed");
    await update.click();
    await sees(page, "Product updated successfully!");
    expect(await found("zanzibar")).toMatchObject({ price: 51, imageUrls: [product.imageUrls[0]] });
    await page.getByRole("link", { name: "Delete Zanzibar basket" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await sees(page, "Product deleted successfully!");
  });

  test("is saved when its image upload fails, and the form continues from there", async ({ open }) => {
    const page = await openAsManager(open, `${SHELF}?dialog=new`);
    let broken = true;
    await page.route("**/api/storage/upload", (route) =>
      broken ? route.fulfill({ status: 429, json: { ERR_MSG: "Please try again." } }) : route.continue(),
    );
    // The first response is lost; the second one is delayed.
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    let tries = 0;
    await page.route("**/api/product", async (route) => {
      tries += 1;
      const response = await fetchRoute(route);
      if (tries === 1) return route.abort("internetdisconnected");
      await mayGoOn;
      await route.fulfill({ response });
    });
    await page.locator("[contenteditable]").waitFor();
    await page.getByLabel("Name").fill("Quokka plush");
    await page.getByLabel("Price", { exact: true }).fill("20");
    const add = page.getByRole("button", { name: "Add Product" }).last();
    await add.click();
    await sees(page, "At least one image is required");
    await expect.poll(() => focused(page)).toBe("product-files");
    await page.locator("[name=files]").setInputFiles(picture("wideJpeg", "wide.jpg"));
    await page.getByText("wide.jpg", { exact: true }).waitFor();
    await add.click();
    await sees(page, "Failed to save product: The connection broke. Please try again.");
    await expect.poll(() => focused(page)).toBe("form-error");
    await add.click();
    await sees(page, "Waiting");
    const dialog = page.getByRole("dialog", { name: "Add Product" });
    await dialog.getByRole("button", { name: "Saving..." }).waitFor();
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
    for (const key of ["Escape", "x", "Escape"]) await page.keyboard.press(key);
    expect(await accessibilityProblems(page)).toEqual([]);
    goOn();
    await sees(page, "Failed to upload images: Please try again.");
    await sees(page, "“Quokka plush” has been added, but not all of its images.");
    await expect.poll(() => focused(page)).toBe("form-error");
    const { id } = await found("quokka");
    broken = false;
    await page
      .getByRole("dialog", { name: "Edit Product" })
      .getByRole("link", { name: "Close" })
      .last()
      .click();
    await sees(page, "The product has been added; what is left isn’t saved.");
    await page.getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("button", { name: "Try again" }).click();
    await sees(page, "Product created successfully!");
    const product = await found("quokka");
    expect([product.id, product.imageUrls.length]).toEqual([id, 1]);
  });

  test("is asked about once before a stock below what is on hold, and before a tenfold stock or price", async ({
    open,
  }) => {
    const { imageUrls } = await found("mushroom table lamp");
    const { productId } = await staffCall("admin", "product", {
      ...{ name: "Awaited umbrella", price: 5, stock: 3, category: "OTHERS", imageUrls },
    });
    const stored = async () => (await staffCall("admin", `product/id/${productId}`)).stock;
    const until = { seconds: Math.floor(Date.now() / 1000) + 7200 };
    await staffCall("admin", "hold", { until, lines: [{ productId, quantity: 3 }] });
    const page = await openAsManager(open, `${SHELF}?edit=${productId}`);
    const update = page.getByRole("button", { name: "Update Product" });
    for (const [stock, question] of [
      ["30", "3 → 30?"],
      ["1", "3 on hold, more than 1."],
    ] as const) {
      await page.getByLabel("Stock", { exact: true }).fill(stock);
      await update.click();
      await sees(page, `Stock: ${question} Press again to save it anyway.`);
      expect(await stored()).toBe(3);
    }
    await page.getByLabel("Price", { exact: true }).fill("50");
    await update.click();
    await sees(page, "Price: $5.00 → $50.00? Stock: 3 on hold, more than 1. Press again to save it anyway.");
    await update.click();
    await sees(page, "Product updated successfully!");
    expect(await stored()).toBe(1);
  });

  test("closes on Escape and returns the focus to its row, also after a reload", async ({ open }) => {
    const page = await openAsManager(open, SHELF);
    const edit = page.getByRole("link", { name: /^Edit / }).first();
    await edit.click();
    await page.locator("[contenteditable]").waitFor();
    await page.reload();
    await page.locator("[contenteditable]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await expect.poll(() => edit.evaluate((link) => link === document.activeElement)).toBe(true);
  });

  test("is added and edited without JavaScript", async ({ open }) => {
    const page = await openAsManager(open, `${SHELF}?dialog=new`, WITHOUT_SCRIPT);
    await page.getByLabel("Name").fill("Okapi scarf");
    await page.getByLabel("Price", { exact: true }).fill("-1");
    await page.getByLabel("Description").fill("Warm\nand long");
    await page.getByRole("button", { name: "Add Product" }).click();
    await sees(page, "Price must be above 0");
    await sees(page, "At least one image is required");
    await page.getByLabel("Price", { exact: true }).fill("30");
    await page.getByLabel("Add a color").fill("Sand, Brown");
    await page
      .locator("[name=files]")
      .setInputFiles([picture("turnedJpeg", "a.jpg"), picture("opaquePng", "b.png")]);
    await page.getByRole("button", { name: "Add Product" }).click();
    await sees(page, "Product created successfully!");
    const product = await found("okapi");
    expect(product).toMatchObject({ description: "<p>Warm<br />and long</p>", colors: ["Sand", "Brown"] });
    await page.goto(`${SHELF}?edit=${product.id}`);
    await page.getByLabel("Position of image 2").fill("1");
    await page.getByLabel("Position of image 1").fill("2");
    await page.getByRole("checkbox", { name: "Brown" }).uncheck();
    for (const keep of await page.getByLabel("Keep").all()) await keep.uncheck();
    await page.getByRole("button", { name: "Update Product" }).click();
    await sees(page, "At least one image is required");
    for (const keep of await page.getByLabel("Keep").all()) await keep.check();
    await page.getByRole("button", { name: "Update Product" }).click();
    await sees(page, "Product updated successfully!");
    expect(await found("okapi")).toMatchObject({
      colors: ["Sand"],
      imageUrls: product.imageUrls.toReversed(),
    });
  });
});

test.describe("product import", () => {
  test("plans, maps an unknown category, commits and reports the result", async ({ open }) => {
    // Unique names, since a repetition finds the products of the first run.
    const stamp = Date.now();
    const page = await openAsManager(open, IMPORT);
    let hasSent = false;
    page.on("request", (request) => {
      hasSent ||= request.url().endsWith("/plan");
    });
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, "a");
    await page
      .getByLabel("Excel or CSV file")
      .setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: large });
    await sees(page, "The file is larger than 10 MB");
    expect(hasSent).toBe(false);
    const cents = String(stamp % 100).padStart(2, "0");
    const file = `name,Buy Price,Sell Price,category,Note ${stamp}
Lamp ${stamp},15,40,Gizmo ${stamp},Fragile
Stone bead bracelet,9,${stamp % 1000}1.${cents},,
Broken,1,free,,
`;
    await page
      .getByLabel("Excel or CSV file")
      .setInputFiles({ name: "new.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
    const price = page.getByRole("group", { name: "Which column is your price?" });
    await expect(price.getByRole("radio", { name: "Buy Price" })).toBeDisabled();
    // Not check(), which asks for the state of a radio that the answer takes away.
    await price.getByRole("radio", { name: "Sell Price" }).click();
    await page.getByRole("button", { name: "Upload 1 row" }).waitFor();
    await sees(page, `Not taken over: “Buy Price”, “Note ${stamp}”`);
    await page.getByLabel(`Category of Gizmo ${stamp}`).selectOption("HOME_DECOR");
    await page.getByRole("button", { name: "Upload 2 rows" }).waitFor();
    await sees(page, "Home Decor, $40.00, 0 in stock");
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height });
    const row = page.locator(".data-grid.rows tr").filter({ hasText: `Lamp ${stamp}` });
    for (const cell of await row.getByRole("cell").all()) await expect(cell).toBeVisible();
    await expect(row).toContainText("Home Decor, $40.00, 0 in stock");
    await page.setViewportSize({ width, height });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Upload 2 rows" }).click();
    await sees(page, "1 created");
    await sees(page, "1 updated");
    await sees(page, /^Row 4: Price “free” is not a price/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "new.csv" }).waitFor();
  });

  test("moves the focus from an answered question to the next one, and wraps its samples", async ({
    open,
  }) => {
    const page = await openAsManager(open, IMPORT);
    const file = `name,Buy Price,Sell Price,Note
Engraved oak cheese board,15,40,a
Engraved oak cheese board,15,50,b
Mushroom table lamp with a shade,15,40,c
Stoneware mug with a handle,15,40,d
`;
    await page
      .getByLabel("Excel or CSV file")
      .setInputFiles({ name: "focus.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
    const price = page.getByRole("group", { name: "Which column is your price?" });
    await price.waitFor();
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ ...size, width: 390 });
    const overflow = () =>
      page.locator(".import-samples").evaluate((box) => box.scrollWidth - box.clientWidth);
    await expect.poll(overflow).toBe(0);
    await page.setViewportSize(size);
    await price.getByRole("radio", { name: "Sell Price" }).focus();
    await page.keyboard.press("Space");
    const variants = page.getByRole("group", { name: "Which price of their variants do products get?" });
    await expect(variants).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: /^Upload / }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).not.toBe("body");
  });

  test("works without JavaScript", async ({ open }) => {
    const page = await openAsManager(open, IMPORT, WITHOUT_SCRIPT);
    await page.getByRole("button", { name: "Upload" }).click();
    await sees(page, "Please select a file to upload");
    await page.getByLabel("Excel or CSV file").setInputFiles(sheet("xls"));
    await page.getByRole("button", { name: "Upload" }).click();
    await sees(page, "3 created");
    await sees(page, "0 updated");
    await sees(page, /^Row 5: Price is empty/);
  });
});
