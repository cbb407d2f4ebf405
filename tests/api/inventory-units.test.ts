import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { call } from "../support/shop";

const PAGE = "/admin/inventory-management";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

/** Adds a product of some sizes; the first ones have run out. */
async function addSizes(name: string, sizes: number, out: number) {
  const values = Array.from({ length: sizes }, (_, at) => `${at + 1} mm`);
  const json = {
    ...{ name, price: 20, category: "JEWELRY" },
    options: [{ name: "Size", values }],
    units: values.map((Size, at) => ({ options: { Size }, stock: at < out ? 0 : 9 })),
  };
  expect((await call("/api/product", { json, token })).status).toBe(201);
}

const pageOf = async (path: string) =>
  (await (await call(path, { token })).text()).replaceAll("<!-- -->", "").replaceAll("&amp;", "&");
const rowsOf = (html: string) => html.split('class="stock-unit"').length - 1;

describe("a product with units in the inventory", () => {
  it("has a row for each, and says how many have run out", async () => {
    await addSizes("Nine rings", 9, 4);
    const html = await pageOf(`${PAGE}?q=Nine+rings`);
    expect(rowsOf(html)).toBe(9);
    expect(html).toContain("4 of 9 out");
    expect(html).not.toMatch(/All \d+ choices/);
  });

  it("leads from the first of many to all of them, by their number", async () => {
    await addSizes("Twelve rings", 12, 12);
    const html = await pageOf(`${PAGE}?q=Twelve+rings`);
    expect(rowsOf(html)).toBe(9);
    expect(html).not.toMatch(/\d of 12 out/);
    const [, url = ""] = /href="([^"]+)"[^>]*>All 12 choices/.exec(html) ?? [];
    expect(rowsOf(await pageOf(url))).toBe(12);
  });

  it("lists and counts those at a level alone", async () => {
    await addSizes("Zaffre bangles", 14, 11);
    const html = await pageOf(`${PAGE}?q=Zaffre+bangles&level=out`);
    expect(rowsOf(html)).toBe(9);
    expect(html).toContain("All 11 choices");
  });
});
