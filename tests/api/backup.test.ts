import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { send } from "../support/worker";
import { differences, type Manifest, readManifest } from "~/features/backup/archive";

const KEY = "a key that only tests know, of 32 bytes or more";

async function operator(method: string, path: string, body?: BodyInit): Promise<Response> {
  return send(
    new Request(`http://shop.test/operator/${path}`, {
      method,
      headers: { Authorization: `Bearer ${KEY}` },
      ...(body !== undefined && { body }),
    }),
  );
}
describe("x", () => {
  it("y", async () => {
    await env.DB.batch([
      env.DB.prepare("INSERT INTO products (id, name, name_key, price_cents, category, shuffle, created_at, updated_at, stock, stock_change) VALUES ('p1','Lamp','lamp',100,'OTHER',1,1,1,4,'{\"id\":\"m\",\"reason\":\"opening\",\"actor\":\"A\"}')"),
      env.DB.prepare("INSERT INTO expenses (id, description, description_key, business_type, amount_cents, created_at, day, updated_at, expense_type) VALUES ('e1','Ink','ink','EMPORIA',5,1,'2026-01-01',1,'OTHER')"),
    ]).catch((e) => console.log(String(e)));
    await env.BUCKET.put("products/a b é.png", new Uint8Array([1,2,3]), { httpMetadata: { contentType: "image/png" } });
    const start = await operator("POST", "backup");
    let cursor = await start.text();
    console.log(start.status, cursor);
    const slices: Uint8Array[] = [];
    while (cursor !== "null") {
      const r = await operator("POST", "backup/slice", cursor);
      if (r.status !== 200) { console.log(r.status, await r.text()); break; }
      const form = await r.formData();
      cursor = form.get("next") as string;
      slices.push(new Uint8Array(await (form.get("slice") as unknown as Blob).arrayBuffer()));
    }
    console.log(slices.map((s) => s.length), cursor);
    const whole = new Uint8Array(await new Blob(slices as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    const manifest = await readManifest(whole.length, async (from, bytes) => whole.slice(from, from + bytes));
    console.log(JSON.stringify(manifest.tables));
    const refused = await operator("POST", "restore", JSON.stringify(manifest));
    console.log(refused.status, await refused.text());
    console.log(await (await send(new Request("http://localhost/readyz"))).text());
  });
});
