import type { Page } from "@playwright/test";
import { expect, expectAccessible, SCRIPTING, test } from "../../support/browser";
import { asStaff, staffCall } from "../../support/staff";

const TODAY = "/admin/today";
const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Adds a product that has run out, and sets a piece of another aside until today. */
async function makeWaiting(name: string) {
  const product = (title: string, stock: number) =>
    staffCall("admin", "product", { name: title, price: 12, stock, category: "OTHERS", imageUrls: [] });
  const { id: out } = await product(`Gone ${name}`, 1);
  const { id: held } = await product(`Held ${name}`, 3);
  await staffCall("admin", `product/${out}`, { stock: 0 }, "PUT");
  const { id: customerId } = await staffCall("admin", "customer", { name: `Customer ${name}` });
  const place = async (until: number) => {
    const lines = [{ productId: held, quantity: 1 }];
    return String((await staffCall("admin", "hold", { customerId, lines, until: new Date(until) })).id);
  };
  const hold = await place(Date.now() + 90_000);
  return { out: String(out), held: String(held), hold, place };
}

const remove = async (ids: string[]) => {
  for (const id of ids) await staffCall("admin", `product/${id}`, {}, "DELETE");
};
const stockOf = async (id: string) => (await staffCall("admin", `product/id/${id}`)).stock;
const stateOf = async (q: string) => {
  const holds = (await staffCall("admin", `hold?q=${encodeURIComponent(q)}`)) as unknown as {
    state: string;
  }[];
  return holds.map(({ state }) => state);
};

for (const [title, javaScriptEnabled] of SCRIPTING)
  test(`what waits is done on the page (${title})`, async ({ open }) => {
    const name = `of today ${javaScriptEnabled}`;
    const { out, held } = await makeWaiting(name);
    const page = await asStaff(open, "admin", TODAY, { javaScriptEnabled });
    await page.getByRole("heading", { name: "Today", level: 1 }).waitFor();

    await page.getByLabel(`Pieces of Gone ${name} that came in`).fill("4");
    await button(page, `Add stock of Gone ${name}`).click();
    await sees(page, `Gone ${name}: stock set to 4`);
    expect(await stockOf(out)).toBe(4);

    await button(page, `Put back for Customer ${name}`).click();
    await sees(page, `for Customer ${name}`);
    await expect.poll(() => stateOf(name)).toEqual(["released"]);
    await expect(button(page, `Put back for Customer ${name}`)).toHaveCount(0);

    await page.goto("/admin/holds");
    await page.getByRole("link", { name: "Put back", exact: true }).click();
    await page
      .getByRole("row")
      .filter({ hasText: `Customer ${name}` })
      .getByText("Put back")
      .waitFor();
    await remove([out, held]);
  });

for (const [title, javaScriptEnabled] of SCRIPTING)
  test(`the back office opens with Today for who chose it (${title})`, async ({ open }) => {
    const page = await asStaff(open, "manager", TODAY, { javaScriptEnabled });
    await button(page, "My first page").click();
    await sees(page, "The back office opens with Today");
    await expect(button(page, "My first page")).toHaveAttribute("aria-pressed", "true");
    await page.goto("/login");
    await page.waitForURL((url) => url.pathname === TODAY);
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
    await page.goto(TODAY);
    await button(page, "My first page").click();
    await sees(page, "The back office opens with the dashboard");
    await page.goto("/login");
    await page.waitForURL((url) => url.pathname === "/admin");
  });

test("what waits and its lists have no axe violations", async ({ open }) => {
  const { out, held, hold } = await makeWaiting("seen");
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    const page = await asStaff(open, "admin", TODAY, { viewport });
    for (const path of [
      TODAY,
      "/admin/holds",
      "/admin/quotes",
      "/admin/search?q=lamp",
      "/admin/search?q=xyzzy",
    ]) {
      await page.goto(path);
      await expectAccessible(page, path);
      const isScrolled = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(isScrolled, `${path} scrolls sideways`).toBe(false);
    }
  }
  await staffCall("admin", `hold/${hold}`, {}, "DELETE");
  await remove([out, held]);
});
