import type { Page } from "@playwright/test";
import { expect, expectAccessible, NO_SCRIPT, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const field = (page: Page) => page.getByRole("combobox", { name: "Find anything" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Find anything" });
const chosen = (page: Page) => dialog(page).locator('[aria-selected="true"]');

/** Adds a product to be found. */
async function addProduct(name: string, sku: string): Promise<string> {
  const product = { name, price: 129, category: "OTHERS", stock: 2, units: [{ sku }] };
  return String((await staffCall("manager", "product", product)).id);
}
const remove = (id: string) => staffCall("manager", `product/${id}`, {}, "DELETE");

test("by keyboard alone: a product is opened, an act is chosen, and the focus returns", async ({ open }) => {
  const id = await addProduct("Findable teapot", "TPT-9");
  const page = await asStaff(open, "manager", "/admin/customers");
  const loaded: string[] = [];
  page.on("request", (request) => /FindDialog/.test(request.url()) && loaded.push(request.url()));
  await page.getByRole("heading", { name: "Customers", level: 1 }).waitFor();
  expect(loaded).toEqual([]);

  // Keys that are typed while the dialog loads are kept, and Enter waits for the answer.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("findable teapot");
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue("findable teapot");
  await expect(chosen(page)).toContainText("Findable teapot");
  await expect(dialog(page).getByRole("status")).toHaveText("1 hit");
  await page.keyboard.press("Enter");
  await page.waitForURL(/products-management\?edit=/);
  await page.locator("dialog:modal").waitFor();

  // Above a dialog with a form it does not open.
  await page.keyboard.press("Control+k");
  await expect(dialog(page)).toHaveCount(0);
  await page.goto("/admin/inventory-management");
  await page.getByRole("link", { name: "Find anything" }).focus();
  await page.keyboard.press("Enter");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Find anything" })).toBeFocused();

  // What was opened is offered again.
  await page.keyboard.press("Control+k");
  const lately = dialog(page).getByRole("group", { name: "Opened lately" });
  await expect(lately.getByRole("option")).toHaveText(/Findable teapot/);
  await expect(chosen(page)).toContainText("Record sale");
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).toContainText("Set aside");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(chosen(page)).not.toContainText("Record sale");
  await page.keyboard.type("TPT-9");
  await page.keyboard.press("Enter");
  await page.waitForURL(/inventory-management\?q=Findable/);
  await remove(id);
});

test("keys of the pages stay as they are", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/chat");
  await page.locator("h1").waitFor();
  await page.keyboard.press("k");
  await expect(dialog(page)).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  // A letter that is a shortcut elsewhere is text here.
  await page.keyboard.type("g d ?");
  await expect(field(page)).toHaveValue("g d ?");
  await page.keyboard.press("Escape");
  // The browser closes it after the key.
  await expect(dialog(page)).toHaveCount(0);
  // The keys count together for 1.5 s, which a busy machine may exceed.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.waitForURL(/\/admin\/today/, { timeout: 5000 });
  }).toPass();
});

test("a search that is not answered says so, and leaves the page", async ({ openWithErrors }) => {
  const page = await asStaff(openWithErrors, "manager", "/admin/customers");
  await page.getByRole("heading", { name: "Customers", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await expect(chosen(page)).toContainText("Record sale");
  await page.route(/\/admin\/search/, (route) => route.abort());
  await page.keyboard.type("go");
  await expect(dialog(page).getByRole("status")).toHaveText("The search did not work. Please try again.");
  await page.unroute(/\/admin\/search/);
  await page.keyboard.type(" off");
  await expect(chosen(page)).toContainText("Go offline");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Customers", level: 1 }).waitFor();
});

test("the chat goes offline and online from any page", async ({ open }) => {
  const page = await asStaff(open, "manager", "/admin/customers?q=a");
  const act = async (text: string, said: string) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(text);
    await expect(chosen(page)).toContainText(text);
    await page.keyboard.press("Enter");
    await page.getByText(said).first().waitFor();
    await expect(dialog(page)).toHaveCount(0);
    expect(new URL(page.url()).search).toBe("?q=a");
  };
  await page.getByRole("heading", { name: "Customers", level: 1 }).waitFor();
  await act("Go offline", "The chat is offline");
  await act("Go online", "The chat is online");
});

test("without JavaScript it is a page", async ({ open }) => {
  const id = await addProduct("Scriptless teapot", "TPT-10");
  const page = await asStaff(open, "manager", "/admin/customers", NO_SCRIPT);
  await page.getByRole("link", { name: "Find anything" }).click();
  await page.getByLabel("Find anything").fill("scriptless");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: /Scriptless teapot/ }).click();
  await page.waitForURL(/products-management\?edit=/);
  await page.goto("/admin/search?q=offline");
  await page.getByRole("button", { name: /Go offline/ }).click();
  await page.getByText("The chat is offline").first().waitFor();
  await page.goto("/admin/search?q=online");
  await page.getByRole("button", { name: /Go online/ }).click();
  await page.getByText("The chat is online").first().waitFor();
  await remove(id);
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])
  test(`the dialog has no axe violations at ${viewport.width} px`, async ({ open }) => {
    const page = await asStaff(open, "manager", "/admin/documents", { viewport });
    await page.getByRole("link", { name: "Find anything" }).click();
    await expect(chosen(page)).toContainText("Record sale");
    await expectAccessible(page, "acts");
    await field(page).fill("lamp");
    await expect(dialog(page).getByRole("status")).toHaveText(/hits?$/);
    await expectAccessible(page, "hits");
    await field(page).fill("xyzzy");
    await dialog(page).getByText("Nothing has “xyzzy”").waitFor();
    await expectAccessible(page, "nothing");
  });
