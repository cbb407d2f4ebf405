import { setTimeout } from "node:timers/promises";
import { expect, expectAccessible, NO_SCRIPT, overflow, SCRIPTING, test } from "../../support/browser";
import { asking, logOf } from "../../support/conversation";
import { asStaff } from "../../support/staff";

const SETTINGS = "/admin/settings";
const PRODUCT = "/products/engraved-key-tag";
/** Longer than a person needs to begin a correction. */
const RELOAD_MS = 800;
const THEIR_MAP = "https://map.example/queen-street";

test("the link to the map is changed, and the next reader of a cached page has it; a second admin learns of it", async ({
  open,
}) => {
  const shopper = await open(PRODUCT);
  const map = shopper.getByRole("link", { name: "Show on the map" });
  const before = (await map.getAttribute("href")) ?? "";
  const page = await asStaff(open, "admin", SETTINGS);
  const other = await asStaff(open, "admin", SETTINGS);
  const field = page.getByLabel("Link to the map (optional)");
  await field.fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill(THEIR_MAP);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Shop saved").waitFor();
  await shopper.reload();
  await expect(map).toHaveAttribute("href", THEIR_MAP);

  await other.getByLabel("Link to the map (optional)").fill("https://map.example/other");
  await other.getByRole("button", { name: "Save" }).click();
  await other.getByText(THEIR_MAP).first().waitFor();
  await shopper.reload();
  await expect(map).toHaveAttribute("href", THEIR_MAP);
  await page.goto(SETTINGS);
  await field.fill(before);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Shop saved").waitFor();
});

test("a correction is kept that is typed while the page reloads after an error", async ({ open }) => {
  const page = await asStaff(open, "admin", SETTINGS);
  const field = page.getByLabel("Link to the map (optional)");
  const stored = await field.inputValue();
  await page.route(`**${SETTINGS}?*`, async (route) => {
    if (route.request().method() === "GET") await setTimeout(RELOAD_MS);
    await route.continue();
  });
  await field.fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await field.fill(stored);
  await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
  await setTimeout(RELOAD_MS);
  await expect(field).toHaveValue(stored);
});

test("managers read the settings, and all of them fit and are accessible at each width", async ({ open }) => {
  const page = await asStaff(open, "manager", SETTINGS);
  await expect(page.getByLabel("Address", { exact: true })).toBeDisabled();
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const group of ["shop", "hours", "home", "sales", "chat", "notifications"]) {
      await page.goto(`${SETTINGS}?group=${group}`);
      expect(await overflow(page), `${group} at ${width} px`).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  }
});

test("hours have a second time and days of their own without JavaScript, and are shown before they are saved", async ({
  open,
}) => {
  const page = await asStaff(open, "admin", `${SETTINGS}?group=hours`, NO_SCRIPT);
  await page.getByRole("button", { name: "Second time of Tuesday" }).click();
  await page.getByText("These hours are not saved yet.").waitFor();
  await page.getByLabel("Tuesday opens, second time").fill("19:00");
  await page.getByLabel("Tuesday closes, second time").fill("18:30");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Tuesday opens, second time")).toHaveValue("19:00");
  await expect(page.locator(".error").first()).toBeVisible();
  await page.getByLabel("Tuesday closes, second time").fill("21:00");
  await page.getByRole("button", { name: "Add a day of own hours" }).click();
  await page.getByLabel("Day", { exact: true }).fill("2040-12-24");
  await page.getByLabel("Note for the new day").fill("Christmas Eve");
  await page.getByRole("button", { name: "Preview of these hours" }).click();
  await expect(page.getByText(/10:00 to 18:00.*19:00 to 21:00/).first()).toBeVisible();
  const saved = await asStaff(open, "admin", `${SETTINGS}?group=hours`, NO_SCRIPT);
  await expect(saved.getByLabel("Tuesday opens, second time")).toBeHidden();
});

for (const [scripting, javaScriptEnabled] of SCRIPTING)
  test(`a product is found by name and shown below the hero before it is saved, ${scripting}`, async ({
    open,
  }) => {
    const page = await asStaff(open, "admin", `${SETTINGS}?group=home`, { javaScriptEnabled });
    const preview = page.locator(".home-look");
    await page.getByLabel("Headline").fill("Gifts with a name");
    if (javaScriptEnabled) await expect(preview).toContainText("Gifts with a name");
    const search = page.getByLabel("Name of a product");
    await search.fill("key tag");
    await search.press("Enter");
    await page.getByText("For “key tag”:").waitFor();
    await expect(page.getByLabel("Headline")).toHaveValue("Gifts with a name");
    await page.getByRole("button", { name: /^Add below of Engraved key tag/i }).click();
    await page.getByRole("button", { name: /^Remove of Engraved key tag/i }).waitFor();
    await expect(preview.getByRole("img")).toHaveCount(1);
    await expect(preview).toContainText("Gifts with a name");
    const stored = await asStaff(open, "admin", `${SETTINGS}?group=home`, NO_SCRIPT);
    await expect(stored.getByLabel("Headline")).toHaveValue("");
    await expect(stored.getByRole("button", { name: /^Remove of/ })).toHaveCount(0);
  });

for (const [scripting, javaScriptEnabled] of SCRIPTING)
  test(`first questions of a category are those of its products' chats, ${scripting}`, async ({ open }) => {
    const question = javaScriptEnabled ? "Does it rattle?" : "Does it fold?";
    const seller = await asStaff(open, "manager", `${SETTINGS}?group=chat`, { javaScriptEnabled });
    const field = seller.getByLabel("Car Accessory");
    await field.fill("1?\n2?\n3?\n4?");
    await seller.getByRole("button", { name: "Save" }).click();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveValue("1?\n2?\n3?\n4?");
    await field.fill(`${question}\n`);
    await seller.getByRole("button", { name: "Save" }).click();
    await seller.getByText("Chat saved").waitFor();
    await expect(field).toHaveValue(question);

    const shopper = await open("/products/magnetic-dash-mount", { javaScriptEnabled });
    await asking(shopper).last().click();
    const questions = shopper.getByRole("group", { name: "First questions" }).getByRole("button");
    await expect(questions).toHaveText([question]);
    await questions.click();
    await logOf(shopper).getByText(question).first().waitFor();
  });
