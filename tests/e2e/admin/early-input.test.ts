import { expect, test } from "../../support/browser";
import { beforeHydration, withhold } from "../../support/late-scripts";
import { asStaff, staffCall } from "../../support/staff";

test.describe("text typed before the page's scripts run", () => {
  test("searches a list", async ({ open }) => {
    const page = await asStaff(open, "manager", "about:blank");
    const search = page.getByLabel("Search descriptions");
    await beforeHydration(page, "/admin/invoices-management", () => search.fill("nothing like this"));
    await page.getByText("No records found").waitFor();
    await expect(search).toHaveValue("nothing like this");
  });

  test("is saved as a stock", async ({ open }) => {
    const name = "Early scales";
    const product = { name, price: 5, stock: 3, category: "OTHERS", imageUrls: [] };
    await staffCall("admin", "product", product);
    const page = await asStaff(open, "manager", "about:blank");
    const stock = page.getByLabel(`Stock of ${name}`);
    await beforeHydration(page, "/admin/inventory-management?q=early+scales", () => stock.fill("12"));
    await page.getByText("3 → 12").waitFor();
    await stock.press("Enter");
    await page.getByRole("row").filter({ hasText: name }).getByText("Saved").waitFor();
  });

  test("becomes a line of a sale", async ({ open }) => {
    const page = await asStaff(open, "manager", "about:blank");
    const field = page.getByPlaceholder("Add a product or your own line");
    await beforeHydration(page, "/admin/sales/new", () => field.fill("Gift wrap"));
    await page.getByRole("option", { name: "Own line: “Gift wrap”" }).click();
    await page.getByLabel("Price of Gift wrap").waitFor();
  });

  test("is taken back by a credit", async ({ open }) => {
    const lines = [{ description: "Early box", quantity: 2, amount: 10 }];
    const { documents } = await staffCall("admin", "sale", { paymentMode: "CARD", lines });
    const [document] = documents as { id: string }[];
    const page = await asStaff(open, "manager", "about:blank");
    const take = page.getByLabel(/^Take back of Early box/);
    await beforeHydration(page, `/admin/documents/${document?.id}?credit=1`, () => take.fill("1"));
    await page.getByRole("button", { name: "Credit $5.00" }).waitFor();
    await expect(take).toHaveValue("1");
  });
});

test("what is typed into the settings before the page's scripts run wins over an older draft", async ({
  open,
}) => {
  const path = "/admin/chat?tab=settings";
  const page = await asStaff(open, "manager", path);
  const [name, offline] = [page.getByLabel("Name", { exact: true }), page.getByLabel("Offline message")];
  await name.fill("An older draft");
  await offline.fill("Back tomorrow");
  await beforeHydration(page, path, () => name.fill("The newest words"));
  await expect(offline).toHaveValue("Back tomorrow");
  await expect(name).toHaveValue("The newest words");
});

for (const { list, field, link, wanted } of [
  {
    list: "/admin/invoices-management",
    field: "Search descriptions",
    link: "Expenses",
    wanted: "/admin/expenses-management",
  },
  { list: "/shop", field: "Search products", link: "Home", wanted: "/" },
])
  test(`a page that is asked for right after a key of a search of ${list} is not replaced by its results`, async ({
    open,
  }) => {
    const page = await asStaff(open, "manager", list);
    const search = page.getByLabel(field);
    await search.fill("a");
    await page.waitForURL(/=a$/);
    const searches: string[] = [];
    page.on("request", (request) => {
      if (/[?&](?:q|search)=ab/.test(request.url())) searches.push(request.url());
    });
    const deliver = await withhold(page, new RegExp(`//[^/]+${wanted}\\?.*_data=`));
    await search.press("End");
    await page.keyboard.type("b");
    await page.getByRole("link", { name: link, exact: true }).first().click();
    // The search waits 300 ms.
    await page.waitForTimeout(600);
    expect(searches).toEqual([]);
    deliver();
    await page.waitForURL((url) => url.pathname === wanted);
  });

test("a description that is being typed when its editor arrives is finished first", async ({ open }) => {
  const page = await asStaff(open, "manager", "about:blank");
  const deliver = await withhold(page, "**/editor.client-*.js");
  await page.goto("/admin/products-management?dialog=new");
  const field = page.locator("textarea[name=description]");
  await field.click();
  await page.keyboard.type("Woven");
  const delivered = page.waitForEvent("requestfinished", (request) => /editor\.client-/.test(request.url()));
  deliver();
  await delivered;
  await page.keyboard.type(" by");
  await page.keyboard.press("Enter");
  await page.keyboard.type("hand");
  await expect(field).toHaveValue("Woven by\nhand");
  await page.keyboard.press("Tab");
  const editor = page.getByRole("textbox", { name: "Description" }).and(page.locator("[contenteditable]"));
  await expect(editor).toHaveText("Woven by\nhand", { useInnerText: true });
});
