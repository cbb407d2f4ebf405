// node bench/acts.mjs, after a build: clicks, keys and seconds of the commonest acts of staff, and of a new shop's first sale.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { findBrowser } from "../scripts/find-browser.mjs";
import { ENV, prepare, ROOT, serve } from "../scripts/local-shop.mjs";
import { demoShop } from "./shops.mjs";

const OWNER = "owner@shop.example";
const PICTURE = join(ROOT, "data/pictures/walnut-serving-board-1.webp");
const PORT = 8861;

/**
 * Counts what a person does on a page.
 *
 * @param {import("playwright").Page} page
 */
function counted(page) {
  const count = { clicks: 0, keys: 0 };
  return {
    page,
    count,
    /** @param {import("playwright").Locator} target */
    async click(target) {
      count.clicks++;
      await target.first().click();
    },
    /** Fills a field that is pressed first. @param {import("playwright").Locator} field @param {string} text */
    async fill(field, text) {
      count.clicks++;
      count.keys += text.length;
      await field.first().fill(text);
    },
    /** Types where the focus is. @param {string} text */
    async type(text) {
      count.keys += text.length;
      await page.keyboard.type(text);
    },
    /** @param {string} key */
    async press(key) {
      count.keys++;
      await page.keyboard.press(key);
    },
  };
}

/** @typedef {ReturnType<typeof counted>} Hand */

/** @type {[name: string, act: (hand: Hand) => Promise<void>][]} */
const ACTS = [
  [
    "Answer the chat that waits longest",
    async (hand) => {
      await hand.click(hand.page.getByRole("link", { name: /^Answer/ }));
      await hand.page.getByPlaceholder("Type your response...").waitFor();
      await hand.click(hand.page.getByPlaceholder("Type your response..."));
      await hand.type("Yes.");
      await hand.press("Enter");
      await hand.page.getByRole("log").getByText("Yes.").last().waitFor();
    },
  ],
  [
    "Record a sale of one product at the counter",
    async (hand) => {
      await hand.press("Control+k");
      await hand.page.getByRole("dialog").locator('[aria-selected="true"]').waitFor();
      await hand.press("Enter");
      const search = hand.page.getByPlaceholder("Add a product or your own line");
      await search.waitFor();
      await hand.type("tote");
      await hand.page.getByRole("listbox").getByRole("option").first().waitFor();
      await hand.press("ArrowDown");
      await hand.press("Enter");
      await hand.page.getByLabel(/^Price of .*tote/i).waitFor();
      await hand.press("Control+Enter");
      await hand.page.getByText(/^Last sale: /).waitFor();
    },
  ],
  [
    "Find a customer",
    async (hand) => {
      await hand.press("Control+k");
      await hand.type("ines");
      await hand.page.getByRole("dialog").locator('[aria-selected="true"]').waitFor();
      await hand.press("Enter");
      await hand.page.waitForURL(/customers\//);
    },
  ],
  [
    "Turn the chat off",
    async (hand) => {
      await hand.press("Control+k");
      await hand.type("go off");
      await hand.page.getByRole("option", { name: /Go offline/ }).waitFor();
      await hand.press("Enter");
      await hand.page.getByRole("dialog").waitFor({ state: "hidden" });
    },
  ],
  [
    "Close on a weekday",
    async (hand) => {
      await hand.click(hand.page.getByRole("link", { name: "Settings", exact: true }));
      await hand.click(
        hand.page
          .getByRole("navigation", { name: "Groups of settings" })
          .getByRole("link", { name: "Hours" }),
      );
      // Hour and minute are deleted each.
      hand.count.keys += 4;
      for (const field of ["Tuesday opens", "Tuesday closes"])
        await hand.fill(hand.page.getByLabel(field, { exact: true }), "");
      await hand.click(hand.page.getByRole("button", { name: "Save", exact: true }));
      await hand.page.getByText("Hours saved").first().waitFor();
    },
  ],
  [
    "Put a product into the home page's hero",
    async (hand) => {
      await hand.click(hand.page.getByRole("link", { name: "Settings", exact: true }));
      await hand.click(
        hand.page
          .getByRole("navigation", { name: "Groups of settings" })
          .getByRole("link", { name: "Home page" }),
      );
      await hand.fill(hand.page.getByLabel("Name of a product"), "tote");
      await hand.press("Enter");
      await hand.click(hand.page.getByRole("button", { name: /^Into the hero/ }));
      await hand.page.getByRole("button", { name: /^Take out/ }).waitFor();
      await hand.click(hand.page.getByRole("button", { name: "Save", exact: true }));
      await hand.page.getByText("Home page saved").first().waitFor();
    },
  ],
  [
    "Invite a colleague",
    async (hand) => {
      await hand.click(hand.page.getByRole("link", { name: "Users", exact: true }));
      await hand.click(hand.page.getByRole("link", { name: "Invite", exact: true }));
      const dialog = hand.page.getByRole("dialog");
      await hand.fill(dialog.getByLabel("First name"), "Jonas");
      await hand.fill(dialog.getByLabel("Last name"), "Beck");
      await hand.fill(dialog.getByLabel("Email"), "jonas@mail.example");
      await hand.click(dialog.getByText("Seller", { exact: true }));
      await hand.click(dialog.getByRole("button", { name: "Send Invitation" }));
      await hand.page.getByText("Invitation sent to").first().waitFor();
    },
  ],
];

/** Signs in. @param {import("playwright").Page} page @param {string} url @param {string} email @param {string} password */
async function signIn(page, url, email, password) {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL(/\/admin/);
}

/**
 * Measures an act from the page Today.
 *
 * @param {import("playwright").Browser} browser
 * @param {string} url
 * @param {(typeof ACTS)[number]} one
 * @returns {Promise<string>} its row
 */
async function measure(browser, url, [name, act]) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await signIn(page, url, "admin@emporia.example", "Admin#2026!");
    await page.goto(`${url}/admin/today`);
    await page.waitForTimeout(1500);
    const hand = counted(page);
    const began = Date.now();
    await act(hand);
    return `| ${name} | ${hand.count.clicks} | ${hand.count.keys} | ${((Date.now() - began) / 1000).toFixed(1)} |`;
  } catch (error) {
    return `| ${name} | failed: ${String(error).slice(0, 300)} |`;
  } finally {
    await context.close();
  }
}

/** Leads the first admin of an empty shop to its first sale. @param {Hand} hand */
async function openShop(hand) {
  const { page } = hand;
  const save = () => hand.click(page.getByRole("button", { name: "Save", exact: true }));
  const back = async () => {
    await hand.click(page.getByRole("link", { name: "Today", exact: true }));
    await page.getByRole("heading", { name: "Open your shop" }).waitFor();
  };
  await back();
  await hand.click(page.getByRole("link", { name: "Shop", exact: true }));
  await hand.fill(page.getByLabel("Name", { exact: true }), "Maple & Oak");
  await hand.fill(page.getByLabel("Address", { exact: true }), "1 Elm Street, Toronto");
  await save();
  await page.getByText("Shop saved").first().waitFor();
  await back();
  await hand.click(page.getByRole("link", { name: "Hours", exact: true }));
  await hand.fill(page.getByLabel("Monday opens", { exact: true }), "10:00");
  await hand.fill(page.getByLabel("Monday closes", { exact: true }), "18:00");
  await save();
  await page.getByText("Hours saved").first().waitFor();
  await back();
  await hand.click(page.getByRole("link", { name: "Products", exact: true }).last());
  await hand.click(page.getByRole("link", { name: /^Add Product/ }));
  await hand.fill(page.getByLabel(/^(Product )?Name/), "Walnut board");
  await hand.fill(page.getByLabel(/^Price/), "40");
  await hand.fill(page.getByLabel(/^Stock/), "5");
  await page
    .getByLabel(/^Category/)
    .first()
    .selectOption({ index: 1 });
  // The list and its entry; the picture's field and a file of the device.
  hand.count.clicks += 4;
  await page.getByRole("dialog").locator('input[type="file"]').first().setInputFiles(PICTURE);
  await page.getByRole("dialog").locator("img").first().waitFor();
  await hand.press("Control+Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.getByText("Walnut board").first().waitFor();
  await back();
  await hand.click(page.getByRole("link", { name: "Record sale", exact: true }).last());
  await page.getByPlaceholder("Add a product or your own line").waitFor();
  await page.waitForTimeout(500);
  await hand.type("walnut");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await hand.press("Enter");
  await page.getByLabel(/^Price of Walnut board/).waitFor();
  await hand.press("Control+Enter");
  await page.getByText(/^Last sale: /).waitFor();
}

/** Opens an empty shop. @param {import("playwright").Browser} browser @returns {Promise<string>} the row of its first sale */
async function measureFirstSale(browser) {
  const stateDir = mkdtempSync(join(tmpdir(), "emporia-acts-"));
  prepare(stateDir, { seed: false });
  const made = spawnSync(process.execPath, [join(ROOT, "scripts/make-admin.mjs"), OWNER, "--local"], {
    cwd: ROOT,
    env: { ...ENV, STATE_DIR: stateDir },
    encoding: "utf8",
  });
  const [, password = ""] = /shown this once: (\S+)/.exec(made.stdout) ?? [];
  const { child, ready } = serve({ port: PORT, stateDir });
  await ready;
  const shop = { url: `http://localhost:${PORT}`, stop: async () => void child.kill("SIGTERM") };
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(15_000);
  const hand = counted(page);
  const began = Date.now();
  try {
    await signIn(page, shop.url, OWNER, password);
    await openShop(hand);
    return `| New shop, from the first sign-in to its first sale | ${hand.count.clicks} | ${hand.count.keys} | ${((Date.now() - began) / 1000).toFixed(1)} |`;
  } catch (error) {
    return `| New shop | failed: ${made.stderr} ${String(error).slice(0, 400)} |`;
  } finally {
    await shop.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
const demo = await demoShop();
console.log("| act, from Today | clicks | keys | seconds of the shop |\n|---|---|---|---|");
for (const act of ACTS) console.log(await measure(browser, demo.url, act));
await demo.stop();
console.log(await measureFirstSale(browser));
await browser.close();
