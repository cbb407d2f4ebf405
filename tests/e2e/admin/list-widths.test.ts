import { expect, test } from "../../support/browser";
import { api, sellerToken } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const LISTS = [
  "invoices-management",
  "expenses-management",
  "documents",
  "customers",
  "customers?open=unlinked",
  "users-management",
  "products-management",
  "inventory-management",
  "audit",
];
/** Widths of screens, and the narrowest ones of each layout. */
const WIDTHS = [1440, 1280, 1201, 1101, 1024, 820, 768];

test("no list is wider than its box", async ({ open }) => {
  // Lines of documents name them in place of their buttons.
  const lines = [{ description: "Cold-process soap bars, three scents", quantity: 1, amount: 12 }];
  expect((await api("sale", "POST", { paymentMode: "CARD", lines }, await sellerToken())).status).toBe(201);
  const page = await asStaff(open, "admin", "about:blank");
  for (const list of LISTS) {
    await page.goto(`/admin/${list}`);
    const box = page.locator(".data-table > :has(> table)");
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const excess = () => box.evaluate((element) => element.scrollWidth - element.clientWidth);
      await expect.poll(excess, `${list} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test("the ten documents of a page are as high as their box, with labels on one line", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/documents?q=Chloé");
  await page.locator(".cell-items .state-label").first().waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const heights = () =>
      page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => (row as HTMLElement).offsetHeight));
    await expect.poll(async () => Math.max(...(await heights())), `${width} px`).toBe(44);
    const wrapped = await page
      .locator(".cell-items .state-label")
      .evaluateAll((labels) => labels.filter((label) => label.scrollWidth > label.clientWidth + 1).length);
    expect(wrapped, `${width} px`).toBe(0);
  }
});

test("the stock stays in its box beside the movements, also while a change is typed", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/inventory-management");
  await page.locator("td.cell-name a").nth(3).click();
  await page.locator(".movements").waitFor();
  const box = page.locator(".table-scroll");
  const stock = page.locator("td.set .input").first();
  await stock.fill("+120");
  for (const width of [1440, 1345, 1280, 1279, 1201, 768]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator(".stock-preview")).toBeVisible();
    const excess = () => box.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(excess, `${width} px`).toBeLessThanOrEqual(0);
  }
  await stock.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  const panel = page.locator(".movements");
  await expect
    .poll(() => panel.evaluate((element) => element.scrollWidth - element.clientWidth))
    .toBeLessThanOrEqual(0);
});

test("an empty list says so in the middle, without steps to other pages", async ({ open }) => {
  for (const width of [1440, 390]) {
    const page = await asStaff(open, "admin", "/admin/documents?q=zzzz", {
      viewport: { width, height: 844 },
    });
    const middle = async (selector: string) => {
      const { x, width: own } = (await page.locator(selector).boundingBox()) ?? { x: 0, width: 0 };
      return x + own / 2;
    };
    await page.getByText("Showing 0 to 0 of 0 results").waitFor();
    expect(Math.abs((await middle(".empty-state-icon")) - (await middle(".data-table")))).toBeLessThan(2);
    await expect(page.getByRole("button", { name: "Next" })).toHaveCount(0);
    await page.getByRole("link", { name: "Clear Filters" }).click();
    await page.locator("tbody tr").nth(1).waitFor();
  }
});

test("the pills of a filter stand beside the search, on phones in one line of their own", async ({
  open,
}) => {
  for (const list of ["inventory-management", "customers"]) {
    const page = await asStaff(open, "admin", `/admin/${list}`);
    const tops = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().top)))]);
    await page.setViewportSize({ width: 1440, height: 900 });
    const search = (await page.locator(".search").boundingBox()) ?? { y: 0, height: 0 };
    const [pill, ...others] = await tops(".filter-pills a");
    expect(others, list).toEqual([]);
    expect(pill, list).toBeLessThan(search.y + search.height);
    for (const width of [820, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(async () => (await tops(".filter-pills a")).length, `${list}, ${width} px`).toBe(1);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
});

test("hints of keys are for screens with a keyboard", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/inventory-management", {
    viewport: { width: 1440, height: 900 },
  });
  const hints = page.locator("kbd").filter({ hasText: /^(?:Enter|Esc|\/)$/ });
  await expect(hints.filter({ visible: true })).toHaveCount(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(hints.filter({ visible: true })).toHaveCount(0);
});

test("an open row of the audit log is washed once", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/audit", { viewport: { width: 390, height: 844 } });
  await page.locator(".cell-more a").first().click();
  const row = page.locator("tr.is-open");
  await row.waitFor();
  await expect(row).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  expect(
    new Set(
      await row
        .locator("td")
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor)),
    ),
  ).toEqual(new Set(["rgba(0, 0, 0, 0)"]));
});

test("each sale is printed and credited from its row, also on tablets", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/documents");
  const row = page.locator("tbody tr", { has: page.getByRole("link", { name: /^Credit / }) }).first();
  await row.waitFor();
  for (const width of [1440, 1101, 1024, 820, 768]) {
    await page.setViewportSize({ width, height: 900 });
    const table = await page.locator(".data-table > :has(> table)").boundingBox();
    for (const name of [/^Print /, /^Credit /]) {
      const button = row.getByRole("link", { name });
      await expect(button, `${name} at ${width} px`).toBeVisible();
      const { x = 0, width: own = 0 } = (await button.boundingBox()) ?? {};
      expect(x + own, `${name} at ${width} px`).toBeLessThanOrEqual((table?.x ?? 0) + (table?.width ?? 0));
    }
    const items = (await row.locator(".cell-items").boundingBox())?.width;
    expect(items, `items at ${width} px`).toBeGreaterThan(110);
  }
});

test("a label of the documents leaves room for the names of items at 1280 px", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/documents", { viewport: { width: 1280, height: 900 } });
  const cells = page.locator(".cell-items:has(.state-label)");
  await cells.first().waitFor();
  const widths = await cells
    .locator(".truncate")
    .evaluateAll((names) =>
      names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.clientWidth),
    );
  expect(Math.min(...widths)).toBeGreaterThan(80);
  const excess = await cells.evaluateAll((all) => all.map((cell) => cell.scrollWidth - cell.clientWidth));
  expect(Math.max(...excess)).toBeLessThanOrEqual(0);
});
