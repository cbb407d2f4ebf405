// Time of a bulk upload of 10,000 rows, and growth of the engine's memory.
import { strToU8, zipSync } from "fflate";
import { DEMO_SIGN_INS } from "../scripts/local-shop.mjs";
import { cpuOf } from "./cpu.mjs";
import { largestOf } from "./memory.mjs";
import { freshShop } from "./shops.mjs";
import { atMost } from "./table.mjs";

const ROWS = 10_000;
const BUDGET_SECONDS = 20;
/** Variants of a product, in a file of as many products; its budget counts their rows. */
const VARIANTS = 4;
const BUDGET_OF_VARIANTS = 60;
/** Ticks per second of Linux's process clock. */
const TICKS_A_SECOND = 100;
/** Milliseconds between two measurements of the memory. */
const LOOK_EVERY = 100;
const HEADERS = ["name", "description", "price", "stock", "category", "colors", "imageUrls"];
const CATEGORIES = ["home decor", "Phone-Case", "JEWELRY", "OTHERS"];

/** Uploads new products in both formats, then one file again, which changes nothing. */
export async function upload() {
  const shop = await freshShop();
  try {
    const token = await signIn(shop.url);
    const csv = new File([csvOf(productsOf("Comma"))], "comma.csv");
    const send = (file) => sendFile(shop, token, file);
    await send(new File([csvOf(productsOf("Warm").slice(0, 51))], "warm.csv"));
    const before = largestOf(shop.pid);
    const [ofCsv, ofXlsx] = [
      await send(csv),
      await send(new File([xlsxOf(productsOf("Sheet"))], "sheet.xlsx")),
    ];
    const again = await send(csv);
    const ofVariants = await send(new File([variantsOf()], "variants.csv"));
    return [
      ...rowsOf("CSV", ofCsv, { created: ROWS }),
      ...rowsOf("XLSX", ofXlsx, { created: ROWS }),
      ...rowsOf("CSV sent again", again, { created: 0 }),
      ...rowsOf(`with ${ROWS * VARIANTS} variants`, ofVariants, { created: ROWS }, BUDGET_OF_VARIANTS),
      ...memoryOf(before, [ofCsv, ofXlsx, again, ofVariants]),
    ];
  } finally {
    await shop.stop();
  }
}

function rowsOf(what, { result, seconds, cpu, told }, { created }, budget = BUDGET_SECONDS) {
  if (result.created !== created || result.updated !== 0 || result.errors !== 0)
    throw new Error(`${what}: ${result.message}`);
  const title = `bulk upload of ${ROWS.toLocaleString("en-CA")} rows, ${what}, progress told ${told} times`;
  const row = atMost(title, seconds, budget, " s");
  return [cpu === null ? row : { ...row, reference: `${cpu.toFixed(1)} s of CPU time` }];
}

/** The engine's process holds the Worker, D1, R2 and SQLite's caches: its growth is more than the isolate's. */
function memoryOf(before, sent) {
  const most = Math.max(...sent.map(({ most }) => most ?? 0));
  if (before === null || most === 0) return [];
  const growth = `${Math.round((most - before) / 1024)} MB above ${Math.round(before / 1024)} MB`;
  return [{ what: "memory of the engine's process meanwhile", ours: growth, budget: "", pass: null }];
}

/** Sends a file as the screen does. */
async function sendFile(shop, token, file) {
  const form = new FormData();
  form.append("file", file);
  let most = largestOf(shop.pid);
  const looking = setInterval(() => {
    most = Math.max(most ?? 0, largestOf(shop.pid) ?? 0);
  }, LOOK_EVERY);
  const [started, ticks] = [performance.now(), cpuOf(shop.pid)];
  try {
    const answer = await fetch(`${shop.url}/api/product/bulk-upload`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, Accept: "application/x-ndjson" },
      body: form,
    });
    const lines = (await answer.text()).trim().split("\n");
    const { result, failure } = JSON.parse(lines.at(-1));
    if (!result) throw new Error(failure ?? lines.at(-1));
    const seconds = (performance.now() - started) / 1000;
    const cpu = ticks === null ? null : ((cpuOf(shop.pid) ?? ticks) - ticks) / TICKS_A_SECOND;
    return { result, seconds, cpu, told: lines.length - 1, most };
  } finally {
    clearInterval(looking);
  }
}

function productsOf(kind) {
  const products = Array.from({ length: ROWS }, (_, i) => [
    `${kind} lamp ${i} of ${(i * 7919) % 977} makers`,
    `<p>Made by hand, number ${i}.</p><p>${"Brass, oak and glass. ".repeat(8)}</p>`,
    (i % 900) + 0.5,
    i % 300,
    CATEGORIES[i % CATEGORIES.length],
    i % 3 ? "Brass, Black" : "",
    `https://pictures.example/${kind}/${i}-a.jpg, https://pictures.example/${kind}/${i}-b.jpg`,
  ]);
  return [HEADERS, ...products];
}

/** Writes an export of Shopify, with a row for each variant. */
export function variantsOf() {
  const headers = [
    ...["Handle", "Title", "Body (HTML)", "Option1 Name", "Option1 Value"],
    ...["Variant SKU", "Variant Inventory Qty", "Variant Price", "Image Src"],
  ];
  const rows = Array.from({ length: ROWS * VARIANTS }, (_, i) => {
    const [product, variant] = [Math.floor(i / VARIANTS), i % VARIANTS];
    const first = variant === 0;
    return [
      `ring-${product}`,
      first ? `Ring ${product}` : "",
      first ? `<p>${"Silver, made by hand. ".repeat(8)}</p>` : "",
      first ? "Size" : "",
      variant + 5,
      `R-${i}`,
      i % 7,
      20 + (i % 3),
      first ? `https://pictures.example/${product}.jpg` : "",
    ];
  });
  return csvOf([headers, ...rows]);
}

export function csvOf(rows) {
  const cell = (value) => `"${String(value).replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(cell).join(",")).join("\r\n");
}

function xlsxOf(rows) {
  const text = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const cell = (value) =>
    typeof value === "number"
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${text(value)}</t></is></c>`;
  const lines = rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  const relation = (type, target) =>
    `<Relationships><Relationship Id="rId1" Type="x/${type}" Target="${target}"/></Relationships>`;
  const files = {
    "_rels/.rels": relation("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="Stock" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relation("worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${lines}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
}

export async function signIn(url) {
  const { email, password } = DEMO_SIGN_INS.find(({ role }) => role === "admin");
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return (await answer.json()).token;
}
