import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runPath, undoPath } from "~/features/product-runs/runs";
import type { UndoResult } from "~/features/product-runs/schema";
import { manager, person } from "../support/people";
import { importFile, listedUnits, productsByName, shirts, unitsByName } from "../support/product-import";
import { hold, json, sold } from "../support/sales";
import { call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() =>
  env.DB.exec(
    "DELETE FROM hold_lines; DELETE FROM products; DELETE FROM import_runs; DELETE FROM product_changes",
  ),
);

const upload = (content: BlobPart) => importFile(token, content);
const rows = async <T>(query: string) => (await env.DB.prepare(query).all<T>()).results;
const listed = (name: string) => listedUnits(token, name);
const unitsOf = (name: string) => unitsByName(token, name);

describe("an undo of units", () => {
  const undo = (run: string) =>
    json<UndoResult>(call(`/api/product/bulk-upload/${run}/undo`, { method: "POST", token }));

  it("removes products with their units, and brings them back", async () => {
    const { runId } = await upload(shirts("S,5,1,A", "M,6,2,B"));
    const before = await listed("Shirt");
    const undone = await undo(runId);
    expect(undone).toMatchObject({ removed: 1, hidden: 0 });
    expect(await rows("SELECT count(*) AS n FROM units")).toEqual([{ n: 0 }]);
    expect(await undo(undone.runId ?? "")).toMatchObject({ created: 1 });
    expect(await listed("Shirt")).toEqual(before);
    expect(
      await rows(
        "SELECT sum(quantity) AS moved FROM stock_movements WHERE product_id = (SELECT id FROM products)",
      ),
    ).toEqual([{ moved: 3 }]);
  });

  /** All that is stored of units and their products' own prices. */
  const STORED = `SELECT u.*, p.options, p.base_cents, p.price_cents AS product_cents, p.colors, p.stock AS product_stock
    FROM units AS u JOIN products AS p ON p.id = u.product_id ORDER BY u.product_id, u.position, u.id`;
  const stored = async () =>
    (await rows<Record<string, unknown>>(STORED)).map(({ stock_change, updated_at, ...unit }) => unit);
  const sell = async (choice: string, quantity = 1) => {
    const unit = (await unitsOf("Shirt")).find(({ options }) => Object.values(options).includes(choice));
    return sold(token, {
      paymentMode: "CASH",
      lines: [{ unitId: unit?.id, quantity, amount: 5 * quantity }],
    });
  };

  it.each<[string, string, string]>([
    ["stocks, codes and prices", shirts("S,5,1,A", "M,5,2,B"), shirts("S,5,9,A-2", "M,7,2,B")],
    ["units that it added", shirts("S,5,1,A", "M,5,2,B"), shirts("S,6,1,A", "M,6,2,B", "L,8,4,C")],
    ["prices of units that it took", shirts("S,5,1,A", "M,7,2,B"), shirts("S,6,1,A", "M,6,2,B")],
    [
      "options that it replaced",
      shirts("S,5,1,A", "M,6,2,B"),
      shirts("Red,5,3,A", "Blue,9,4,B").replace("Shirt,Size", "Shirt,Colour"),
    ],
    [
      "a division into choices",
      "Handle,Title,Variant Price,Variant Inventory Qty,Variant SKU\nshirt,Shirt,4,7,ONE\n",
      shirts("S,5,3,A", "M,6,5,B"),
    ],
    [
      "codes of a product without choices",
      "name,price,stock,sku,barcode\nShirt,5,4,ONE,4006381333931\n",
      "name,price,stock,sku,barcode\nShirt,6,9,TWO,4006381333948\n",
    ],
  ])("puts back %s, and can be undone itself", async (_, first, second) => {
    await upload(first);
    const before = await stored();
    const { runId } = await upload(second);
    const after = await stored();
    expect(after).not.toEqual(before);
    const undone = await undo(runId);
    expect(undone).toMatchObject({ updated: 1, partial: 0, stayed: 0, staying: [] });
    expect(await stored()).toEqual(before);
    const again = await undo(undone.runId ?? "");
    expect(again).toMatchObject({ updated: 1, partial: 0, stayed: 0 });
    expect(await stored()).toEqual(after);
    expect(await undo(again.runId ?? "")).toMatchObject({ updated: 1, partial: 0, stayed: 0 });
    expect(await stored()).toEqual(before);
    expect(
      await rows(
        "SELECT p.id FROM products AS p WHERE stock <> (SELECT sum(quantity) FROM stock_movements WHERE product_id = p.id)",
      ),
    ).toEqual([]);
  });

  it("removes a product that the run found by its name alone, with its units", async () => {
    const { runId } = await upload(
      "name,option1 name,option1 value,price,stock,sku\nShirt,Size,S,5,3,A\nShirt,Size,M,5,4,B\n",
    );
    expect(await listed("Shirt")).toHaveLength(2);
    expect(await undo(runId)).toMatchObject({ removed: 1, updated: 0 });
    expect(
      await rows("SELECT (SELECT count(*) FROM products) AS products, (SELECT count(*) FROM units) AS units"),
    ).toEqual([{ products: 0, units: 0 }]);
  });

  it("puts stocks back by what the run added, so that pieces sold since stay sold", async () => {
    await upload(shirts("S,5,10,A", "M,5,2,B"));
    const { runId } = await upload(shirts("S,5,25,A", "M,5,1,B"));
    await sell("S", 3);
    expect(await undo(runId)).toMatchObject({ updated: 1, stayed: 0 });
    expect(await listed("Shirt")).toEqual([
      ["S", 5, 7, "A"],
      ["M", 5, 2, "B"],
    ]);
  });

  /** Counts 4 pieces of each unit as a colleague. */
  async function countAs(firstName: string) {
    const colleague = await person({ isManager: true, firstName });
    const units = (await unitsOf("Shirt")).map(({ id, options }) => ({ id, options, stock: 4 }));
    const { id } = (await productsByName()).Shirt ?? {};
    const answer = await call(`/api/product/${id}`, {
      method: "PUT",
      json: { units },
      token: colleague.token,
    });
    expect(answer.status).toBe(200);
  }

  it("names nobody as the one who changed choices whose stock was counted", async () => {
    await upload(shirts("S,5,1,A", "M,5,2,B"));
    const { runId } = await upload(shirts("S,5,9,A", "M,5,3,B"));
    await countAs("Quinn");
    expect((await undo(runId)).staying).toMatchObject([
      { reason: "Choices and codes: pieces were sold, counted or are on hold", by: "" },
    ]);
  });

  it("is shown by the unit before it is done, and after", async () => {
    await upload(shirts("S,5,1,A", "M,5,2,B"));
    const { runId } = await upload(shirts("S,5,9,A", "M,7,2,B"));
    const parts = async (path: string) => {
      const html = await (await call(path, { token, headers: { Accept: "text/html" } })).text();
      return html
        .replaceAll("<!-- -->", "")
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ");
    };
    const before = await parts(undoPath(runId));
    expect(before).toMatch(/S: Stock\W+9\W+1\b/);
    expect(before).toMatch(/M: Own price\W+\$7\.00\W+none/);
    const undone = await undo(runId);
    expect(await parts(runPath(undone.runId ?? ""))).toMatch(/S: Stock\W+9\W+1\b/);
  });

  it("leaves choices that somebody has changed since, says who, and puts the other fields back", async () => {
    await upload(shirts("S,5,1,A", "M,5,2,B"));
    const { runId } = await upload(
      shirts("S,5,9,A", "M,5,2,B")
        .replace("Option1 Name", "Body (HTML),Option1 Name")
        .replace("Shirt,", "Shirt,New,")
        .replace("shirt,,,M", "shirt,,,,M"),
    );
    const units = (await unitsOf("Shirt")).map(({ options, stock, sku }) => ({
      options,
      stock,
      sku: `${sku}-mine`,
    }));
    const { id } = (await productsByName()).Shirt ?? {};
    expect((await call(`/api/product/${id}`, { method: "PUT", json: { units }, token })).status).toBe(200);
    await countAs("Quinn");
    const undone = await undo(runId);
    expect(undone).toMatchObject({
      partial: 1,
      staying: [
        { product: "Shirt", reason: "Choices and codes", by: expect.stringMatching(/^Pat Example, today/) },
      ],
    });
    expect((await listed("Shirt"))[0]).toEqual(["S", 5, 4, "A-mine"]);
    expect((await productsByName()).Shirt?.description).toBe("");
  });

  it.each([
    ["sold", () => sell("L")],
    [
      "on hold",
      async () =>
        hold(token, {
          lines: [{ unitId: (await unitsOf("Shirt")).at(-1)?.id, quantity: 1 }],
          until: Math.floor(Date.now() / 1000) + 3600,
        }),
    ],
    [
      "counted",
      async () =>
        rows(`UPDATE units SET stock = 9, stock_change = json_object('id', 'x', 'reason', 'adjustment', 'actor', 'Pat')
          WHERE sku = 'C'`),
    ],
  ])("leaves units that it added and that were %s since", async (_, use) => {
    await upload(shirts("S,5,1,A", "M,5,2,B"));
    const { runId } = await upload(shirts("S,5,1,A", "M,5,2,B", "L,5,4,C"));
    await use();
    const before = await stored();
    expect(await undo(runId)).toMatchObject({
      stayed: 1,
      staying: [{ product: "Shirt", reason: expect.stringMatching(/^Choices and codes/) }],
    });
    expect(await stored()).toEqual(before);
  });
});
