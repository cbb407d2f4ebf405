import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UndoResult } from "~/features/product-runs/schema";
import { manager } from "../support/people";
import { importFile, productsByName } from "../support/product-import";
import { json, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

const PRODUCTS = "/admin/products-management";
let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_runs; DELETE FROM product_changes"));

const upload = async (content: string, name: string) => (await importFile(token, content, { name })).runId;
const undo = (run: string, query = "") =>
  json<UndoResult>(call(`/api/product/bulk-upload/${run}/undo${query}`, { method: "POST", token }));
/** Text of a page, in which parts of a sentence stand together. */
const page = async (path: string) =>
  (await (await call(`${PRODUCTS}${path}`, { token })).text()).replaceAll("<!-- -->", "");
/** Cells of a table's row that names something. */
const cellsOf = (html: string, name: string) => {
  const row =
    html
      .split("<tr")
      .slice(1)
      .find((each) => each.includes(name)) ?? "";
  return [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell = ""]) =>
    cell.replace(/<[^>]*>/g, "").trim(),
  );
};

describe("the pages of a run and its undo", () => {
  it("name the file, and a product that was deleted since", async () => {
    await upload("name,price\nMug,20", "first.csv");
    const run = await upload("name,price\nMug,26", "autumn.csv");
    const { Mug } = await productsByName();
    await call(`/api/product/${Mug?.id}`, { method: "DELETE", token });
    const html = await page(`/runs/${run}`);
    expect(html).toMatch(/Upload of autumn\.csv, \d+\w\w \w{3} \d{4}/);
    expect(html).toMatch(/class="cell-name[^"]*">Mug</);
    const plan = await page(`/runs/${run}/undo`);
    expect(plan).toMatch(/Dry run: take “Upload of autumn\.csv, \d+\w\w \w{3} \d{4}” back/);
    expect(plan).toMatch(/class="cell-name[^"]*">Mug</);
    expect(html + plan).not.toContain("Deleted product");
    expect((await undo(run, "?dryRun=1")).staying).toMatchObject([{ product: "Mug", reason: "Deleted" }]);
  });

  it("say what was sold since, though the stock goes back", async () => {
    await upload("name,price,stock\nMug,20,9\nCup,6,9", "a.csv");
    const run = await upload("name,price,stock\nMug,20,12\nCup,6,12", "b.csv");
    const id = (await productsByName()).Mug?.id ?? "";
    await sold(token, { lines: [{ productId: id, quantity: 2, amount: 40 }] });
    const html = await page(`/runs/${run}`);
    expect(cellsOf(html, ">Mug<").at(-1)).toBe("2 sold");
    expect(cellsOf(html, ">Cup<").at(-1)).toBe("as stored");
  });

  it("show the old and the new words of a description", async () => {
    const words = "Oiled by hand, dried for a week in the loft, and finished with";
    await upload(`name,price,description\nMug,20,"<p>${words} beeswax</p>"`, "a.csv");
    const run = await upload(`name,price,description\nMug,20,"<p>${words} linseed</p>"`, "b.csv");
    const changes = async (path: string) =>
      [...(await page(path)).matchAll(/<(?:del|ins)>(.*?)<\/(?:del|ins)>/g)].map(([, text]) => text);
    expect(await changes(`/runs/${run}`)).toEqual(["…finished with beeswax", "…finished with linseed"]);
    expect(await changes(`/runs/${run}/undo`)).toEqual(["…finished with linseed", "…finished with beeswax"]);
  });

  it("count an undo and an act in their own words", async () => {
    await upload("name,price\nMug,20", "a.csv");
    const run = await upload("name,price\nMug,26\nHat,9", "b.csv");
    await undo(run);
    const id = await addProduct({ name: "Vase" });
    const act = { act: "delete", ids: [id] };
    expect((await call("/api/product/acts", { json: act, token })).status).toBe(200);
    for (const html of [await page("?dialog=bulk-upload"), await page(`/runs/${run}`)]) {
      expect(cellsOf(html, ">Undo of b.csv<").join()).toContain("1 went back, 1 was removed");
      expect(cellsOf(html, ">Undo of b.csv<")).not.toContain("0");
      expect(cellsOf(html, ">Delete").join()).toContain("1 removed");
      expect(cellsOf(html, ">b.csv<").slice(3, 5)).toEqual(["1", "1"]);
    }
  });
});
