// Bytes, rows read, round trips and size of the server bundle; start-up time.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright";
import { findBrowser } from "../scripts/find-browser.mjs";
import { ENV, ROOT } from "../scripts/local-shop.mjs";
import { FILTERED_PAGES } from "../tests/support/filtered-pages.ts";
import { pageWeight } from "../tests/support/page-weight.ts";
import { signIn } from "./ledger.mjs";
import { median } from "./load.mjs";
import { demoShop, generatedShop } from "./shops.mjs";
import { atMost } from "./table.mjs";

const PRODUCTS = 100_000;
const MAX_ROWS = 250;
const MAX_TRIPS = 3;
/** Number of measured starts; other load on the machine lengthens some of them. */
const STARTS = 5;
const SORTS = ["price-asc", "price-desc", "name-asc", "name-desc"];

/** Bytes of the three first views, on the demo shop. */
export async function weight() {
  const shop = await demoShop();
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
  try {
    const rows = [];
    for (const path of await firstViews(shop.url)) {
      const { js, chatJs, css, html } = await pageWeight(browser, shop.url + path);
      rows.push(atMost(`JavaScript of ${path}, gzip`, js / 1000, 104, " kB"));
      rows.push(atMost(`JavaScript of the chat's panel on ${path}, gzip`, chatJs / 1000, 30, " kB"));
      rows.push(atMost(`CSS of ${path}, gzip`, css / 1000, 12, " kB"));
      rows.push(atMost(`HTML of ${path}, gzip`, html / 1000, 15, " kB"));
    }
    return rows;
  } finally {
    await browser.close();
    await shop.stop();
  }
}

/** Rows read and round trips of first views, on a large shop. */
export async function cost() {
  const shop = await generatedShop(PRODUCTS);
  try {
    const lists = SORTS.flatMap((sort) => [`/shop?sort=${sort}`, `/shop?sort=${sort}&category=JEWELRY`]);
    const calls = ["/api/product/random", "/api/product/categories"];
    const rows = [];
    for (const path of [...(await firstViews(shop.url)), ...lists, ...calls])
      rows.push(costRow(path, await costOf(shop.url + path)));
    const filtered = [];
    for (const path of FILTERED_PAGES) filtered.push({ path, ...(await costOf(shop.url + path)) });
    const [most] = filtered.sort((a, b) => b.read - a.read);
    for (const { path, ...cost } of filtered.filter(({ read }) => read > MAX_ROWS))
      rows.push(costRow(path, cost));
    rows.push(...(await staffRows(shop.url)));
    return [...rows, costRow(`the most of ${FILTERED_PAGES.length} filtered pages, ${most.path}`, most)];
  } finally {
    await shop.stop();
  }
}

/** Searches for a code alone, which read a few rows, and pages that begin with one. */
const CODE_SEARCHES = ["/api/product/all?search=G-4711-XL", "/api/product/code?code=2000000047113"];
const CODE_PAGES = [
  "/admin/products-management?q=G-4711-XL",
  "/admin/inventory-management?q=G-4711-XL",
  "/admin/inventory-management?q=2000000047113",
  "/shop?search=G-4711-XL",
];
const MAX_CODE_ROWS = 20;
const STAFF_VIEWS = ["/admin/products-management", "/admin/inventory-management"];

/** Rows read and round trips of the screens that list products and units, and of searches for a SKU or barcode. */
async function staffRows(url) {
  const headers = { Authorization: `Bearer ${await signIn(url)}` };
  const [divided] = await (await fetch(`${url}/api/product/all?search=G-4711-XL`, { headers })).json();
  const rows = [];
  for (const path of [
    ...STAFF_VIEWS,
    ...CODE_PAGES,
    `/products/${divided.id}`,
    `/products/${divided.id}?Size=XL`,
  ])
    rows.push(costRow(path, await costOf(url + path, headers)));
  for (const path of CODE_SEARCHES)
    rows.push(costRow(path, await costOf(url + path, headers), MAX_CODE_ROWS));
  return rows;
}

/** Rows read and round trips of a page for a visitor whose pages the edge does not cache. */
async function costOf(url, headers = { Cookie: "emporia_seen=1" }) {
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  await answer.arrayBuffer();
  const [, trips, read] =
    /(\d+) round trips, \d+ queries, (\d+) rows/.exec(answer.headers.get("Server-Timing") ?? "") ?? [];
  return { read: Number(read), trips: Number(trips) };
}

function costRow(path, { read, trips }, most = MAX_ROWS) {
  return {
    what: `rows read · round trips of ${path}, ${PRODUCTS} products`,
    ours: `${read} · ${trips}`,
    budget: `≤ ${most} · ≤ ${MAX_TRIPS}`,
    pass: read <= most && trips <= MAX_TRIPS,
  };
}

/** Size and start-up time of the deployed Worker. */
export function deployed() {
  const starts = Array.from({ length: STARTS }, startUp).filter(({ active }) => active > 0);
  const middle = (/** @type {"active" | "window" | "bytes"} */ name) =>
    median(starts.map((one) => one[name]));
  return [
    atMost("server bundle, gzip", middle("bytes") / 1e6, 1.9, " MB"),
    atMost("start-up, CPU time", middle("active"), 400, " ms"),
    atMost("start-up, all in all", middle("window"), 400, " ms"),
  ];
}

/** Measures one start; `active` is 0 when the profiler took no sample. */
function startUp() {
  const folder = mkdtempSync(join(tmpdir(), "emporia-startup-"));
  const args = ["check", "startup", "--outfile", join(folder, "startup.cpuprofile")];
  const options = { cwd: ROOT, env: ENV, encoding: "utf8", timeout: 120_000 };
  const { status, stdout, stderr } = spawnSync("wrangler", args, options);
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`wrangler check startup failed:\n${stderr}`);
  const read = (/** @type {RegExp} */ pattern) => Number(pattern.exec(stdout)?.[1]?.replaceAll(",", ""));
  return {
    bytes: read(/gzip: ([\d.,]+) KiB/) * 1024,
    active: read(/Active: ([\d.,]+) ms/),
    window: read(/Profile window: ([\d.,]+) ms/),
  };
}

/**
 * The three pages that the budgets name.
 *
 * @param {string} url of a running shop
 */
export async function firstViews(url) {
  const [product] = await (await fetch(`${url}/api/product/all?limit=1`)).json();
  return ["/", "/shop", `/products/${product.id}`];
}
