// npm run pictures: makes the README's pictures from the running shop (SHOP_URL, http://localhost:8787).
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright";
import { findBrowser } from "./find-browser.mjs";
import { ROOT } from "./local-shop.mjs";
import SIGN_INS from "./seed/sign-ins.json" with { type: "json" };

const SHOP = process.env.SHOP_URL || "http://localhost:8787";
const FOLDER = join(ROOT, "docs/pictures");
const DESK = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 780 };

/** Each picture: its name, how it is looked at, and what is done before it is taken. */
const PICTURES = [
  ["home", DESK, "light", (page) => page.goto("/")],
  ["shop-dark", DESK, "dark", (page) => page.goto("/shop")],
  ["product", DESK, "light", (page) => page.goto("/products/walnut-serving-board")],
  ["cart", DESK, "light", openCart],
  ["chat", DESK, "light", buyNow],
  ["console", DESK, "light", (page) => asStaff(page, "/admin/chat?chat=demo-chat-02")],
  ["dashboard", DESK, "light", (page) => asStaff(page, "/admin")],
  ["invoices", DESK, "dark", (page) => asStaff(page, "/admin/invoices-management?category=ENGRAVING")],
  ["shop-phone", PHONE, "light", (page) => page.goto("/shop?category=JEWELRY")],
  ["product-phone", PHONE, "dark", (page) => page.goto("/products/stone-bead-bracelet")],
];

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
for (const [name, viewport, colorScheme, look] of PICTURES) {
  const context = await browser.newContext({ baseURL: SHOP, viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await look(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: "jpeg", quality: 82 });
  await context.close();
}
await browser.close();

async function openCart(page) {
  for (const product of ["walnut-serving-board", "braided-usb-c-cable"]) {
    await page.goto(`/products/${product}`);
    await page.waitForLoadState("networkidle");
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("added to cart!").first().waitFor();
  }
  await page.waitForTimeout(2500);
  await page.getByRole("link", { name: /^Cart,/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Remove/ })
    .first()
    .waitFor();
}

async function buyNow(page) {
  await page.goto("/products/walnut-serving-board");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Buy Now" }).click();
  await page.getByRole("log").waitFor();
  await page.waitForTimeout(2500);
}

async function asStaff(page, path) {
  const { email, password } = SIGN_INS.find(({ role }) => role === "admin");
  await page.goto(`/login?redirectTo=${encodeURIComponent(path)}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/admin"));
  await page.waitForTimeout(3500);
}
