import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PRODUCT } from "~/features/catalogue/product";
import { admin } from "../support/people";
import { addProduct, call } from "../support/shop";

const plate = { x: 0.3, y: 0.45, width: 0.4, height: 0.1, angle: 4, tone: "burnt", lines: [14, 10] };
const IMAGE = "https://example.com/tag.jpg";

/** Values of the fields whose example in a spreadsheet can't be sent as it is. */
const CHANGES: Record<string, unknown> = {
  colors: ["Walnut", "Oak"],
  imageUrls: [IMAGE],
  hasEngraving: true,
  optionLabel: "Wood",
  isHidden: true,
  plates: { [IMAGE]: plate },
};

let token: string;
beforeAll(async () => {
  const owner = await admin();
  ({ token } = owner);
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null, { status: 204 }));
  const body = new URLSearchParams({
    intent: "create-webhook",
    url: "https://hooks.example.com/fields",
    currentPassword: owner.password,
  });
  body.append("events", "product.changed");
  expect((await call("/admin/integrations", { body, token })).status).toBe(200);
});

afterAll(() => {
  vi.restoreAllMocks();
});

const namesIn = async (sql: string, id: string) =>
  (await env.DB.prepare(sql).bind(id).all<{ name: string }>()).results.map(({ name }) => name);

describe("a change of one field", () => {
  it.each(PRODUCT.columns)(
    "$column is in the audit log and reported to webhooks",
    async ({ column, name, field }) => {
      const id = await addProduct({ hasEngraving: false });
      await env.DB.prepare("DELETE FROM webhook_deliveries").run();
      const json = { [name]: CHANGES[name] ?? field.example };
      expect((await call(`/api/product/${id}`, { method: "PUT", json, token })).status).toBe(200);
      const changed = `SELECT json_each.key AS name FROM audit_log, json_each(changes)
        WHERE object = 'product' AND action = 'changed' AND object_id = ?`;
      expect(await namesIn(changed, id)).toEqual([column]);
      const reported = "SELECT event AS name FROM webhook_deliveries WHERE subject = ?";
      expect(await namesIn(reported, id)).toEqual(["product.changed"]);
    },
  );
});

it("French quotation marks stay on the line of their words", async () => {
  const id = await addProduct();
  const json = { name: "Board « La cuisine », a « b" };
  expect((await call(`/api/product/${id}`, { method: "PUT", json, token })).status).toBe(200);
  const stored = await env.DB.prepare("SELECT name FROM products WHERE id = ?").bind(id).first("name");
  expect(stored).toBe("Board «\u00a0La cuisine\u00a0», a «\u00a0b");
});

describe("the engraving plates and the name of the choice", () => {
  const put = (id: string, json: object) => call(`/api/product/${id}`, { method: "PUT", json, token });
  const shown = async (id: string) =>
    (await (await call(`/api/product/id/${id}?raw=1`)).json()) as Record<string, unknown>;
  const fields = {
    name: "Key tag",
    price: 12,
    category: "ENGRAVING",
    hasEngraving: true,
    imageUrls: [IMAGE],
  };

  it("are stored by POST and PUT, kept by others, and in the audit log", async () => {
    const json = { ...fields, optionLabel: "Material", plates: { [IMAGE]: plate } };
    const { id } = (await (await call("/api/product", { json, token })).json()) as { id: string };
    expect(await shown(id)).toMatchObject({ optionLabel: "Material", plates: { [IMAGE]: plate } });
    expect((await put(id, { price: 13 })).status).toBe(200);
    expect(await shown(id)).toMatchObject({ optionLabel: "Material", plates: { [IMAGE]: plate } });
    const moved = { ...plate, x: "0.25" };
    expect((await put(id, { optionLabel: "", plates: { [IMAGE]: moved } })).status).toBe(200);
    const after = await shown(id);
    expect([after.optionLabel, after.plates]).toEqual([undefined, { [IMAGE]: { ...plate, x: 0.25 } }]);
    const sql = `SELECT json_each.key AS name FROM audit_log, json_each(changes)
      WHERE object = 'product' AND action = 'changed' AND object_id = ?`;
    expect(await namesIn(sql, id)).toEqual(["priceCents", "optionLabel", "plates"]);
    expect((await put(id, { plates: {} })).status).toBe(200);
    expect((await shown(id)).plates).toBeUndefined();
  });

  it("are refused outside the picture, without lines and in other tones", async () => {
    const id = await addProduct({ hasEngraving: true, imageUrls: [IMAGE] });
    const refused = async (changes: object) => {
      const answer = await put(id, { plates: { [IMAGE]: { ...plate, ...changes } } });
      const { details } = (await answer.json()) as { details?: { path: string }[] };
      return [answer.status, details?.[0]?.path.split(".").at(-1)];
    };
    expect(await refused({ x: 0.7 })).toEqual([400, "width"]);
    expect(await refused({ y: 1.2 })).toEqual([400, "y"]);
    expect(await refused({ width: 0 })).toEqual([400, "width"]);
    expect(await refused({ lines: [] })).toEqual([400, "lines"]);
    expect(await refused({ lines: [61] })).toEqual([400, "lines"]);
    expect(await refused({ tone: "painted" })).toEqual([400, "tone"]);
  });

  it("conflict when two people change them", async () => {
    const id = await addProduct({ hasEngraving: true, imageUrls: [IMAGE] });
    expect((await put(id, { plates: { [IMAGE]: plate } })).status).toBe(200);
    const to = (x: number) => ({ plates: { [IMAGE]: { ...plate, x } }, was: { plates: { [IMAGE]: plate } } });
    expect((await put(id, to(0.2))).status).toBe(200);
    const late = await put(id, to(0.1));
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      details: [{ path: "plates", message: "Somebody else has changed this too" }, { path: "was" }],
    });
    expect((await put(id, to(0.2))).status).toBe(200);
  });

  it("are typed as numbers in the form without JavaScript, and kept by an import", async () => {
    const id = await addProduct({ name: "Oak tag", hasEngraving: true, imageUrls: [IMAGE] });
    const path = `/admin/products-management?edit=${id}`;
    const html = await (await call(path, { token })).text();
    const was = /name="was" value="([^"]*)"/.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "";
    const body = new FormData();
    const typed = {
      ...{ intent: "update", id, was, name: "Oak tag", price: "30", stock: "5", category: "ENGRAVING" },
      ...{ hasEngraving: "on", optionLabel: "Wood", tile: IMAGE, imageUrls: IMAGE, place: "1" },
      ...{ plateX: "30", plateY: "45.5", plateWidth: "40", plateHeight: "10", plateAngle: "-3" },
      ...{ plateTone: "cut", plateLines: "14, 12" },
    };
    for (const [name, value] of Object.entries(typed)) body.append(name, value);
    expect((await call(path, { body, token })).status).toBe(303);
    const stored = { x: 0.3, y: 0.455, width: 0.4, height: 0.1, angle: -3, tone: "cut", lines: [14, 12] };
    expect(await shown(id)).toMatchObject({ optionLabel: "Wood", plates: { [IMAGE]: stored } });
    body.set("plateWidth", "90");
    const refusedForm = await (await call(path, { body, token })).text();
    expect(refusedForm).toContain("The engraving plate must lie within the picture");
    const file = new FormData();
    file.append("file", new File(["name,price\nOak tag,31"], "prices.csv"));
    expect((await call("/api/product/bulk-upload", { body: file, token })).status).toBe(200);
    expect(await shown(id)).toMatchObject({ price: 31, optionLabel: "Wood", plates: { [IMAGE]: stored } });
  });
});

describe("null in a change", () => {
  const EMPTIED = { description: "", colors: [], hasEngraving: false, imageUrls: [] };

  it.each(Object.entries(EMPTIED))("empties %s, and a missing key leaves it", async (name, empty) => {
    const filled = { description: "<p>Oak</p>", colors: ["Oak"], hasEngraving: true, imageUrls: [IMAGE] };
    const id = await addProduct({ ...filled, optionLabel: "Wood" });
    const change = async (json: object) =>
      (await call(`/api/product/${id}`, { method: "PUT", json, token })).json();
    expect(await change({ price: 6 })).toMatchObject(filled);
    expect(await change({ [name]: null })).toMatchObject({ ...filled, [name]: empty });
  });

  it.each(["name", "price", "stock", "category"])("is refused for %s", async (name) => {
    const id = await addProduct();
    const answer = await call(`/api/product/${id}`, { method: "PUT", json: { [name]: null }, token });
    expect(answer.status).toBe(400);
  });
});
