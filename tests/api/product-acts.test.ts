import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ActResult } from "~/features/product-admin/operations/acts.server";
import { manager } from "../support/people";
import { hold } from "../support/sales";
import { addProduct, addUser, call, cookiesOf, signIn } from "../support/shop";

let token: string;
let shopper: string;

beforeAll(async () => {
  token = (await manager()).token;
  const { email, password } = await addUser();
  shopper = await signIn(email, password);
});

beforeEach(async () => {
  await env.DB.exec("DELETE FROM products");
  const of = { category: "OTHERS", stock: 2 } as const;
  await addProduct({ ...of, id: "tote", name: "Market tote", priceCents: 2400 });
  await addProduct({ ...of, id: "board", name: "Serving board", priceCents: 7800 });
  await addProduct({ ...of, id: "pin", name: "Tin pin", priceCents: 40 });
});

const act = (json: Record<string, unknown>, options: { token?: string } = { token }) =>
  call("/api/product/acts", { json, ...options });
const acted = async (json: Record<string, unknown>): Promise<ActResult> => {
  const answer = await act(json);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json();
};
const stored = async <T>(column: string) => {
  const { results } = await env.DB.prepare(`SELECT id, ${column} AS value FROM products ORDER BY id`).all<{
    id: string;
    value: T;
  }>();
  return Object.fromEntries(results.map(({ id, value }) => [id, value]));
};
const entries = async (id: string) =>
  (
    await env.DB.prepare("SELECT action, changes FROM audit_log WHERE object_id = ? ORDER BY seq DESC")
      .bind(id)
      .all<{ action: string; changes: string }>()
  ).results;

const IDS = ["tote", "board", "pin"];
const UP = { act: "price", by: 5, round: ".99" };

describe("an act on products", () => {
  it("shows first what it will change, and names the prices that it refuses", async () => {
    const preview = await acted({
      act: "price",
      by: -1,
      unit: "amount",
      round: ".99",
      ids: IDS,
      dryRun: true,
    });
    expect(preview).toMatchObject({
      id: null,
      changed: 2,
      unchanged: 0,
      message: "Change the price of 2 products",
    });
    expect(preview.products).toEqual([
      { id: "tote", name: "Market tote", before: "$24.00", after: "$22.99", percent: "−4.2 %", units: [] },
      { id: "board", name: "Serving board", before: "$78.00", after: "$76.99", percent: "−1.3 %", units: [] },
    ]);
    expect(preview.left).toMatchObject([{ id: "pin", reason: expect.stringContaining("above 0") }]);
    expect(await stored("price_cents")).toEqual({ tote: 2400, board: 7800, pin: 40 });
  });

  it("changes prices with one entry per product and keeps what was before", async () => {
    const before = { tote: (await entries("tote")).length, board: (await entries("board")).length };
    const { id, changed, message } = await acted({ ...UP, ids: ["tote", "board"] });
    expect({ changed, message }).toEqual({ changed: 2, message: "Price changed: 2 products" });
    expect(await stored("price_cents")).toEqual({ tote: 2499, board: 8199, pin: 40 });
    for (const product of ["tote", "board"] as const) {
      const log = await entries(product);
      expect(log).toHaveLength(before[product] + 1);
      expect(log[0]?.changes).toContain("priceCents");
    }
    const { results } = await env.DB.prepare(
      "SELECT product_id, outcome, before, after FROM product_changes WHERE run_id = ? ORDER BY product_id",
    )
      .bind(id)
      .all();
    expect(results).toEqual([
      {
        product_id: "board",
        outcome: "updated",
        before: '{"priceCents":7800}',
        after: '{"priceCents":8199}',
      },
      { product_id: "tote", outcome: "updated", before: '{"priceCents":2400}', after: '{"priceCents":2499}' },
    ]);
  });

  it("is done once for its id, repeated and at the same time", async () => {
    const request = { ...UP, ids: IDS, id: "request-1" };
    const results = await Promise.all([acted(request), acted(request), acted(request)]);
    results.push(await acted(request));
    expect(results.map(({ changed }) => changed)).toEqual([2, 2, 2, 2]);
    expect(await stored("price_cents")).toEqual({ tote: 2499, board: 8199, pin: 40 });
    expect((await act({ act: "delete", ids: IDS, id: "request-1" })).status).toBe(409);
  });

  it("leaves a product whose price has changed since the preview, and names it", async () => {
    const was = { tote: 2400, board: 7800 };
    await call("/api/product/tote", { method: "PUT", json: { price: 30 }, token });
    const result = await acted({ ...UP, ids: ["tote", "board"], was });
    expect(result).toMatchObject({
      changed: 1,
      left: [{ id: "tote", name: "Market tote", reason: "Its price is $30.00 now, not $24.00" }],
    });
    expect(await stored("price_cents")).toMatchObject({ tote: 3000, board: 8199 });
  });

  it("hides and shows, and counts what is so already", async () => {
    expect(await acted({ act: "hide", ids: IDS })).toMatchObject({ changed: 3, unchanged: 0 });
    expect(await (await call("/api/product/all")).json()).toEqual([]);
    await call("/api/product/pin", { method: "PUT", json: { isHidden: false }, token });
    expect(await acted({ act: "show", ids: IDS })).toMatchObject({ changed: 2, unchanged: 1 });
    expect(await stored("is_hidden")).toEqual({ tote: 0, board: 0, pin: 0 });
  });

  it("moves to a category all that a search matches", async () => {
    const result = await acted({
      act: "category",
      to: "HOME_DECOR",
      matching: { q: "board", category: "OTHERS" },
    });
    expect(result).toMatchObject({ changed: 1, message: "Category changed: 1 product" });
    expect(await stored("category")).toEqual({ tote: "OTHERS", board: "HOME_DECOR", pin: "OTHERS" });
  });

  it("deletes all but those on hold, which it names, with movements", async () => {
    const until = Math.floor(Date.now() / 1000) + 3600;
    await hold(token, { id: "hold-of-tote", until, lines: [{ productId: "tote", quantity: 1 }] });
    const preview = await acted({ act: "delete", ids: IDS, dryRun: true });
    expect(preview).toMatchObject({
      changed: 2,
      left: [{ name: "Market tote", reason: "On hold for a customer: 1" }],
    });
    expect(await acted({ act: "delete", ids: IDS })).toMatchObject({ changed: 2, left: [{ id: "tote" }] });
    expect(Object.keys(await stored("id"))).toEqual(["tote"]);
    const moved = await env.DB.prepare(
      "SELECT sum(quantity) AS sum FROM stock_movements WHERE product_id = 'board'",
    ).first<{ sum: number }>();
    expect(moved?.sum).toBe(0);
    expect((await entries("board"))[0]?.action).toBe("deleted");
  });

  it("is taken back as an import is: prices, hiding and deletion", async () => {
    const acts = [{ ...UP }, { act: "hide" }, { act: "delete" }];
    const before = await env.DB.prepare(
      "SELECT id, price_cents, stock, is_hidden FROM products ORDER BY id",
    ).all();
    const runs: (string | null)[] = [];
    for (const one of acts) runs.unshift((await acted({ ...one, ids: IDS })).id);
    expect(await stored("id")).toEqual({});
    for (const run of runs) {
      const answer = await call(`/api/product/bulk-upload/${run}/undo`, { method: "POST", token });
      expect(answer.status, await answer.clone().text()).toBe(200);
    }
    const again = await call(`/api/product/bulk-upload/${runs[2]}/undo`, { method: "POST", token });
    const { message } = await again.json<{ message: string }>();
    expect(message).toMatch(
      /^This change of price of 2 products was taken back on .+ by Pat Example: 2 went back\.$/,
    );
    const after = await env.DB.prepare(
      "SELECT id, price_cents, stock, is_hidden FROM products ORDER BY id",
    ).all();
    expect(after.results).toEqual(before.results);
  });

  it("takes the price of a product back whose choices are counted", async () => {
    const sizes = { options: [{ name: "Size", values: ["5", "6"] }], name: "Ring", price: 20 };
    const created = await call("/api/product", { json: { ...sizes, category: "JEWELRY" }, token });
    const { id } = await created.json<{ id: string }>();
    const { id: run } = await acted({ act: "price", by: 7, round: ".99", ids: [id] });
    expect(await stored("price_cents")).toMatchObject({ [id]: 2099 });
    const undone = await call(`/api/product/bulk-upload/${run}/undo`, { method: "POST", token });
    expect(await undone.json()).toMatchObject({ stayed: 0 });
    expect(await stored("price_cents")).toMatchObject({ [id]: 2000 });
  });

  it("that changes nothing leaves no run to take back", async () => {
    const nothing = { act: "category", to: "OTHERS", ids: IDS, id: "again" };
    expect(await acted(nothing)).toMatchObject({ id: null, changed: 0, unchanged: 3 });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM import_runs WHERE id = 'again'").first("n")).toBe(
      0,
    );
    expect((await act({ ...nothing, id: "../../x" })).status).toBe(400);
  });

  it("names products that there are not", async () => {
    const result = await acted({ act: "hide", ids: ["nobody", "tote", "tote"] });
    expect(result).toMatchObject({ changed: 1, left: [{ id: "nobody", reason: "No such product" }] });
  });
});

describe("an act is refused", () => {
  it("to shoppers and visitors", async () => {
    expect((await act({ act: "hide", ids: IDS }, {})).status).toBe(401);
    expect((await act({ act: "hide", ids: IDS }, { token: shopper })).status).toBe(403);
    expect(await stored("is_hidden")).toEqual({ tote: 0, board: 0, pin: 0 });
  });

  it.each([
    [{ act: "burn", ids: IDS }],
    [{ act: "hide" }],
    [{ act: "hide", ids: [] }],
    [{ act: "hide", ids: IDS, matching: {} }],
    [{ act: "price", ids: IDS }],
    [{ act: "price", ids: IDS, by: 0 }],
    [{ act: "price", ids: IDS, by: "lots" }],
    [{ act: "price", ids: IDS, by: 1001 }],
    [{ act: "price", ids: IDS, by: 5, round: ".50" }],
    [{ act: "category", ids: IDS }],
    [{ act: "category", ids: IDS, to: "NONSENSE" }],
    [{ act: "hide", ids: Array.from({ length: 2001 }, (_, i) => `id-${i}`) }],
  ])("as %j", async (json) => {
    expect((await act(json)).status).toBe(400);
  });
});

describe("the list without JavaScript", () => {
  const post = async (fields: [string, string][], options: { token?: string } = { token }) =>
    call("/admin/products-management?sort=name&dir=asc", {
      method: "POST",
      body: new URLSearchParams([["intent", "act"], ...fields]),
      ...options,
    });
  const hiddenFields = (html: string) => {
    const of = (name: string) =>
      (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&quot;", '"');
    return [
      ["was", of("was")],
      ["request", of("request")],
    ] as [string, string][];
  };

  it("leads from ticks to the labels of these products alone", async () => {
    const answer = await post([
      ["act", "labels"],
      ["pick", "tote"],
    ]);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/labels?product=tote"]);
  });

  it("leads from ticks over a preview to the act and its result", async () => {
    const list = await (await call("/admin/products-management", { token })).text();
    expect(list).toMatch(/name="pick"[^>]* value="tote"/);
    const first = await (
      await post([
        ["act", "price"],
        ["pick", "tote"],
        ["pick", "board"],
      ])
    ).text();
    expect(first).toContain("Change the price of 2 products");
    const kept = hiddenFields(first);
    const set: [string, string][] = [
      ["act", "price"],
      ["by", "+5"],
      ["unit", "percent"],
      ["round", ".99"],
    ];
    const preview = await (await post([...set, ...kept, ["step", "preview"]])).text();
    expect(preview).toContain("<del>$24.00</del>");
    expect(preview).toContain("+4.1 %");
    const refused = await (await post([["act", "price"], ["by", "x"], ...kept, ["step", "preview"]])).text();
    expect(refused).toContain("Must be a number such as");
    const done = await post([...set, ...kept, ["step", "apply"]]);
    expect(done.status).toBe(303);
    const again = await post([...set, ...kept, ["step", "apply"]]);
    expect(again.headers.get("Location")).toBe(done.headers.get("Location"));
    expect(await stored("price_cents")).toEqual({ tote: 2499, board: 8199, pin: 40 });
    const result = await (await call(done.headers.get("Location") ?? "", { token })).text();
    expect(result).toContain("Price changed: 2 products");
    const undo = /href="([^"]*\/undo)"/.exec(result)?.[1] ?? "";
    expect(await (await call(undo, { token })).text()).toContain("$24.00");
  });

  it("says why it has changed nothing, where the preview was out of date", async () => {
    const set: [string, string][] = [
      ["act", "price"],
      ["by", "+5"],
      ["unit", "percent"],
      ["round", ".99"],
    ];
    const stale = JSON.stringify({ tote: 2000, board: 1000 });
    const done = await post([...set, ["was", stale], ["request", "act-of-old"], ["step", "apply"]]);
    expect(done.status).toBe(303);
    const list = await call(done.headers.get("Location") ?? "", { token, cookie: cookiesOf(done) });
    const html = (await list.text()).replace(/&#x27;/g, "'");
    expect(html).toMatch(
      /Nothing was changed\. Market tote: Its price is \$[\d.]+ now, not \$20\.00; Serving board: /,
    );
    expect(html).toContain("Choose the products again.");
    expect(html).not.toContain("Price changed: 0 products");
  });

  it("takes all that match, and refuses none", async () => {
    const page = await (
      await post([
        ["act", "hide"],
        ["all", "1"],
        ["q", "board"],
      ])
    ).text();
    expect(page).toContain("Hide 1 product");
    expect(await (await post([["act", "hide"]])).text()).toContain("Choose products first.");
    expect(
      (
        await post(
          [
            ["act", "hide"],
            ["pick", "tote"],
          ],
          { token: shopper },
        )
      ).headers.get("Location"),
    ).toContain("/unauthorized");
  });

  it("exports the ticked ones", async () => {
    const path = "/admin/products-management.csv?intent=act&q=&pick=tote&pick=pin";
    const file = await (await call(path, { token })).text();
    expect(file).toContain("Market tote");
    expect(file).not.toContain("Serving board");
    expect(await (await call(`${path}&all=1`, { token })).text()).toContain("Serving board");
  });
});

describe("2,000 products", () => {
  it("take half of D1's queries at most", async () => {
    const many = Array.from({ length: 1999 }, (_, i) => i);
    await env.DB.prepare(
      `INSERT INTO products (id, name, name_key, price_cents, category, shuffle, created_at, updated_at)
       SELECT 'many-' || value, 'Many ' || value, 'many ' || value, 1000 + value, 'OTHERS', value, 1, 1 FROM json_each(?)`,
    )
      .bind(JSON.stringify(many))
      .run();
    await env.DB.exec("DELETE FROM products WHERE id IN ('tote', 'pin')");
    const all = { matching: { q: "" } };
    const answer = await act({ act: "price", by: 10, ...all });
    const queries = Number(
      /d1;.*?desc="(\d+) quer/.exec(answer.headers.get("Server-Timing") ?? "")?.[1] ?? 0,
    );
    expect(((await answer.json()) as ActResult).changed).toBe(2000);
    expect(queries).toBeLessThan(500);
    expect((await acted({ act: "hide", ...all })).changed).toBe(2000);
    await addProduct({ id: "one-more", name: "One more" });
    expect((await act({ act: "show", ...all })).status).toBe(409);
    const ids = ["board", ...many.map((i) => `many-${i}`)];
    expect((await acted({ act: "delete", ids })).changed).toBe(2000);
  });
});
