import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { DEMO_SIGN_INS, ROOT } from "../../../scripts/local-shop.mjs";
import { isHydrated } from "../../support/browser";
import { freePort } from "../../support/running-shop";
import { copySeededState } from "../../support/seeded-state";

/** Page that is edited while it is open. */
const EDITED = join(ROOT, "app/routes/_shop.terms.tsx");
const HEADING = "Terms and Conditions";
const { atime, mtime } = statSync(EDITED);
const original = { text: readFileSync(EDITED, "utf8"), atime, mtime };
const stateDir = mkdtempSync(join(tmpdir(), "emporia-dev-"));
let shopUrl = "";
let dev: ChildProcess;

/** Milliseconds: Vite compiles each module when it is first asked for. */
const TIMEOUT = 240_000;
test.describe.configure({ timeout: TIMEOUT });

test.beforeAll(async () => {
  test.setTimeout(TIMEOUT);
  copySeededState(stateDir);
  shopUrl = `http://localhost:${process.env.DEV_TEST_PORT ?? (await freePort())}`;
  dev = spawn("node", ["scripts/dev.mjs"], {
    cwd: ROOT,
    env: { ...process.env, PORT: new URL(shopUrl).port, STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await reachable(dev);
});

test.afterAll(async () => {
  restore();
  const ended = new Promise((done) => dev.once("exit", done));
  dev.kill("SIGINT");
  expect(await ended).toBe(0);
  rmSync(stateDir, { recursive: true, force: true });
});

/** Waits for Vite's address. */
function reachable(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("Local")) done();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => failed(new Error(`npm run dev ended (${code}):\n${output}`)));
  });
}

/** Puts the edited file back, its time too: a build is made anew when a source is newer. */
function restore(): void {
  const text = readFileSync(EDITED, "utf8");
  if (!text.includes("Edited terms")) return;
  writeFileSync(EDITED, text.replaceAll("Edited terms", HEADING));
  utimesSync(EDITED, original.atime, original.mtime);
}

async function open(browser: Browser, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: shopUrl })).newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(path);
  // The first visit may load the page again, when Vite has found another package.
  await expect(async () => expect(await page.evaluate(isHydrated)).toBe(true)).toPass();
  return page;
}

async function signIn(page: Page): Promise<void> {
  const { email = "", password = "" } = DEMO_SIGN_INS.find(({ role }) => role === "manager") ?? {};
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

const messagesOf = (page: Page) => page.getByRole("log", { name: "Messages" });

test.describe("npm run dev", () => {
  test("serves sign-in, cart and a chat in both directions", async ({ browser }) => {
    const visitor = await open(browser, "/products/walnut-serving-board");
    await visitor.getByRole("button", { name: "Add to Cart" }).click();
    // The badge counts before the cart is stored.
    await visitor.getByText(/added to cart/).waitFor();
    await visitor.getByRole("link", { name: "Cart, 1 item" }).click();
    await visitor.getByRole("button", { name: "Chat with Seller" }).click();
    await messagesOf(visitor).getByText("1 × $78.00").waitFor();

    const seller = await open(browser, "/admin/chat");
    await signIn(seller);
    await seller.locator(".chat-row").first().click();
    const reply = seller.getByPlaceholder("Type your response...");
    await reply.fill("It is in stock.");
    await reply.press("Enter");
    await messagesOf(visitor).getByText("It is in stock.").waitFor();

    const field = visitor.getByPlaceholder("Type your message...");
    await field.fill("I'll take it.");
    await field.press("Enter");
    await seller.locator(".message-stream").getByText("I'll take it.").waitFor();
  });

  test("shows an edit in the open page, without loading it again", async ({ browser }) => {
    const page = await open(browser, "/terms");
    await page.getByRole("heading", { name: HEADING }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => Object.assign(window, { openedBeforeTheEdit: true }));
    writeFileSync(EDITED, original.text.replaceAll(HEADING, "Edited terms"));
    await page.getByRole("heading", { name: "Edited terms" }).waitFor();
    expect(await page.evaluate(() => "openedBeforeTheEdit" in window)).toBe(true);
    restore();
    await page.getByRole("heading", { name: HEADING }).waitFor();
  });
});
