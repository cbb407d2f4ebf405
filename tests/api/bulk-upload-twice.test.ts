import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { uploaded } from "../support/product-import";
import { call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products"));

const upload = (content: BlobPart, name?: string, choices?: unknown) =>
  uploaded(token, content, name, choices);

describe("nothing twice, nothing lost", () => {
  const rows = Array.from({ length: 900 }, (_, i) => `Thing ${i},${i + 1},home decor,"<p>Text ${i}</p>"`);
  const file = `name,price,category,description\n${rows.join("\n")}`;
  const count = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM products").first<{ n: number }>())?.n;

  it("two people who send the same file at once make no doubles", async () => {
    const [one, two] = await Promise.all([upload(file), upload(file)]);
    expect([one.created + two.created, one.updated + two.updated, await count()]).toEqual([900, 0, 900]);
  });

  it("a file that is sent again changes nothing", async () => {
    await upload(file);
    const stamp = () =>
      env.DB.prepare("SELECT sum(row) || total(updated_at) || group_concat(id) AS s FROM products").first(
        "s",
      );
    const before = await stamp();
    expect(await upload(file)).toMatchObject({
      created: 0,
      updated: 0,
      message: "0 created, 0 updated, 900 skipped",
    });
    expect(await stamp()).toBe(before);
  });

  it("a connection that is cut in the middle leaves whole batches; sent again, the rest is added", async () => {
    const form = new FormData();
    form.append("file", new File([file], "a.csv"));
    const headers = { Accept: "application/x-ndjson" };
    const answer = await call("/api/product/bulk-upload", { body: form, token, headers });
    const reader = answer.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(JSON.parse(first.split("\n")[0] ?? "")).toEqual({ stored: 250, total: 900 });
    await reader?.cancel();
    const result = await upload(file);
    expect([await count(), result.updated]).toEqual([900, 0]);
  });

  it("tells how far it is, batch by batch, and then the result", async () => {
    const form = new FormData();
    form.append("file", new File([file], "a.csv"));
    const answer = await call("/api/product/bulk-upload", {
      body: form,
      token,
      headers: { Accept: "application/x-ndjson" },
    });
    const lines = (await answer.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1)).toEqual([250, 500, 750, 900].map((stored) => ({ stored, total: 900 })));
    expect(lines.at(-1)).toMatchObject({ result: { created: 900 }, run: expect.any(String) });
  });

  it("keeps who sent what when, and what came of it", async () => {
    await upload("name,price\nMug,5\nCup,free", "winter.csv");
    const run = await env.DB.prepare("SELECT * FROM import_runs WHERE file_name = 'winter.csv'").first();
    expect(run).toMatchObject({
      user_name: "Pat Example",
      source: "template",
      state: "done",
      rows: 2,
      created: 1,
      refused: 1,
    });
    const refused = await env.BUCKET.get(`imports/${run?.id}`);
    const text = (await refused?.text()) ?? "";
    expect(text).toMatch(/^\ufeff?name,price,error\r\nCup,free,"?Price “free” is not a price/);
    const mended = text.replace("free,", "6.50,");
    expect(await upload(mended)).toMatchObject({ created: 1, errors: 0 });
  });
});
