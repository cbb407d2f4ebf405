import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { manager, problems, readAnswer } from "../support/people";
import { addProduct, call, storeImages } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
  await storeImages("products/a.jpg", "products/new.jpg");
});

const MUG = {
  name: " Blue mug ",
  description: '<p onclick="x()">Holds <b>tea</b></p><script>alert(1)</script>',
  price: 12.5,
  stock: 7,
  category: "home decor",
  colors: ["Blue", "blue", "White"],
  imageUrls: ["minio:products/a.jpg", "https://pictures.example/b.jpg", "minio:products/a.jpg"],
};

interface ProductAnswer extends Record<string, unknown> {
  id: string;
}

const post = (json: unknown) => call("/api/product", { json, token });
const put = (id: string, json: unknown) => call(`/api/product/${id}`, { method: "PUT", json, token });
const remove = (id: string) => call(`/api/product/${id}`, { method: "DELETE", token });
const readProduct = async (id: string, query = "?raw=1") =>
  (await (await call(`/api/product/id/${id}${query}`)).json()) as ProductAnswer;
const add = async (json: unknown) => {
  const answer = await post(json);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
};

describe("POST product", () => {
  it("stores a product, sanitised and without duplicates: 201 {productId, id}", async () => {
    const answer = await post(MUG);
    expect(answer.status).toBe(201);
    const { id, productId } = (await answer.json()) as { id: string; productId: string };
    expect(productId).toBe(id);
    expect(await readProduct(id)).toMatchObject({
      productId: id,
      name: "Blue mug",
      description: "<p>Holds <b>tea</b></p>",
      price: 12.5,
      stock: 7,
      category: "HOME_DECOR",
      colors: ["Blue", "White"],
      imageUrls: ["minio:products/a.jpg", "https://pictures.example/b.jpg"],
    });
  });

  it("stores a product once when its request is repeated with the same id", async () => {
    const id = "sent-twice";
    for (let i = 0; i < 2; i++) {
      const answer = await post({ ...MUG, id, name: "Sent twice" });
      expect([answer.status, await answer.json()]).toEqual([201, { id, productId: id }]);
    }
    expect((await post({ ...MUG, id, name: "Another mug" })).status).toBe(409);
    expect(await readProduct(id)).toMatchObject({ name: "Sent twice" });
    await put(id, { price: 99 });
    await env.DB.prepare("UPDATE products SET updated_at = updated_at + 1 WHERE id = ?").bind(id).run();
    expect((await post({ ...MUG, id, name: "Sent twice" })).status).toBe(201);
    expect((await post({ ...MUG, id, name: "Another mug" })).status).toBe(409);
    expect(await readProduct(id)).toMatchObject({ name: "Sent twice", price: 99 });
    for (const invalid of ["all", "no blanks", "a/b", "x".repeat(65)])
      expect(await problems(await post({ ...MUG, id: invalid }))).toEqual([
        expect.stringMatching(/^id: (?:Must be |This id is reserved)/),
      ]);
  });

  it.each([
    [
      "<h2>Thin</h2><div>First line</div><div>Second line</div><ul><li>Drop safe</li></ul>tail",
      "<h3>Thin</h3>First line<br />Second line<ul><li>Drop safe</li></ul>tail",
    ],
    ["<div><section><p>One</p><p>Two</p></section></div>", "<p>One</p><p>Two</p>"],
    ["<table><tr><td>Size</td><td>L</td></tr><tr><td>Wool</td></tr></table>", "Size  L<br />Wool"],
    ["Line 1\nLine 2 <b>bold</b>", "<p>Line 1<br />Line 2 <b>bold</b></p>"],
    ["One<br><br>Two<hr>Three", "One<br /><br />Two<br />Three"],
    ["<span>one\ntwo</span>", "<p>one<br />two</p>"],
    ["<div>one\ntwo</div>", "one two"],
    ["<label>Size</label><select><option>L<option>M</select>", "Size<br />L<br />M"],
    ["<div>a</div><script>alert(1)</script><div onclick=x>b</div>", "a<br />b"],
  ])("keeps the lines of an imported description: %s", async (description, stored) => {
    const id = await add({ ...MUG, description });
    expect((await readProduct(id)).description).toBe(stored);
    await put(id, { description: stored });
    expect((await readProduct(id)).description).toBe(stored);
  });

  it("adds the product to search and counters at once", async () => {
    const before = await counted("JEWELRY");
    const id = await add({
      ...MUG,
      name: "Quetzal brooch",
      description: "<p>Obsidian</p>",
      category: "JEWELRY",
    });
    for (const word of ["quetzal", "obsidian"]) {
      const found = (await (await call(`/api/product/all?search=${word}`)).json()) as ProductAnswer[];
      expect(found.map((product) => product.id)).toEqual([id]);
    }
    expect(await counted("JEWELRY")).toBe(before + 1);
  });

  it.each([
    ["colors", "red", "colors: Must be a list"],
    ["colors", "red, blue", "colors: Must be a list"],
    ["imageUrls", "https://pictures.example/b.jpg", "imageUrls: Must be a list"],
    ["price", "$1,850.00", "price: Write it without currency sign and separators: 1850.00"],
  ])("rejects %s in the format of a form: %j", async (field, value, problem) => {
    const answers = [
      await post({ ...MUG, [field]: value }),
      await call("/api/product/any", { method: "PUT", json: { [field]: value }, token }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(await problems(answer)).toEqual([problem]);
    }
  });

  it("requires no images, colors, description or stock", async () => {
    const id = await add({ name: "Bare", price: "3.00", category: "OTHERS" });
    expect(await readProduct(id)).toMatchObject({
      price: 3,
      stock: 0,
      colors: [],
      imageUrls: [],
      description: "",
    });
  });

  it("takes 250 images and 250 colors, which is the most", async () => {
    const colors = Array.from({ length: 250 }, (_, i) => `c${i}`);
    const imageUrls = colors.map((name) => `https://pictures.example/${name}.jpg`);
    const id = await add({ ...MUG, colors, imageUrls });
    expect(await readProduct(id)).toMatchObject({ colors, imageUrls });
  });

  it.each([
    ["imageUrls", Array(50_001).fill("a"), "At most 250 images"],
    ["colors", Array(900).fill("x".repeat(200)), "At most 250 colors"],
  ])(
    "reports an overlong list of %s as one error, without checking its entries",
    async (field, entries, rule) => {
      const answer = await post({ ...MUG, [field]: entries });
      expect(answer.status).toBe(400);
      expect(await problems(answer)).toEqual([`${field}: ${rule}`]);
    },
  );

  it("reports at most 100 errors", async () => {
    const answer = await post({ ...MUG, imageUrls: new Array(500).fill("a") });
    expect(await problems(answer)).toHaveLength(100);
  });

  it("reports every error at once", async () => {
    const bad = { name: " ", price: "1,50", stock: 1.5, category: "Gadgets", imageUrls: ["javascript:x", 7] };
    expect(await problems(await post(bad))).toEqual([
      "name: Name is required",
      "price: Cents follow a point, not a comma: write it like 1.50",
      "stock: Must be a whole number from 0 to 1,000,000",
      "category: There is no such category",
      "imageUrls.0: Must be an address that begins with https://",
      "imageUrls.1: Must be text",
    ]);
    expect(await problems(await post({}))).toEqual([
      "name: Name is required",
      "price: Price is required",
      "category: Category is required",
    ]);
  });

  it.each([
    ["price", 0, "Price must be above 0"],
    ["price", -1, "Price must be above 0"],
    ["price", 1.005, "Must have at most 2 decimals"],
    ["price", true, "Must be an amount"],
    ["price", [5], "Must be an amount"],
    ["price", "1e309", "Write it like 1850.00"],
    ["price", 100_000_000, "Must be at most 99,999,999.99"],
    ["stock", -1, "Must be a whole number from 0 to 1,000,000"],
    ["stock", 1_000_001, "Must be a whole number from 0 to 1,000,000"],
    ["name", "x".repeat(201), "Must be at most 200 characters"],
    ["name", "a\u0000b", "Contains characters that are not allowed"],
    ["name", "\ud800", "Contains characters that are not allowed"],
    ["description", "x".repeat(20_001), "Must be at most 20,000 characters"],
    ["description", "<li>x".repeat(260), "Must have at most 500 tags"],
    ["colors", Array.from({ length: 251 }, (_, i) => `c${i}`), "At most 250 colors"],
    ["imageUrls", ["http://pictures.example/a.jpg"], "Must be an address that begins with https://"],
  ])("rejects %s %j", async (field, value, message) => {
    const answer = await post({ ...MUG, [field]: value });
    expect(answer.status).toBe(400);
    expect((await readAnswer(answer)).details?.map((detail) => detail.message)).toEqual([message]);
  });
});

describe("PUT product/{id}", () => {
  it("changes the sent fields and no others: 200 product", async () => {
    const id = await add(MUG);
    const answer = await put(id, { price: 9.99, stock: 0 });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      id,
      name: "Blue mug",
      price: 9.99,
      stock: 0,
      colors: ["Blue", "White"],
    });
    await put(id, { colors: [], imageUrls: [], description: "" });
    expect(await readProduct(id)).toMatchObject({
      name: "Blue mug",
      price: 9.99,
      colors: [],
      imageUrls: [],
      description: "",
    });
  });

  it("updates search and counters", async () => {
    const id = await add({ ...MUG, name: "Zanzibar lamp", category: "ENGRAVING" });
    const [before, jewelry] = [await counted("ENGRAVING"), await counted("JEWELRY")];
    await put(id, { name: "Marrakesh lamp", category: "JEWELRY" });
    expect(await counted("ENGRAVING")).toBe(before - 1);
    expect(await counted("JEWELRY")).toBe(jewelry + 1);
    const found = (await (await call("/api/product/all?search=marrakesh")).json()) as ProductAnswer[];
    expect(found.map((product) => product.id)).toEqual([id]);
    expect(await (await call("/api/product/all?search=zanzibar")).json()).toEqual([]);
  });

  it("moves alternative texts along with reordered images", async () => {
    const imageUrls = ["minio:products/one.jpg", "minio:products/two.jpg"];
    const id = await addProduct({ name: "Pair", imageUrls, imageAlts: ["The first", "The second"] });
    await put(id, {
      imageUrls: ["minio:products/new.jpg", "minio:products/two.jpg", "minio:products/one.jpg"],
    });
    const row = await env.DB.prepare("SELECT image_alts FROM products WHERE id = ?").bind(id).first();
    expect(JSON.parse(String(row?.image_alts))).toEqual(["Pair", "The second", "The first"]);
  });

  it("stores the URL of a stored image as its `minio:` entry", async () => {
    const id = await add({ ...MUG, imageUrls: ["/api/storage/object?key=products%2Fa.jpg"] });
    expect((await readProduct(id)).imageUrls).toEqual(["minio:products/a.jpg"]);
    expect((await readProduct(id, "")).imageUrls).toEqual(["/api/storage/object?key=products%2Fa.jpg"]);
  });

  it("is a 400 for invalid input and a 404 for an unknown id", async () => {
    const id = await add(MUG);
    expect(await problems(await put(id, { name: "", price: 0, category: null }))).toEqual([
      "name: Name is required",
      "price: Price must be above 0",
      "category: Must be text",
    ]);
    const gone = await put("nobody", { price: 1 });
    expect([gone.status, (await readAnswer(gone)).message]).toEqual([404, "Product not found"]);
  });
});

describe("DELETE product/{id}", () => {
  it("removes it from list, search and counters: 200, then 404", async () => {
    const id = await add({ ...MUG, name: "Wobbegong statue" });
    const before = await counted("HOME_DECOR");
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    expect((await call(`/api/product/id/${id}`)).status).toBe(404);
    expect(await counted("HOME_DECOR")).toBe(before - 1);
    expect(await (await call("/api/product/all?search=wobbegong")).json()).toEqual([]);
  });
});

async function counted(category: string): Promise<number> {
  const answer = await call(`/api/product/all?category=${category}&limit=1`);
  return Number(answer.headers.get("X-Total-Count"));
}
