import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { uploaded } from "../support/product-import";
import { addProduct, addUser, call, signIn, storeImages } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
  await storeImages("products/x_y.jpg");
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

const text = async (path: string) => (await call(path, { token })).text();

describe("the catalogue as a file", () => {
  it("comes back unchanged, whatever is in it", async () => {
    const add = (product: Record<string, unknown>) => call("/api/product", { json: product, token });
    const base = { price: 1.5, category: "OTHERS" };
    await add({ ...base, name: "=SUM(A1:A9)", colors: ["+1", "Black, matte", "a;b|c", "back\\slash"] });
    await add({ ...base, name: "'quoted", description: "  plain\r\nlines\n\nand <b>more" });
    await add({ ...base, name: "'=both", description: '<p>"Quotes", & <i>such</i></p><script>x</script> ' });
    await add({
      ...base,
      name: "-5 °C bag",
      description: "-5\tdegrees",
      stock: 1_000_000,
      price: 99_999_999.99,
    });
    await add({
      ...base,
      name: "Ünïcode 🧵",
      imageUrls: [
        "https://a.example/w_1,h_2/a.jpg",
        "minio:products/x_y.jpg",
        "https://b.example/?a=1;b=2|c",
      ],
    });
    await addProduct({ name: "Twin", priceCents: 100 });
    await addProduct({ name: "Twin", priceCents: 200 });
    await addProduct({ name: "twin", priceCents: 300, imageUrls: ["minio:a"], imageAlts: ["A"] });
    const before = await env.DB.prepare("SELECT * FROM products ORDER BY row").all();
    const result = await uploaded(token, await text("/admin/products-management.csv"));
    expect(result).toMatchObject({
      created: 0,
      updated: 0,
      errors: 0,
      message: "0 created, 0 updated, 8 skipped",
    });
    expect((await env.DB.prepare("SELECT * FROM products ORDER BY row").all()).results).toEqual(
      before.results,
    );
  });

  it("holds more than one read brings, and moves to an empty shop", async () => {
    const rows = Array.from({ length: 1100 }, (_, i) => `Thing ${i},${i + 1}.50`);
    await uploaded(token, `name,price\n${rows.join("\n")}`);
    const file = await text("/admin/products-management.csv");
    await env.DB.exec("DELETE FROM products");
    expect(await uploaded(token, file)).toMatchObject({ created: 1100, errors: 0 });
  });

  it("guards cells that a spreadsheet would run (budgets: Safe)", async () => {
    await addProduct({ name: "=cmd()" });
    expect(await text("/admin/products-management.csv")).toContain('\r\n"\'=cmd()",');
  });
});

describe("the template", () => {
  it("is product_template.csv, and can be sent as it is", async () => {
    const answer = await call("/admin/product_template.csv", { token });
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="product_template.csv"');
    const file = await answer.text();
    expect(file.replace("\ufeff", "").split("\r\n")[0]).toBe(
      "name,description,price,stock,category,colors,imageUrls",
    );
    expect(await uploaded(token, file)).toMatchObject({ created: 1, errors: 0 });
  });
});

describe("files of staff", () => {
  it.each([
    "/admin/products-management.csv",
    "/admin/product_template.csv",
    "/admin/products-management/refused/x",
  ])("%s is nobody else's", async (path) => {
    const { email, password } = await addUser();
    expect((await call(path)).headers.get("Location")).toMatch(/^\/login/);
    expect((await call(path, { token: await signIn(email, password) })).headers.get("Location")).toBe(
      "/unauthorized",
    );
  });

  it("the refused rows of a run that isn't there are a 404", async () => {
    expect((await call("/admin/products-management/refused/x", { token })).status).toBe(404);
  });
});

describe("the dry run", () => {
  interface Planned {
    rows: Record<string, unknown>[];
    [key: string]: unknown;
  }
  async function plan(content: string, choices?: unknown): Promise<Planned> {
    const form = new FormData();
    form.append("file", new File([content], "a.csv"));
    if (choices) form.append("choices", JSON.stringify(choices));
    return (await call("/admin/products-management/plan", { body: form, token })).json();
  }

  it("says what would happen to each row, and does nothing", async () => {
    await addProduct({ name: "Mug", priceCents: 500, stock: 4, category: "HOME_DECOR", colors: ["Blue"] });
    await addProduct({ name: "Same", priceCents: 500 });
    const file =
      'name,price,stock,colors\nMug,6.00,36,"Blue, Red"\nSame,5,,\nNew,7,,\nNo price,,,\nBad,free,,\nNew,8,,\n';
    expect((await plan(file)).rows).toEqual([
      {
        row: 2,
        product: "Mug",
        does: "update",
        changes: [
          { field: "Price", from: "$5.00", to: "$6.00" },
          { field: "Stock", from: "4", to: "36" },
          { field: "Colors", from: "Blue", to: "Blue, Red" },
        ],
      },
      { row: 3, product: "Same", does: "skip", why: "Same as stored, nothing to change" },
      { row: 4, product: "New", does: "create", what: "Others, $7.00, 0 in stock" },
      {
        row: 5,
        product: "No price",
        does: "refuse",
        why: "Price is empty. A new product needs one, such as 161.50",
      },
      {
        row: 6,
        product: "Bad",
        does: "refuse",
        why: "Price “free” is not a price. Write it as a number above 0, such as 161.50",
      },
      {
        row: 7,
        product: "New",
        does: "update",
        changes: [{ field: "Price", from: "$7.00", to: "$8.00" }],
        notes: "Same name as row 4",
      },
    ]);
    expect((await env.DB.prepare("SELECT count(*) AS n FROM products").first<{ n: number }>())?.n).toBe(2);
  });

  it("tells how the file was understood, asks where it can't, and remembers what was said", async () => {
    const file = "Bezeichnung?,VK,Art\nMug,5,Gizmos\n";
    const first = await plan(file);
    expect(first).toMatchObject({
      source: "other",
      headers: ["Bezeichnung?", "VK", "Art"],
      samples: ["Mug", "5", "Gizmos"],
      remembered: false,
    });
    const choices = { columns: ["name", "price", "category"], categories: { Gizmos: "CAR_ACCESSORY" } };
    expect((await plan(file, choices)).rows).toMatchObject([
      { does: "create", what: "Car Accessory, $5.00, 0 in stock" },
    ]);
    await uploaded(token, file, "a.csv", choices);
    expect(await plan(file)).toMatchObject({
      remembered: true,
      mapping: choices.columns,
      rows: [{ does: "skip" }],
    });
    expect(await plan("x,y\n1,2\n")).toMatchObject({
      problem: expect.stringContaining("none of them is “name”"),
      rows: [],
    });
  });
});
