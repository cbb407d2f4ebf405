import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { instantAt, localDay } from "~/domain/days";
import { removeOldChanges } from "~/features/product-runs/clean-up.server";
import type { UndoResult } from "~/features/product-runs/schema";
import { removeUnusedImages } from "~/features/storage/operations/objects.server";
import { startChat } from "../support/chat";
import { manager } from "../support/people";
import { commit, importFile, planFile, productsByName } from "../support/product-import";
import { hold, json, sold } from "../support/sales";
import { addProduct, addUser, call, openSession, setStock, storeImages } from "../support/shop";

const DAY = 86_400;
const TORONTO = "America/Toronto";
let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() =>
  env.DB.exec(
    "DELETE FROM hold_lines; DELETE FROM products; DELETE FROM import_runs; DELETE FROM product_changes; DELETE FROM chats",
  ),
);

const upload = async (content: string, name?: string) => (await importFile(token, content, { name })).runId;
const request = (run: string, query = "", as = token) =>
  call(`/api/product/bulk-upload/${run}/undo${query}`, { method: "POST", token: as });
const undo = (run: string) => json<UndoResult>(request(run));
const dryRun = (run: string) => json<UndoResult>(request(run, "?dryRun=1"));
const put = (id: string, fields: unknown) =>
  call(`/api/product/${id}`, { method: "PUT", json: fields, token });
const refusal = async (answer: Promise<Response>) => {
  const { status } = await answer;
  return [status, (await json<{ message: string }>(answer)).message];
};
const rows = async <T>(query: string) => (await env.DB.prepare(query).all<T>()).results;
const idOf = async (name: string) => (await productsByName())[name]?.id ?? "";
const keys = async () =>
  (await rows<{ key: string }>("SELECT key FROM product_keys ORDER BY key")).map(({ key }) => key);
/** Reads all that shoppers, the search and lists read of a product, without its times. */
const CONTENT = `SELECT name, name_key, sort_key, description, search_text, search_name, search_description, price_cents,
  stock, category, colors, search_colors, image_urls, image_alts, is_hidden, created_at FROM products ORDER BY name`;

const FILE = "name,price,stock,category,colors,description\n";
const BEFORE = `${FILE}Mug,20,19,HOME_DECOR,"red, blue",<p>Old</p>\nCup,6,2,OTHERS,,Plain`;
const AFTER = `${FILE}Mug,26,25,OTHERS,green,<p>ไทย new</p>\nCup,6,2,OTHERS,,Plain\nHat,9,4,OTHERS,,Warm`;

describe("an undo", () => {
  it("puts every field back, with its keys, and removes what the run created", async () => {
    await upload(BEFORE);
    const before = await rows(CONTENT);
    const run = await upload(AFTER);
    const plan = await dryRun(run);
    expect(plan).toMatchObject({ runId: null, updated: 1, removed: 1, partial: 0, hidden: 0, stayed: 0 });
    expect(await idOf("Hat")).not.toBe("");
    expect(await undo(run)).toEqual({
      ...plan,
      runId: expect.any(String),
      message: "Taken back: 1 went back, 1 was removed",
    });
    expect(await rows(CONTENT)).toEqual(before);
    expect(await json<unknown[]>(call("/api/product/all?search=ไทย"))).toEqual([]);
  });

  it("is a run with an entry in the log for each product, and can be undone itself", async () => {
    await upload(BEFORE);
    const run = await upload(AFTER, "autumn.csv");
    const after = await rows(CONTENT);
    const { runId } = await undo(run);
    expect(
      await rows(`SELECT kind, undoes, state, file_name FROM import_runs WHERE id = '${runId}'`),
    ).toEqual([{ kind: "undo", undoes: run, state: "done", file_name: "Undo of autumn.csv" }]);
    const logged = `SELECT object, action, count(*) AS n FROM audit_log WHERE source_id = '${runId}' GROUP BY 1, 2 ORDER BY 1, 2`;
    expect(await rows(logged)).toEqual([
      { object: "import", action: "finished", n: 1 },
      { object: "product", action: "changed", n: 1 },
      { object: "product", action: "deleted", n: 1 },
    ]);
    const again = await undo(runId ?? "");
    expect(again).toMatchObject({ created: 1, updated: 1 });
    expect(await rows(CONTENT)).toEqual(after);
    expect(await undo(again.runId ?? "")).toMatchObject({ removed: 1, updated: 1 });
  });

  it("takes the keys of other systems back", async () => {
    const mug = await addProduct({ name: "Mug" });
    const run = await upload("handle,name,price\nmug-1,Mug,10\nhat-1,Hat,5");
    expect(await keys()).toEqual(["hat-1", "mug-1"]);
    const { runId } = await undo(run);
    expect([await keys(), (await rows<{ id: string }>("SELECT id FROM products"))[0]?.id]).toEqual([[], mug]);
    await undo(runId ?? "");
    expect(await keys()).toEqual(["hat-1", "mug-1"]);
  });

  it("leaves fields that somebody has changed since, and says who", async () => {
    await upload(BEFORE);
    const run = await upload(AFTER);
    const id = await idOf("Mug");
    await put(id, { price: 30, description: "<p>Mine</p>" });
    const { partial, staying } = await undo(run);
    expect([partial, staying.map(({ reason, product }) => [product, reason])]).toEqual([
      1,
      [
        ["Mug", "Description"],
        ["Mug", "Price, $30.00"],
      ],
    ]);
    expect(staying[0]?.by).toMatch(/^Pat Example, today, \d\d:\d\d$/);
    expect((await productsByName()).Mug).toMatchObject({
      price: 30,
      description: "<p>Mine</p>",
      category: "HOME_DECOR",
      colors: ["red", "blue"],
    });
  });

  it("counts a field that somebody has put back as back", async () => {
    await upload("name,price\nMug,20");
    const run = await upload("name,price\nMug,26");
    await put(await idOf("Mug"), { price: 20 });
    expect(await dryRun(run)).toMatchObject({ updated: 0, partial: 0, stayed: 0, staying: [] });
  });

  it("leaves a product that somebody has deleted", async () => {
    await upload(BEFORE);
    const run = await upload(AFTER);
    await call(`/api/product/${await idOf("Mug")}`, { method: "DELETE", token });
    const { stayed, staying } = await undo(run);
    expect([stayed, staying[0]?.reason, staying[0]?.by]).toEqual([
      1,
      "Deleted",
      expect.stringMatching(/^Pat/),
    ]);
  });
});

describe("the stock of an undo", () => {
  const movements = async (id: string) =>
    (
      await rows<{ quantity: number }>(
        `SELECT quantity FROM stock_movements WHERE product_id = '${id}' ORDER BY row`,
      )
    ).map(({ quantity }) => quantity);
  const stockOf = async () =>
    (await rows<{ stock: number }>("SELECT stock FROM products WHERE name = 'Mug'"))[0]?.stock;

  async function raised(before: number, after: number) {
    await upload(`name,price,stock\nMug,20,${before}`);
    const run = await upload(`name,price,stock\nMug,20,${after}`);
    return { run, id: await idOf("Mug") };
  }

  it("moves by what the run made, so that pieces sold since stay sold", async () => {
    const { run, id } = await raised(19, 25);
    await sold(token, { lines: [{ productId: id, quantity: 3, amount: 60 }] });
    expect(await undo(run)).toMatchObject({ updated: 1, staying: [] });
    expect([await stockOf(), await movements(id)]).toEqual([16, [19, 6, -3, -6]]);
  });

  it("stays where pieces are on hold, or sold, that the shop would lack", async () => {
    const { run, id } = await raised(2, 10);
    const midnight = instantAt(`${localDay(Date.now() / 1000 + 2 * DAY, TORONTO)}T00:00:00`, TORONTO);
    await hold(token, { lines: [{ productId: id, quantity: 3 }], until: midnight });
    const plan = await dryRun(run);
    expect(plan.staying[0]?.reason).toBe("Stock, 10: 3 on hold");
    expect(plan.staying[0]?.by).toMatch(/until \w+day 24:00$/);
    expect(await undo(run)).toMatchObject({ stayed: 1 });
    expect(await stockOf()).toBe(10);
    const other = await upload("name,price,stock\nCup,20,1");
    const more = await upload("name,price,stock\nCup,20,9");
    await sold(token, { lines: [{ productId: await idOf("Cup"), quantity: 5, amount: 60 }] });
    expect((await undo(more)).staying[0]).toMatchObject({ reason: "Stock, 4: 5 sold" });
    expect(other).not.toBe(more);
  });

  it("stays where somebody has counted it since", async () => {
    const { run, id } = await raised(19, 25);
    await setStock(id, 18);
    expect(await undo(run)).toMatchObject({ stayed: 1, staying: [{ reason: "Stock, 18" }] });
    expect(await stockOf()).toBe(18);
  });

  it("rises by what the run took", async () => {
    const { run } = await raised(25, 5);
    await undo(run);
    expect(await stockOf()).toBe(25);
  });
});

describe("products that a run created", () => {
  it.each([
    ["sold", "1 sold", (id: string) => sold(token, { lines: [{ productId: id, quantity: 1, amount: 9 }] })],
    [
      "on hold",
      "1 on hold",
      (id: string) =>
        hold(token, { lines: [{ productId: id, quantity: 1 }], until: Math.floor(Date.now() / 1000) + 3600 }),
    ],
    ["asked about", "Asked about", (id: string) => startChat({ productId: id, initialMessage: "Hello" })],
  ])("are hidden when they are %s", async (_, reason, use) => {
    const run = await upload("name,price,stock\nHat,9,4\nCap,8,4");
    const id = await idOf("Hat");
    await use(id);
    if (reason === "Asked about") await env.DB.exec(`UPDATE chats SET product_id = '${id}'`);
    expect(await dryRun(run)).toMatchObject({ hidden: 1, removed: 1, staying: [{ product: "Hat", reason }] });
    const { runId } = await undo(run);
    const shown = () => rows<{ name: string }>("SELECT name, is_hidden FROM products ORDER BY name");
    expect(await shown()).toEqual([{ name: "Hat", is_hidden: 1 }]);
    await undo(runId ?? "");
    expect(await shown()).toEqual([
      { name: "Cap", is_hidden: 0 },
      { name: "Hat", is_hidden: 0 },
    ]);
  });

  it("keep the images of what an undo brings back from the nightly clean-up", async () => {
    await storeImages("products/old.jpg");
    const id = await addProduct({ name: "Mug", imageUrls: ["minio:products/old.jpg"], imageAlts: ["A mug"] });
    const run = await upload("name,price,image\nMug,10,https://example.com/new.jpg");
    await removeUnusedImages(env, Date.now() + 2 * DAY * 1000);
    await undo(run);
    expect(await rows(`SELECT image_urls, image_alts FROM products WHERE id = '${id}'`)).toEqual([
      { image_urls: '["minio:products/old.jpg"]', image_alts: '["A mug"]' },
    ]);
    expect(await env.BUCKET.head("products/old.jpg")).not.toBeNull();
  });
});

describe("refused undos", () => {
  it("of an unknown run, and by somebody without rights", async () => {
    expect(await refusal(request("nothing"))).toEqual([404, "There is no such upload"]);
    const { run } = await planFile(token, "name,price\nMug,5");
    expect(await refusal(request(run))).toEqual([404, "There is no such upload"]);
    const stored = await upload("name,price\nMug,5");
    const customer = await openSession((await addUser()).id);
    expect((await request(stored, "", customer)).status).toBe(403);
    expect((await call(`/api/product/bulk-upload/${stored}/undo`, { method: "POST" })).status).toBe(401);
    expect((await request(stored, "?dryRun=maybe")).status).toBe(400);
    expect((await productsByName()).Mug?.price).toBe(5);
  });

  it("after 30 days, while the run is being stored, and where nothing was changed", async () => {
    const run = await upload("name,price\nMug,5");
    const nothing = await upload("name,price\nMug,5");
    expect(await refusal(request(nothing))).toEqual([
      409,
      "There is nothing to take back: this upload changed no product.",
    ]);
    const set = (columns: string) => env.DB.exec(`UPDATE import_runs SET ${columns} WHERE id = '${run}'`);
    await set(`finished_at = unixepoch() - ${30 * DAY + 60}`);
    expect(await refusal(request(run))).toEqual([
      409,
      expect.stringMatching(/^30 days are over: this upload could be taken back until \w+ \w+ \d{4}\.$/),
    ]);
    await set("finished_at = NULL, state = 'running', started_at = unixepoch()");
    expect(await refusal(request(run))).toEqual([
      409,
      "This upload is still being stored. Take it back when it has ended.",
    ]);
  });

  it("twice: says what was done", async () => {
    const run = await upload("name,price\nMug,5");
    const { runId } = await undo(run);
    const answer = await request(run);
    expect(answer.status).toBe(409);
    expect(await json(answer)).toMatchObject({
      message: expect.stringMatching(/^This upload was taken back on .+ by Pat Example: 1 was removed\.$/),
      details: [{ path: "runId", message: runId }],
    });
  });

  it("at the same time by two people: one takes it back", async () => {
    await upload(BEFORE);
    const run = await upload(AFTER);
    const other = (await manager()).token;
    const answers = await Promise.all([request(run), request(run, "", other), request(run)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await productsByName()).Mug).toMatchObject({ price: 20, stock: 19 });
  });

  it("of a run that was sent again after it was taken back", async () => {
    const { run } = await planFile(token, "name,price\nMug,5");
    await commit(token, { run });
    await env.DB.exec("UPDATE import_runs SET state = 'failed'");
    await env.BUCKET.put(`imports/${run}/source`, "name,price\nMug,5");
    await undo(run);
    expect(await refusal(commit(token, { run }))).toEqual([
      409,
      "This upload was taken back. Choose the file again to store it.",
    ]);
  });
});

describe("an undo of many products", () => {
  const file = (price: number) =>
    `name,price,stock\n${Array.from({ length: 1200 }, (_, i) => `Thing ${i},${price},${price}`).join("\n")}`;

  it("goes on where it broke off, and moves no stock twice", async () => {
    await upload(file(5));
    const run = await upload(file(8));
    await env.DB.exec(
      "CREATE TRIGGER break BEFORE UPDATE OF position ON import_runs WHEN old.position > 0 BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const silenced = console.error;
    console.error = () => {};
    expect((await request(run)).status).toBe(500);
    console.error = silenced;
    await env.DB.exec("DROP TRIGGER break");
    const stocks = () =>
      rows("SELECT stock, price_cents, count(*) AS n FROM products GROUP BY 1, 2 ORDER BY 1");
    expect(await stocks()).toEqual([
      { stock: 5, price_cents: 500, n: 500 },
      { stock: 8, price_cents: 800, n: 700 },
    ]);
    expect(await undo(run)).toMatchObject({ updated: 1200 });
    expect(await stocks()).toEqual([{ stock: 5, price_cents: 500, n: 1200 }]);
  });

  it("is safe to repeat when the answer is lost", async () => {
    await upload(file(5));
    const run = await upload(file(8));
    await request(run);
    expect((await request(run)).status).toBe(409);
    expect(await rows("SELECT DISTINCT stock FROM products")).toEqual([{ stock: 5 }]);
  });
});

it("the nightly clean-up removes what a run changed after 30 days", async () => {
  const run = await upload("name,price\nMug,5");
  await removeOldChanges(env, Date.now() + 29 * DAY * 1000);
  expect(await rows("SELECT run_id FROM product_changes")).toEqual([{ run_id: run }]);
  await removeOldChanges(env, Date.now() + 32 * DAY * 1000);
  expect(await rows("SELECT run_id FROM product_changes")).toEqual([]);
});
