import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { claimImages } from "~/features/storage/image-claims.server";
import { IMAGES } from "../fixtures/images";
import { manager, readAnswer } from "../support/people";
import { importFile, productsByName } from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
let key = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(async () => {
  await env.DB.exec("DELETE FROM products");
  key = await issued();
});

/** Key issued for an uploaded picture. */
async function issued(): Promise<string> {
  const form = new FormData();
  const bytes = Uint8Array.from(atob(IMAGES.opaquePng), (letter) => letter.charCodeAt(0));
  form.append("files", new File([bytes], "a.png", { type: "image/png" }));
  form.append("productId", await addProduct({ name: "Pictured" }));
  const answer = await call("/api/storage/upload", { body: form, token });
  return ((await answer.json()) as { objectKeys: string[] }).objectKeys[0] ?? "";
}

const base = { name: "Board", price: 5, category: "OTHERS" };
const add = (imageUrls: string[]) => call("/api/product", { json: { ...base, imageUrls }, token });
const put = (id: string, imageUrls: string[]) =>
  call(`/api/product/${id}`, { method: "PUT", json: { imageUrls }, token });
const imagesOf = async (id: string) =>
  ((await (await call(`/api/product/id/${id}?raw=1`)).json()) as { imageUrls: string[] }).imageUrls;

const FOREIGN = [
  "nothing.jpg",
  "products/00000000-0000-4000-8000-000000000000.jpg",
  "products/../imports/a",
  "imports/secret",
  "sweep/products/",
  "products/",
  "products/a b.jpg",
  `products/${"a".repeat(900)}`,
];

describe("imageUrls of a product", () => {
  it("accept issued keys, also for several products", async () => {
    const [first, second] = [await add([`minio:${key}`]), await add([`minio:${key}`])];
    expect([first.status, second.status]).toEqual([201, 201]);
    const { id } = (await first.json()) as { id: string };
    expect((await put(id, [`/api/storage/object?key=${key}&w=96`, "https://a.example/b.jpg"])).status).toBe(
      200,
    );
    expect(await imagesOf(id)).toEqual([`minio:${key}`, "https://a.example/b.jpg"]);
  });

  it.each(FOREIGN)("POST and PUT reject %s at its index", async (foreign) => {
    await env.BUCKET.put("imports/secret", "name,price", { httpMetadata: { contentType: "text/csv" } });
    const id = await addProduct();
    const images = ["https://a.example/b.jpg", `minio:${foreign}`, `minio:${key}`];
    for (const answer of [await add(images), await put(id, images)]) {
      expect(answer.status).toBe(400);
      expect((await readAnswer(answer)).details).toEqual([
        { path: "imageUrls.1", message: "There is no such image. Upload it first" },
      ]);
    }
    expect(await imagesOf(id)).toEqual([]);
  });

  it("the form rejects it and keeps its input", async () => {
    const send = (fields: Record<string, string>, path = "/admin/products-management?dialog=new") => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...base, price: "5", stock: "1", ...fields }))
        body.append(name, value);
      return call(path, { body, token });
    };
    const fields = { name: "Typed name", description: "x", imageUrls: "minio:products/none.jpg" };
    const refused = await send({ ...fields, intent: "create" });
    const html = await refused.text();
    expect(refused.status).toBe(400);
    expect(html).toContain("There is no such image. Upload it first");
    expect(html).toContain("Typed name");
    const id = await addProduct({ name: "Edited" });
    const edit = `/admin/products-management?edit=${id}`;
    expect((await send({ ...fields, intent: "update", id }, edit)).status).toBe(400);
    expect((await send({ ...fields, intent: "update", id, imageUrls: `minio:${key}` }, edit)).status).toBe(
      303,
    );
    expect(await imagesOf(id)).toEqual([`minio:${key}`]);
  });

  it("unchanged entries need no lookup in the bucket", async () => {
    const id = await addProduct({ imageUrls: ["minio:products/gone-since.jpg", `minio:${key}`] });
    expect((await put(id, [`minio:${key}`, "minio:products/gone-since.jpg"])).status).toBe(200);
    expect(await imagesOf(id)).toEqual([`minio:${key}`, "minio:products/gone-since.jpg"]);
  });
});

describe("unused image", () => {
  it("is copied once the cleanup may be removing it, but not in a dry run", async () => {
    await env.DB.exec("DELETE FROM products");
    const entry = `minio:${key}`;
    const { db } = openDb(env.DB);
    const storage = { db, env, now: Date.now() / 1000 + 2 * 86_400 };
    expect((await claimImages(storage, [entry], true)).get(entry)).toBe(entry);
    const copy = (await claimImages(storage, [entry])).get(entry) ?? "";
    expect(copy).toMatch(/^minio:products\/[\da-f-]{36}\.jpg$/);
    expect(copy).not.toBe(entry);
    const read = async (name: string) => (await env.BUCKET.get(name.replace("minio:", "")))?.text();
    expect(await read(copy)).toBe(await read(entry));
  });
});

describe("imageUrls of a product import", () => {
  it("not issued by the server are an error of their row, also in the dry run", async () => {
    const rows = [
      `Issued,5,minio:${key}`,
      "Foreign,5,minio:products/none.jpg",
      `Both,5,"minio:${key}, minio:imports/secret"`,
      "Address,5,https://a.example/b.jpg",
    ];
    const file = ["name,price,imageUrls", ...rows].join("\n");
    const form = new FormData();
    form.append("file", new File([file], "a.csv"));
    const plan = (await (await call("/admin/products-management/plan", { body: form, token })).json()) as {
      rows: { action: string }[];
    };
    expect(plan.rows.map(({ action }) => action)).toEqual(["create", "reject", "reject", "create"]);
    expect(await importFile(token, file)).toMatchObject({
      created: 2,
      errors: 2,
      errorDetails: [
        { row: 3, error: "Images: “minio:products/none.jpg”. There is no such image. Upload it first" },
        { row: 4, error: "Images: “minio:imports/secret”. There is no such image. Upload it first" },
      ],
    });
    expect(Object.keys(await productsByName())).toEqual(["Address", "Issued", "Pictured"]);
  });

  it("are looked up together for many rows", async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => `Thing ${n},5,minio:products/none-${n}.jpg`);
    rows.push(`Issued,5,minio:${key}`);
    const result = await importFile(token, ["name,price,imageUrls", ...rows].join("\n"));
    expect([result.created, result.errors]).toEqual([1, 2000]);
  });
});
