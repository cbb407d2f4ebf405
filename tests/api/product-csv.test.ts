import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FIELDS } from "~/features/catalogue/product";
import { manager } from "../support/people";
import { importFile } from "../support/product-import";
import { addProduct, addUser, call, signIn, storeImages } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
  await storeImages("products/x_y.jpg");
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

const text = async (path: string) => (await call(path, { token })).text();

describe("the product export", () => {
  it("can be imported again without changes", async () => {
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
    const result = await importFile(token, await text("/admin/products-management.csv"));
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

  it("exceeds one query and can be imported into an empty shop", async () => {
    const rows = Array.from({ length: 1100 }, (_, i) => `Thing ${i},${i + 1}.50`);
    await importFile(token, `name,price\n${rows.join("\n")}`);
    const file = await text("/admin/products-management.csv");
    await env.DB.exec("DELETE FROM products");
    expect(await importFile(token, file)).toMatchObject({ created: 1100, errors: 0 });
  });

  it("says whether a product can be engraved, which a blank cell leaves as it is", async () => {
    const engraved = async () =>
      ((await (await call("/api/product/all?sort=name-asc")).json()) as { hasEngraving: boolean }[]).map(
        ({ hasEngraving }) => hasEngraving,
      );
    const send = (...rows: string[]) => importFile(token, `name,price,hasEngraving\n${rows.join("\n")}`);
    expect(await send("Cup,9,no", "Mug,9,", "Tag,16,Yes")).toMatchObject({ created: 3, errors: 0 });
    expect(await engraved()).toEqual([false, false, true]);
    const file = await text("/admin/products-management.csv");
    expect(file).toMatch(/^Tag,.*,yes,/m);
    expect(await importFile(token, file)).toMatchObject({ updated: 0, errors: 0 });
    expect(await send("Cup,9,true", "Tag,16,")).toMatchObject({ updated: 1, errors: 0 });
    expect(await engraved()).toEqual([true, false, true]);
    expect(await send("Mug,9,perhaps")).toMatchObject({ errors: 1 });
  });

  it("escapes cells that a spreadsheet would calculate", async () => {
    await addProduct({ name: "=cmd()" });
    expect(await text("/admin/products-management.csv")).toContain('\r\n"\'=cmd()",');
  });
});

describe("the template", () => {
  it("is product_template.csv and can be imported unchanged", async () => {
    const answer = await call("/admin/product_template.csv", { token });
    expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="product_template.csv"');
    const file = await answer.text();
    expect(file.replace("\ufeff", "").split("\r\n")[0]).toBe(FIELDS.join());
    expect(await importFile(token, file)).toMatchObject({ created: 1, errors: 0 });
  });
});

describe("downloads for staff", () => {
  it.each([
    "/admin/products-management.csv",
    "/admin/product_template.csv",
    "/admin/products-management/rejected/x",
  ])("denies %s to others", async (path) => {
    const { email, password } = await addUser();
    expect((await call(path)).headers.get("Location")).toMatch(/^\/login/);
    expect((await call(path, { token: await signIn(email, password) })).headers.get("Location")).toBe(
      "/unauthorized",
    );
  });

  it("answers 404 for rejected rows of an unknown run", async () => {
    expect((await call("/admin/products-management/rejected/x", { token })).status).toBe(404);
  });
});

const LIST = "/admin/products-management";

describe("the list behind the import", () => {
  const query = "q=case&category=PHONE_CASE&sort=price&dir=desc";

  it("is linked with its filters", async () => {
    const page = await (await call(`${LIST}?${query}&dialog=bulk-upload`, { token })).text();
    const html = query.replaceAll("&", "&amp;");
    expect(page).toContain(`href="${LIST}?${html}"`);
    expect(page).toContain(`action="${LIST}?${html}&amp;dialog=bulk-upload"`);
  });

  it("determines the rows and order of the CSV", async () => {
    for (const [name, priceCents] of [
      ["Clear case", 100],
      ["Felt case", 300],
      ["Mug", 200],
    ] as const)
      await addProduct({ name, priceCents, category: name === "Mug" ? "OTHERS" : "PHONE_CASE" });
    const lines = (await (await call(`${LIST}.csv?${query}`, { token })).text()).trim().split("\r\n");
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(["Felt case", "Clear case"]);
    expect((await (await call(`${LIST}.csv`, { token })).text()).trim().split("\r\n")).toHaveLength(4);
  });
});
