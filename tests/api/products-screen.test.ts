import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { IMAGES } from "../fixtures/images";
import { manager } from "../support/people";
import { addProduct, call } from "../support/shop";

const SHELF = "/admin/products-management";
let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

/** Names of the list, in its order. */
async function listed(query: string): Promise<string[]> {
  const html = await (await call(`${SHELF}?${query}`, { token })).text();
  return [...html.matchAll(/aria-label="Edit ([^"]*)"/g)].map(([, name]) => name ?? "");
}

describe("search of the product list", () => {
  it("finds names that contain the text, and no others", async () => {
    for (const name of [
      "Eyes5 lamp",
      "Bent aluminium laptop stand",
      "Jade face roller",
      "Mushroom table lamp",
    ])
      await addProduct({ name });
    expect(await listed("q=5%20LAMP")).toEqual(["Eyes5 lamp"]);
    expect(await listed("q=eyes5")).toEqual(["Eyes5 lamp"]);
    expect(await listed("q=lamp")).toEqual(["Eyes5 lamp", "Mushroom table lamp"]);
    expect(await listed("q=ushroo")).toEqual(["Mushroom table lamp"]);
  });

  it("falls back to words and typos", async () => {
    await addProduct({ name: "Mushroom table lamp" });
    await addProduct({ name: "Jade face roller", searchText: "Cools tired eyes" });
    expect(await listed("q=lamp%20mushroom")).toEqual(["Mushroom table lamp"]);
    expect(await listed("q=mushrom")).toEqual(["Mushroom table lamp"]);
    expect(await listed("q=tired")).toEqual(["Jade face roller"]);
    expect(await listed('q="%25_%27')).toEqual([]);
  });

  it("follows changed names, within a category and across pages", async () => {
    const id = await addProduct({ name: "Old vase", category: "HOME_DECOR" });
    await addProduct({ name: "Vase ring", category: "JEWELRY" });
    await call(`/api/product/${id}`, { method: "PUT", json: { name: "New jug" }, token });
    expect(await listed("q=vase")).toEqual(["Vase ring"]);
    expect(await listed("q=jug&category=HOME_DECOR")).toEqual(["New jug"]);
    await call(`/api/product/${id}`, { method: "DELETE", token });
    expect(await listed("q=jug")).toEqual([]);
  });
});

describe("product form without JavaScript", () => {
  const typed = { name: "Okapi scarf", price: "30", stock: "2", category: "OTHERS", description: "Warm" };
  const file = (name: keyof typeof IMAGES | null, as: string) =>
    new File([name ? Uint8Array.from(atob(IMAGES[name]), (c) => c.charCodeAt(0)) : "<svg/>"], as);
  async function send(fields: [string, string | File][], dialog = "dialog=new", headers = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    for (const [name] of fields) form.delete(name);
    for (const [name, value] of fields) form.append(name, value);
    return call(`${SHELF}?${dialog}`, { body: form, token, headers });
  }

  it("keeps the typed color and URL when it is rejected", async () => {
    const answer = await send([
      ["intent", "create"],
      ["price", ""],
      ["addColors", "Purple"],
      ["addImages", "http://a.example/x.jpg"],
    ]);
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toMatch(/name="addColors"[^>]*value="Purple"/);
    expect(html).toMatch(/name="addImages"[^>]*value="http:\/\/a\.example\/x\.jpg"/);
  });

  it("asks once about a price ten times as high", async () => {
    const id = await addProduct({ priceCents: 2800 });
    const edit = (more: [string, string][]) =>
      send(
        [
          ["intent", "update"],
          ["id", id],
          ["imageUrls", "https://a.example/x.jpg"],
          ["price", "$280"],
          ...more,
        ],
        `edit=${id}`,
      );
    const was: [string, string] = ["was", JSON.stringify({ price: "28.00", stock: "2" })];
    const question = "Price: $28.00 → $280.00? Press again to save it anyway.";
    const asked = await edit([was]);
    expect([asked.status, (await asked.text()).includes(question)]).toEqual([400, true]);
    expect((await edit([was, ["confirmed", question]])).status).toBe(303);
    expect(
      await env.DB.prepare("SELECT price_cents FROM products WHERE id = ?").bind(id).first("price_cents"),
    ).toBe(28_000);
  });

  it("stores the valid images and reports the others", async () => {
    const answer = await send([
      ["intent", "create"],
      ["files", file("opaquePng", "one.png")],
      ["files", file(null, "pic.svg")],
    ]);
    expect(answer.headers.get("Location")).toContain("edit=");
    const product = await env.DB.prepare("SELECT image_urls FROM products").first<{ image_urls: string }>();
    expect(JSON.parse(product?.image_urls ?? "")).toEqual([expect.stringMatching(/^minio:products\//)]);
  });

  it("adds images to those that were saved during the upload, and reports a deleted product", async () => {
    const id = await addProduct({ name: typed.name, priceCents: 3000, imageUrls: [] });
    const saved = "https://a.example/saved.jpg";
    const change = (init: object) => call(`/api/product/${id}`, { token, ...init });
    const sendDuring = async (init: object) => {
      const put = vi.spyOn(env.BUCKET, "put").mockImplementationOnce(async (...args) => {
        expect((await change(init)).ok).toBe(true);
        put.mockRestore();
        return env.BUCKET.put(...(args as Parameters<R2Bucket["put"]>));
      });
      const fields: [string, string | File][] = [
        ["intent", "update"],
        ["id", id],
        ["files", file("opaquePng", "one.png")],
      ];
      return send(fields, `edit=${id}`);
    };
    expect((await sendDuring({ method: "PUT", json: { imageUrls: [saved] } })).status).toBe(303);
    const product = await env.DB.prepare("SELECT image_urls FROM products").first<{ image_urls: string }>();
    expect(JSON.parse(product?.image_urls ?? "")).toEqual([
      saved,
      expect.stringMatching(/^minio:products\//),
    ]);
    expect((await sendDuring({ method: "DELETE" })).status).toBe(404);
  });

  it("orders images by their numbers", async () => {
    const entries = ["a", "b", "c", "d"].map((name) => `https://pictures.example/${name}.jpg`);
    const id = await addProduct({ name: "Four", imageUrls: entries });
    const places = ["3", "2", "3", "4"];
    await send(
      [
        ["intent", "update"],
        ["id", id],
        ...entries.flatMap((entry, at): [string, string][] => [
          ["tile", entry],
          ["imageUrls", entry],
          ["place", places[at] ?? ""],
        ]),
      ],
      `edit=${id}`,
    );
    const product = await env.DB.prepare("SELECT image_urls FROM products").first<{ image_urls: string }>();
    const letters = (JSON.parse(product?.image_urls ?? "[]") as string[]).map((url) => url.at(-5));
    expect(letters.join("")).toBe("bcad");
  });

  it("does not overwrite fields that were not edited", async () => {
    const id = await addProduct({ name: typed.name, priceCents: 3000, stock: 10, category: "OTHERS" });
    const held = { ...typed, description: "", stock: "10", colors: [], imageUrls: [] };
    await call(`/api/product/${id}`, { method: "PUT", json: { stock: 2 }, token });
    const answer = await send(
      [
        ["intent", "update"],
        ["id", id],
        ["stock", "10"],
        ["description", "Warm and long"],
        ["addImages", "https://a.example/x.jpg"],
        ["was", JSON.stringify(held)],
      ],
      `edit=${id}`,
    );
    expect(answer.status).toBe(303);
    const product = await env.DB.prepare("SELECT stock, description FROM products").first();
    expect(product).toEqual({ stock: 2, description: "Warm and long" });
  });

  it("reports an upload that is too large", async () => {
    const photo = new File([new Uint8Array(51 * 1024 * 1024)], "photo.jpg");
    const answer = await send([
      ["files", photo],
      ["intent", "create"],
    ]);
    const html = await answer.text();
    expect(answer.status).toBe(413);
    expect(html).toContain("Failed to save product: The images are larger than 50 MB together.");
    const upload = await send([["file", photo]], "dialog=bulk-upload");
    expect([upload.status, (await upload.text()).includes("The file is larger than 10 MB")]).toEqual([
      413,
      true,
    ]);
  });
});
