import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PRODUCT_FIELDS, type ProductField } from "~/features/catalogue/product-fields";
import { admin } from "../support/people";
import { addProduct, call } from "../support/shop";

/** Value of each field that differs from that of a new product. */
const CHANGES: Record<ProductField, unknown> = {
  name: "Another name",
  description: "Another description",
  price: 12.34,
  stock: 99,
  category: "JEWELRY",
  colors: ["Oak"],
  hasEngraving: true,
  imageUrls: ["https://example.com/another.jpg"],
};

let token: string;
beforeAll(async () => {
  ({ token } = await admin());
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null, { status: 204 }));
  const body = new URLSearchParams({ intent: "create-webhook", url: "https://hooks.example.com/fields" });
  body.append("events", "product.changed");
  expect((await call("/admin/integrations", { body, token })).status).toBe(200);
});

afterAll(() => {
  vi.restoreAllMocks();
});

const namesIn = async (sql: string, id: string) =>
  (await env.DB.prepare(sql).bind(id).all<{ name: string }>()).results.map(({ name }) => name);

describe("a change of one field", () => {
  it.each(Object.entries(PRODUCT_FIELDS))(
    "%s is in the audit log and reported to webhooks",
    async (column, { name }) => {
      const id = await addProduct({ hasEngraving: false });
      await env.DB.prepare("DELETE FROM webhook_deliveries").run();
      const json = { [name]: CHANGES[name] };
      expect((await call(`/api/product/${id}`, { method: "PUT", json, token })).status).toBe(200);
      const changed = `SELECT json_each.key AS name FROM audit_log, json_each(changes)
        WHERE object = 'product' AND action = 'changed' AND object_id = ?`;
      expect(await namesIn(changed, id)).toEqual([column]);
      const reported = "SELECT event AS name FROM webhook_deliveries WHERE subject = ?";
      expect(await namesIn(reported, id)).toEqual(["product.changed"]);
    },
  );
});
