import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UndoResult } from "~/features/product-runs/schema";
import { manager } from "../support/people";
import { importFile, productsByName, shirts } from "../support/product-import";
import { credit, hold, json, sold } from "../support/sales";
import { call, setStock } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() =>
  env.DB.exec(
    "DELETE FROM hold_lines; DELETE FROM products; DELETE FROM import_runs; DELETE FROM product_changes",
  ),
);

const upload = async (content: string) => (await importFile(token, content)).runId;
const undo = (run: string, query = "") =>
  json<UndoResult>(call(`/api/product/bulk-upload/${run}/undo${query}`, { method: "POST", token }));
const put = async (id: string, fields: unknown) => {
  const answer = await call(`/api/product/${id}`, { method: "PUT", json: fields, token });
  expect(answer.status, await answer.clone().text()).toBe(200);
};
const idOf = async (name: string) => (await productsByName())[name]?.id ?? "";
const shown = async () =>
  (await env.DB.prepare("SELECT name, is_hidden FROM products ORDER BY name").all()).results;

const HATS = "name,price,stock,description\nCap,8,4,Plain\nHat,9,4,Warm";

describe("an undo of what a run created", () => {
  it.each([
    ["price", { price: 12 }, "Price, $12.00"],
    ["text", { description: "<p>Mine</p>" }, "Description"],
    ["name", { name: "Hatt" }, "Name, Hatt"],
    ["category", { category: "JEWELRY" }, "Category, Jewelry"],
    ["stock", { stock: 7 }, "Stock, 7"],
    ["engraving", { hasEngraving: true }, "Engraving, yes"],
  ])("hides what somebody has changed since, and says who: %s", async (_, fields, reason) => {
    const run = await upload(HATS);
    const id = await idOf("Hat");
    await put(id, fields);
    const plan = await undo(run, "?dryRun=1");
    expect(plan).toMatchObject({ removed: 1, hidden: 1, staying: [{ productId: id, reason }] });
    expect(plan.staying[0]?.by).toMatch(/^Pat Example, today, \d\d:\d\d$/);
    const { runId } = await undo(run);
    expect(await json(call(`/api/product/id/${id}`, { token }))).toMatchObject({ isHidden: true, ...fields });
    expect(await shown()).toHaveLength(1);
    await undo(runId ?? "");
    expect(await json(call(`/api/product/id/${id}`, { token }))).not.toHaveProperty("isHidden");
    expect(await shown()).toHaveLength(2);
  });

  it("hides what somebody has counted, and what was sold and counted, with both reasons", async () => {
    const run = await upload(HATS);
    await setStock(await idOf("Cap"), 9);
    await sold(token, { lines: [{ productId: await idOf("Hat"), quantity: 1, amount: 9 }] });
    await setStock(await idOf("Hat"), 30);
    const { staying, hidden } = await undo(run, "?dryRun=1");
    expect(hidden).toBe(2);
    expect(staying.map(({ product, reason }) => [product, reason])).toEqual([
      ["Cap", "Stock, 9"],
      ["Hat", "1 sold"],
      ["Hat", expect.stringMatching(/^Stock, 30/)],
    ]);
  });

  it("hides one whose choices somebody has changed", async () => {
    const run = await upload(shirts("S,5,1,A", "M,6,2,B"));
    const id = await idOf("Shirt");
    const { units } = await json<{ units: { id: string; options: unknown }[] }>(
      call(`/api/product/id/${id}`, { token }),
    );
    await put(id, { units: units.map((unit, i) => ({ id: unit.id, ...(i === 0 && { sku: "MINE" }) })) });
    const { staying } = await undo(run, "?dryRun=1");
    expect(staying).toMatchObject([
      { reason: "Choices and codes", by: expect.stringContaining("Pat Example") },
    ]);
    expect(await undo(run)).toMatchObject({ hidden: 1, removed: 0 });
  });

  it("hides one that a later upload has changed, and names the file", async () => {
    const run = await upload(HATS);
    await importFile(token, "name,price\nHat,11", { name: "spring.csv" });
    const { staying } = await undo(run, "?dryRun=1");
    expect(staying).toMatchObject([{ product: "Hat", reason: "Price, $11.00" }]);
    expect(staying[0]?.by).toContain("spring.csv");
  });

  it("hides one that somebody waits for", async () => {
    const run = await upload("name,price,stock\nHat,9,0");
    await env.DB.exec(`UPDATE units SET waiting = 2 WHERE product_id = '${await idOf("Hat")}'`);
    const { staying } = await undo(run, "?dryRun=1");
    expect(staying).toMatchObject([{ product: "Hat", reason: "2 people wait for it" }]);
  });

  it("removes what is as the run left it: untouched, or changed and changed back, or held until it was released", async () => {
    const run = await upload(HATS);
    const id = await idOf("Hat");
    await put(id, { price: 12 });
    await put(id, { price: 9 });
    await setStock(id, 9);
    await setStock(id, 4);
    const held = await hold(token, {
      lines: [{ productId: id, quantity: 1 }],
      until: Math.floor(Date.now() / 1000) + 3600,
    });
    expect(await undo(run, "?dryRun=1")).toMatchObject({ hidden: 1, staying: [{ reason: "1 on hold" }] });
    await call(`/api/hold/${(await json<{ id: string }>(Promise.resolve(held))).id}`, {
      method: "DELETE",
      token,
    });
    expect(await undo(run)).toMatchObject({ removed: 2, hidden: 0, staying: [] });
    expect(await shown()).toEqual([]);
  });

  it("lists a sale alone where its pieces came back", async () => {
    const run = await upload(HATS);
    const [document] = await sold(token, {
      lines: [{ productId: await idOf("Hat"), quantity: 1, amount: 9 }],
    });
    await credit(token, document?.id ?? "", { restock: true, paymentMode: "CARD", reason: "Wrong" });
    const { staying } = await undo(run, "?dryRun=1");
    expect(staying.map(({ product, reason }) => [product, reason])).toEqual([["Hat", "Sold"]]);
  });
});
