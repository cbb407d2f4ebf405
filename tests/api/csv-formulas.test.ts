import { env } from "cloudflare:workers";
import Papa from "papaparse";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { identityKey, withoutInvisibleMarks } from "~/db/text";
import { addEntry } from "../support/ledger";
import { admin } from "../support/people";
import { commit, importFile, productsByName } from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await admin()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM invoices; DELETE FROM expenses"));

/** Beginnings that one spreadsheet program or another skips before it looks for a formula. */
const SKIPPED = [
  "",
  " ",
  "\u00a0",
  "\u3000",
  "\u200b",
  "\u200b\u200d \u2060",
  "\ufeff",
  "\u00ad",
  "\u3164",
  "\u180e",
];
/** The same for cells of several lines, which entries and names can't be. */
const LINES = ["\n", "\r\n", "\r", "\t", "\n\t \u200b\n"];
const SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
const FORMULAS = SKIPPED.flatMap((start) => SIGNS.map((sign) => `${start}${sign}SUM(A1)`));
const LINED = LINES.flatMap((start) => SIGNS.map((sign) => `${start}${sign}SUM(A1)`));

async function file(path: string): Promise<string[][]> {
  const answer = await call(path, { token });
  expect(answer.status).toBe(200);
  return Papa.parse<string[]>((await answer.text()).trimEnd()).data.slice(1);
}

/** Cells that a spreadsheet would calculate. */
const run = (rows: string[][]) =>
  rows.flat().filter((cell) => /^[\s\p{Z}\p{Cc}\p{Cf}\u3164]*[=+\-@＝＋－＠]/u.test(cell));

/** Puts a description as it is into an entry of the ledger. */
async function addDescribed(kind: "invoice" | "expense", texts: string[]) {
  for (const text of texts) {
    const { id } = await addEntry(kind, { description: "x" }, token);
    await env.DB.prepare(`UPDATE ${kind}s SET description = ? WHERE id = ?`).bind(text, id).run();
  }
}

describe("cells that begin like a formula", () => {
  it.each(["invoice", "expense"] as const)("are text in the file of %ss", async (kind) => {
    const texts = [
      ...FORMULAS.filter((text) => text.includes("=")),
      ...LINED.filter((text) => text.includes("＠")),
    ];
    await addDescribed(kind, texts);
    const rows = await file(`/admin/${kind}s-management.csv`);
    const cells = rows.map((row) => row[kind === "invoice" ? 0 : 1]);
    expect(cells.toSorted()).toEqual(texts.map((text) => `'${text}`).toSorted());
  });

  it("are text in the inventory", async () => {
    for (const name of [...FORMULAS, ...LINED]) await addProduct({ name });
    const rows = await file("/admin/inventory-management.csv");
    expect(rows).toHaveLength(FORMULAS.length + LINED.length);
    expect(run(rows)).toEqual([]);
  });

  it("are text in the file of products", async () => {
    for (const text of [...FORMULAS, ...LINED])
      await addProduct({ name: text, description: text, colors: [text] });
    const rows = await file("/admin/products-management.csv");
    expect(rows).toHaveLength(FORMULAS.length + LINED.length);
    expect(run(rows)).toEqual([]);
  });

  it("are text in the file of an import's rejected rows, its headers too", async () => {
    const texts = [...FORMULAS, ...LINED];
    const sent = Papa.unparse([["name", "price", "=note"], ...texts.map((text) => ["Mug", "free", text])]);
    await commit(token, { content: sent });
    const id = await env.DB.prepare("SELECT id FROM import_runs ORDER BY rowid DESC").first<string>("id");
    const answer = await (await call(`/admin/products-management/rejected/${id}`, { token })).text();
    const rows = Papa.parse<string[]>(answer.trimEnd()).data;
    expect(rows[0]).toEqual(["name", "price", "'=note", "error"]);
    expect(rows.slice(1).map((row) => row[2])).toEqual(texts.map((text) => `'${text}`));
  });

  it("stay whole where a program parts cells at another sign", async () => {
    await addDescribed("invoice", ["Board;=SUM(A1)", "Board\t=SUM(A1)", "Board|=SUM(A1)"]);
    const text = await (await call("/admin/invoices-management.csv", { token })).text();
    expect(text.split("\r\n").filter((line) => /Board.=SUM/.test(line))).toEqual([
      expect.stringMatching(/^"Board\|=SUM\(A1\)",/),
      expect.stringMatching(/^"Board\t=SUM\(A1\)",/),
      expect.stringMatching(/^"Board;=SUM\(A1\)",/),
    ]);
  });
});

describe("cells that are no formula", () => {
  it("are written as they are: numbers below zero, dates, apostrophes", async () => {
    await addDescribed("invoice", ["-5.00", "-1,250.50", "'til Friday", "a = b"]);
    const cells = (await file("/admin/invoices-management.csv")).map((row) => row[0]);
    expect(cells.toSorted()).toEqual(["'til Friday", "-1,250.50", "-5.00", "a = b"].toSorted());
  });

  it("are no numbers when they only begin like one", async () => {
    await addDescribed("invoice", ["-5+cmd", "-1-1", " -5.00"]);
    expect(run(await file("/admin/invoices-management.csv"))).toEqual([]);
  });
});

describe("the file of products", () => {
  const NAMES = [
    ...FORMULAS.map((text) => text.trim()),
    "'quoted",
    "'=quoted formula",
    "''=twice",
    "''quoted twice",
    "' =spaced",
    "'\u200b=unseen",
    "-5.00",
    "'-5.00",
    "'",
  ];

  it("comes back unchanged, apostrophes of its own among it", async () => {
    const names = [
      ...new Map(NAMES.map(withoutInvisibleMarks).map((name) => [identityKey(name), name])).values(),
    ];
    for (const name of names) await addProduct({ name, description: `${name} as described`, colors: [name] });
    const read = () => env.DB.prepare("SELECT * FROM products ORDER BY row").all();
    const before = await read();
    const sent = await (await call("/admin/products-management.csv", { token })).text();
    expect(await importFile(token, sent)).toMatchObject({ created: 0, updated: 0, errors: 0 });
    expect((await read()).results).toEqual(before.results);
    await env.DB.exec("DELETE FROM products");
    expect(await importFile(token, sent)).toMatchObject({ created: names.length, errors: 0 });
    expect(Object.keys(await productsByName()).toSorted()).toEqual(names.toSorted());
  });

  it("says through its refused rows what it said", async () => {
    const names = ["=SUM(A1)", "'=SUM(A1)", "'quoted"];
    const rows = names.map((name) => [name.startsWith("'q") ? name : `'${name}`, "free"]);
    await commit(token, { content: Papa.unparse([["name", "price"], ...rows]) });
    const id = await env.DB.prepare("SELECT id FROM import_runs ORDER BY rowid DESC").first<string>("id");
    const answer = await (await call(`/admin/products-management/rejected/${id}`, { token })).text();
    expect(await importFile(token, answer.replaceAll("free,", "5,"))).toMatchObject({
      created: names.length,
    });
    expect(Object.keys(await productsByName()).toSorted()).toEqual(names.toSorted());
  });
});
