import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SHOPIFY } from "../fixtures/shop-exports";
import { manager, readAnswer } from "../support/people";
import { productsByName, sendFile, uploaded } from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

const LIST = "/admin/products-management";
const UNTYPED =
  "Handle,Title,Type,Variant Price,Variant Inventory Qty\na,Odd thing,,5,1\nb,Silver ring,,5,\nc,Odd hat,Hats,5,1";

async function plan(content: string, choices?: unknown): Promise<Record<string, unknown>> {
  const form = new FormData();
  form.append("file", new File([content], "a.csv"));
  if (choices) form.append("choices", JSON.stringify(choices));
  return (await call(`${LIST}/plan`, { body: form, token })).json();
}

describe("what staff are told of an upload", () => {
  it("says what was left out and what was guessed, in the answer and on the run's page", async () => {
    const answer = (await (await sendFile(token, SHOPIFY, "shop.csv")).json()) as { notes: unknown[] };
    const [guessed, leftOut] = ["No category fits: OTHERS", "Is draft in the other shop"];
    expect(answer.notes).toContainEqual(
      expect.objectContaining({ product: "Puzzling object", note: guessed }),
    );
    expect(answer.notes).toContainEqual(expect.objectContaining({ product: "Not yet", note: leftOut }));
    const run = await env.DB.prepare("SELECT id FROM import_runs ORDER BY started_at DESC LIMIT 1").first(
      "id",
    );
    const page = await (await call(`${LIST}?dialog=bulk-upload&run=${run}`, { token })).text();
    expect(page).toContain(guessed);
    expect(page).toContain(leftOut);
  });

  it("has no notes where there is nothing to know", async () => {
    expect(await uploaded(token, "name,price\nMug,5")).not.toHaveProperty("notes");
  });

  it("asks for a price where new products have none and no column is one", async () => {
    expect(await plan("Item,Cost\nLamp,9.50")).toMatchObject({
      wanting: "New products need a price, and no column is read as one",
    });
    const { errorDetails } = await uploaded(token, "Item,Cost\nLamp,9.50");
    expect(errorDetails[0]?.error).toContain("no column is read as it");
    await addProduct({ name: "Lamp" });
    expect(await plan("Item,Qty\nLamp,9")).not.toHaveProperty("wanting");
  });

  it("lists products without a type by their names, and takes one word on all of them", async () => {
    expect((await plan(UNTYPED)).kinds).toEqual([
      { kind: "Odd thing", products: 1, category: "OTHERS", isUntyped: true },
      { kind: "Silver ring", products: 1, category: "JEWELRY", isUntyped: true },
      { kind: "Hats", products: 1, category: "OTHERS", isUntyped: false },
    ]);
    await uploaded(token, UNTYPED, "a.csv", {
      categories: { "": "CAR_ACCESSORY", "Silver ring": "JEWELRY" },
    });
    const products = await productsByName();
    expect(["Odd thing", "Silver ring", "Odd hat"].map((name) => products[name]?.category)).toEqual([
      "CAR_ACCESSORY",
      "JEWELRY",
      "OTHERS",
    ]);
    expect((await plan(UNTYPED)).choices).toMatchObject({ categories: { "silver ring": "JEWELRY" } });
    expect(JSON.stringify((await plan(UNTYPED)).choices)).not.toContain("CAR_ACCESSORY");
  });

  it.each([
    [
      { columns: ["nope"] },
      "Must be null or one of name, description, price, stock, category, colors, imageUrls",
    ],
    [{ columns: ["name", "name"] }, "A field may be given to one column only"],
    [{ columns: "name" }, "Must be a list"],
    [{ categories: { Hats: "HATS" } }, "There is no such category"],
    [[], "Must be an object"],
  ])("%j is refused in words", async (choices, message) => {
    const answer = await sendFile(token, "name\nx", "a.csv", choices);
    expect([answer.status, (await readAnswer(answer)).details?.[0]?.message]).toEqual([400, message]);
  });

  it("refuses a file of a byte more than 10 MB as too large", async () => {
    const file = new Uint8Array(10 * 1024 * 1024 + 1).fill(97);
    expect((await sendFile(token, file)).status).toBe(413);
  });
});

describe("the list around a bulk upload", () => {
  const query = "q=case&category=PHONE_CASE&sort=price&dir=desc";

  it("is what leaving leads back to", async () => {
    const page = await (await call(`${LIST}?${query}&dialog=bulk-upload`, { token })).text();
    const html = query.replaceAll("&", "&amp;");
    expect(page).toContain(`href="${LIST}?${html}"`);
    expect(page).toContain(`action="${LIST}?${html}&amp;dialog=bulk-upload"`);
  });

  it("is what the CSV holds, in its order", async () => {
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
