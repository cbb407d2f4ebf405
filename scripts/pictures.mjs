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

/** Screenshots: name, viewport, theme and preparation. */
const PICTURES = [
  ["home", DESK, "light", (page) => page.goto("/")],
  ["shop-dark", DESK, "dark", (page) => page.goto("/shop")],
  ["product", DESK, "light", (page) => page.goto("/products/walnut-serving-board")],
  ["cart", DESK, "light", openCart],
  ["chat", DESK, "light", buyNow],
  ["console", DESK, "light", (page) => asStaff(page, "/admin/chat?chat=demo-chat-02")],
  ["record-sale", DESK, "light", (page) => asStaff(page, "/admin/sales/new?chat=demo-chat-02")],
  ["document", DESK, "light", openSale],
  ["today", DESK, "light", (page) => asStaff(page, "/admin/today")],
  ["drawer", DESK, "light", openDrawer],
  ["dashboard", DESK, "light", (page) => asStaff(page, "/admin")],
  ["invoices", DESK, "dark", (page) => asStaff(page, "/admin/invoices-management?category=ENGRAVING")],
  ["products", DESK, "light", (page) => asStaff(page, "/admin/products-management?sort=price&dir=desc")],
  ["upload", DESK, "light", dryRun],
  ["shop-phone", PHONE, "light", (page) => page.goto("/shop?category=JEWELRY")],
  ["product-phone", PHONE, "dark", (page) => page.goto("/products/stone-bead-bracelet")],
];

/** Import file whose dry run shows every kind of result. */
const STOCK_LIST = `name,price,stock,category,colors
Walnut table clock,99.00,8,Home Decor,
Brass bookmark,18.00,40,Engraving,
Wavy stripe phone case in cream,27.50,36,phone case,"Cream, Sage"
Silver signet ring,call us,3,Jewelry,
Umbrella with a wooden handle,56.00,1,Others,
Bamboo speaker dock,34.00,12,Gadgets,
Cedar phone stand,22.00,18,Phone Accessory,Cedar
`;

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

async function openSale(page) {
  await asStaff(page, "/admin/documents?kind=sale&source=chat");
  await page.locator('a[href^="/admin/documents/"]').first().click();
  await page.getByRole("heading", { name: "In the books" }).waitFor();
}

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

async function openDrawer(page) {
  await asStaff(page, "/admin/sales/drawer");
  await page.getByLabel("Float").fill("150");
  await page.getByRole("button", { name: "Open the drawer" }).click();
  await page.getByText("By notes and coins").click();
  const pieces = page.locator(".pieces input");
  for (const [row, count] of ["1", "0", "2", "1"].entries()) await pieces.nth(row).fill(count);
}

async function dryRun(page) {
  await asStaff(page, "/admin/products-management?dialog=bulk-upload");
  const file = { name: "winter-stock.csv", mimeType: "text/csv", buffer: Buffer.from(STOCK_LIST) };
  await page.getByLabel("Excel or CSV file").setInputFiles(file);
  await page.getByRole("region", { name: "Rows, scrolls" }).waitFor();
  await page.waitForTimeout(500);
}
