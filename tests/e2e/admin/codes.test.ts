import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, expectAccessible, NO_SCRIPT, test, waitForHydration } from "../../support/browser";
import { browserWithCamera, filmBars } from "../../support/camera";
import { signedInAs } from "../../support/signed-in";
import { asStaff, staffCall } from "../../support/staff";

const INVENTORY = "/admin/inventory-management";
const SALE = "/admin/sales/new";
const EAN = "4006381333931";

interface Stored {
  id: string;
  name: string;
  stock: number;
}

/** Adds a product with a barcode. */
async function addProduct(name: string, barcode: string, sku = ""): Promise<string> {
  const product = { name, price: 12, category: "OTHERS", stock: 4, units: [{ barcode, sku }] };
  return String((await staffCall("manager", "product", product)).id);
}
const stockOf = async (id: string) =>
  ((await staffCall("manager", `product/id/${id}`)) as unknown as Stored).stock;

const scan = (page: Page) => page.getByRole("button", { name: "Scan" });

test("the shelf: a printed label is scanned by camera, +5 counted, and the label printed again", async ({
  open,
  shop,
}) => {
  const id = await addProduct("Shelf bowl", EAN);
  const labels = await asStaff(open, "manager", `/admin/labels?product=${id}&from=4`);
  const printed = labels.locator(".label-sheet li svg");
  await expect(printed).toHaveCount(1);
  const film = join(mkdtempSync(join(tmpdir(), "emporia-film-")), "label.y4m");
  const width = Number((await printed.getAttribute("viewBox"))?.split(" ")[2]);
  filmBars(film, { path: (await printed.locator("path").getAttribute("d")) ?? "", width });

  const browser = await browserWithCamera(film);
  const context = await browser.newContext({ ...(await signedInAs("manager")).browser, baseURL: shop.url });
  await waitForHydration(context);
  const page = await context.newPage();
  const elsewhere: string[] = [];
  page.on("request", (request) => request.url().startsWith(shop.url) || elsewhere.push(request.url()));
  await page.goto(INVENTORY);
  await scan(page).click();
  await page.waitForURL(/[?&]q=Shelf\+bowl/);
  await expect(page.getByRole("dialog", { name: "Scan" })).toHaveCount(0);
  const stock = page.getByLabel("Stock of Shelf bowl");
  await stock.fill("+5");
  await stock.press("Enter");
  await expect.poll(() => stockOf(id)).toBe(9);
  expect(elsewhere.filter((url) => !/^(?:data|blob):/.test(url))).toEqual([]);

  await page.goto(`/admin/labels?product=${id}&fill=stock&from=4`);
  await expect(page.getByText("3 used before, 9 printed, 12 left")).toBeVisible();
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
  expect(pdf.numPages).toBe(1);
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text.match(/Shelf bowl/g)).toHaveLength(9);
  expect(text.match(new RegExp(EAN, "g"))).toHaveLength(9);
  expect(text).not.toContain("Which and how many");
  await browser.close();
});

test("a scanner that types: the exact unit is added, an unknown code is linked", async ({ open }) => {
  await addProduct("Till bowl", "2000000020013", "BOWL-1");
  await addProduct("Bowl 4006381333948", "");
  const page = await asStaff(open, "manager", SALE);
  const field = page.getByPlaceholder("Add a product or your own line");
  const type = async (text: string) => {
    await field.focus();
    await page.keyboard.insertText(text);
    await page.keyboard.press("Enter");
  };
  await type("2000000020013");
  await expect(page.getByLabel("Quantity of Till bowl")).toHaveValue("1");
  await type("bowl-1");
  await expect(page.getByLabel("Quantity of Till bowl")).toHaveValue("2");
  // A name has this number: it is no code of it.
  await type("4006381333948");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Unknown code")).toBeVisible();
  await dialog.getByLabel("Link to a product").fill("Bowl 4006381333948");
  await dialog.getByRole("button", { name: /^Bowl 4006381333948/ }).click();
  await expect(page.getByLabel("Quantity of Bowl 4006381333948")).toHaveValue("1");
});

test("Enter alone asks for a code, and adds its unit before what the list suggests", async ({ open }) => {
  await addProduct("Kiln tray", "", "KILN");
  await addProduct("Kiln", "");
  const page = await asStaff(open, "manager", SALE);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/product/code")) asked.push(request.url());
  });
  const field = page.getByPlaceholder("Add a product or your own line");
  await field.pressSequentially("kiln");
  await expect(page.getByRole("option", { name: /Kiln 4 free/ })).toBeVisible();
  expect(asked).toEqual([]);
  await field.press("Enter");
  await expect(page.getByLabel("Quantity of Kiln tray")).toHaveValue("1");
  expect(asked).toHaveLength(1);
});

test("codes work without JavaScript", async ({ open }) => {
  const id = await addProduct("Plain bowl", "2000000020020");
  const page = await asStaff(open, "manager", `${INVENTORY}?q=2000000020020`, NO_SCRIPT);
  expect(new URL(page.url()).searchParams.get("q")).toBe("Plain bowl");
  await expect(scan(page)).toBeHidden();
  await page.goto("/admin/products-management?q=2000000020020");
  expect(new URL(page.url()).searchParams.get("edit")).toBe(id);
  await page.goto(SALE);
  await page.getByPlaceholder("Add a product or your own line").fill("2000000020020");
  await page.getByRole("button", { name: "Search products" }).click();
  await expect(page.getByLabel("Quantity of Plain bowl")).toHaveValue("1");
  await page.goto("/admin/codes?code=2000000020037&q=Plain+bowl");
  await page.getByRole("button", { name: /Plain bowl.*Replace/ }).click();
  await expect(page.getByText("2000000020037 is the barcode of Plain bowl")).toBeVisible();
});

test("labels, codes and the dialog without a camera are accessible and fit", async ({ open }) => {
  const id = await addProduct("Fitting bowl", "2000000020044");
  const page = await asStaff(open, "manager", `/admin/labels?product=${id}&product=moss-silicone-case`);
  await expectAccessible(page);
  await page.goto("/admin/codes?code=2000000020051&q=bowl");
  await expectAccessible(page);
  await page.goto(INVENTORY);
  await scan(page).click();
  await expect(page.getByRole("alert")).toContainText(/type the code/i);
  await expectAccessible(page, "the dialog without a camera");
  await page.getByLabel("Code", { exact: true }).fill("2000000020044");
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?&]q=Fitting\+bowl/);
});
