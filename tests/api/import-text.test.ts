import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { importCase } from "../support/import-cases";
import { manager, readAnswer } from "../support/people";
import { commit, importFile, type PlanAnswer, productsByName, requestPlan } from "../support/product-import";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

describe("the text of a file", () => {
  it("with one odd byte doubles no stored product, and notes the row", async () => {
    await addProduct({ name: "Zq Café crème", priceCents: 500 });
    const result = await importFile(token, importCase("bad_byte.csv"), { name: "bad_byte.csv" });
    expect(result).toMatchObject({ created: 1, updated: 1, errors: 0 });
    expect(Object.keys(await productsByName()).toSorted()).toEqual(["Zq Café crème", "Zq Thé"]);
    expect(result).toMatchObject({ notes: [{ row: 3, note: expect.stringContaining("not UTF-8") }] });
  });

  it("cut within a letter stays UTF-8", async () => {
    const whole = new TextEncoder().encode("name,price,description\nCafé,5,Crème brûlée\nThé,6,Crèm");
    const cut = whole.slice(0, -2);
    expect(await importFile(token, cut)).toMatchObject({
      created: 2,
      notes: [{ row: 3, note: "The file ends within a letter: check this row" }],
    });
    expect(Object.keys(await productsByName()).toSorted()).toEqual(["Café", "Thé"]);
  });

  it("cut within a name is rejected with a note on what is cut", async () => {
    const cut = new Uint8Array([...new TextEncoder().encode("name,price\nThé,6\nCaf"), 0xc3]);
    const note = expect.stringMatching(
      /^The file ends within a letter: .*after 1 of 2 cells: check that it is whole$/,
    );
    const planned = await (await requestPlan(token, { content: cut, name: "a.csv" })).json<PlanAnswer>();
    expect(planned.rows[1]).toMatchObject({ row: 3, action: "reject", notes: note });
    expect(await importFile(token, cut)).toMatchObject({
      created: 1,
      errors: 1,
      notes: [{ row: 3 }, { row: 3 }],
    });
  });

  it("with an odd byte among its headers notes their row", async () => {
    const text = (part: string) => new TextEncoder().encode(part);
    const file = new Uint8Array([...text("name,price,cat"), 0xe9, ...text("gorie\nThé,6,\n")]);
    expect(await importFile(token, file)).toMatchObject({
      created: 1,
      notes: [{ row: 1, note: "A byte that is not UTF-8 was read as “é”: check the text" }],
    });
    const below = new Uint8Array([...text("Export\n\n"), ...file]);
    expect((await importFile(token, below)).notes?.map(({ row }) => row)).toEqual([1, 3]);
  });

  it("with a BOM is believed", async () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("name,price\nTh"), 0xe9]);
    const file = new Uint8Array([...bytes, ...new TextEncoder().encode(",5\n")]);
    expect(await importFile(token, file)).toMatchObject({ created: 1 });
    expect(Object.keys(await productsByName())).toEqual(["Thé"]);
  });

  it("in an uncertain code page is asked about by the API before anything is stored", async () => {
    const name = [0x50, 0x69, 0x65, 0x72, 0x9c, 0x63, 0x69, 0x6f, 0x6e, 0x65, 0x6b];
    const content = new Uint8Array([...new TextEncoder().encode("name,price\n"), ...name, 0x2c, 0x35]);
    const refused = await commit(token, { content, name: "a.csv" });
    expect([refused.status, (await readAnswer(refused)).message]).toEqual([
      400,
      "Which encoding has the text? It reads “Pierścionek” as Windows, Central European (1250); “Pierúcionek” as Mac Roman. Name it in the field encoding: windows-1250, macintosh",
    ]);
    expect(await productsByName()).toEqual({});
    const form = new FormData();
    form.append("file", new File([content], "a.csv"));
    form.append("encoding", "macintosh");
    const stored = await call("/api/product/bulk-upload", { body: form, token });
    expect(await stored.json()).toMatchObject({ created: 1 });
    const { run, reading } = await (await requestPlan(token, { content, name: "a.csv" })).json<PlanAnswer>();
    expect(reading).toMatchObject({ rivals: [{ encoding: "macintosh", samples: ["Pierúcionek"] }] });
    expect(await (await commit(token, { run })).json()).toMatchObject({ created: 1 });
    expect(Object.keys(await productsByName()).toSorted()).toEqual(["Pierúcionek", "Pierścionek"].toSorted());
  });

  it.each([
    ["Windows-1252", [0x43, 0x61, 0x66, 0xe9, 0x92, 0x73], "Café’s"],
    ["Windows-1252 of letters that others have, too", [0x43, 0x72, 0xe8, 0x6d, 0x65], "Crème"],
    ["UTF-8", [0x43, 0x61, 0x66, 0xc3, 0xa9], "Café"],
    ["ASCII", [0x43, 0x61, 0x66, 0x65], "Cafe"],
  ])("in %s is stored by the API without a question", async (_, bytes, name) => {
    const content = new Uint8Array([...new TextEncoder().encode("name,price\n"), ...bytes, 0x2c, 0x35]);
    expect(await importFile(token, content)).toMatchObject({ created: 1, errors: 0 });
    expect(Object.keys(await productsByName())).toEqual([name]);
  });

  it.each([
    ["windows-1250", [0x50, 0xf8, 0xed, 0x6c, 0x69, 0x9a, 0x20, 0x9e, 0x6c, 0x75, 0x9d], "Příliš žluť"],
    ["windows-1251", [0xd7, 0xe0, 0xe9, 0xed, 0xe8, 0xea], "Чайник"],
    ["windows-1252", [0x42, 0xe9, 0x6c, 0x61, 0x6e, 0x67, 0x65, 0x72, 0x92, 0x73], "Bélanger’s"],
  ])("in %s is recognised", async (encoding, bytes, name) => {
    const content = new Uint8Array([...new TextEncoder().encode("name,price\n"), ...bytes, 0x2c, 0x35]);
    const planned = await (await requestPlan(token, { content, name: "a.csv" })).json<PlanAnswer>();
    expect([(planned.reading as { encoding: string }).encoding, planned.rows[0]?.product]).toEqual([
      encoding,
      name,
    ]);
  });
});
