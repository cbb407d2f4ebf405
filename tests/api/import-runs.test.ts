import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { removeOldImports } from "../../app/features/product-import/clean-up.server";
import { costOf } from "../support/cost";
import { manager, readAnswer } from "../support/people";
import {
  commit,
  importFile,
  type PlanAnswer,
  planFile,
  productsByName,
  requestPlan,
  requestRejectedRows,
} from "../support/product-import";
import { addUser, call, signIn } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await manager()).token;
});
beforeEach(() => env.DB.exec("DELETE FROM products; DELETE FROM import_runs"));

const upload = (content: BlobPart, name?: string, choices?: unknown) =>
  importFile(token, content, { name, choices });

describe("repeated and interrupted imports", () => {
  const rows = Array.from({ length: 900 }, (_, i) => `Thing ${i},${i + 1},home decor,"<p>Text ${i}</p>"`);
  const file = `name,price,category,description\n${rows.join("\n")}`;
  const count = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM products").first<{ n: number }>())?.n;

  it("store nothing twice when two people send the same file at once", async () => {
    const [one, two] = await Promise.all([upload(file), upload(file)]);
    expect([one.created + two.created, one.updated + two.updated, await count()]).toEqual([900, 0, 900]);
  });

  it("change nothing when a file is sent again", async () => {
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

  it("store whole batches when the connection breaks, and the rest when the file is sent again", async () => {
    const form = new FormData();
    form.append("file", new File([file], "a.csv"));
    const headers = { Accept: "application/x-ndjson" };
    const answer = await call("/api/product/bulk-upload", { body: form, token, headers });
    const reader = answer.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(JSON.parse(first.split("\n")[0] ?? "")).toEqual({ stored: 500, total: 900 });
    await reader?.cancel();
    const result = await upload(file);
    expect([await count(), result.updated]).toEqual([900, 0]);
  });

  it("stream the progress of each batch and then the result", async () => {
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
    expect(lines.slice(0, -1)).toEqual([500, 900].map((stored) => ({ stored, total: 900 })));
    expect(lines.at(-1)).toMatchObject({ result: { created: 900 }, run: expect.any(String) });
  });

  it("record who sent what, with the result", async () => {
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
    const rejected = await env.BUCKET.get(`imports/${run?.id}`);
    const text = (await rejected?.text()) ?? "";
    expect(text).toMatch(/^\ufeff?name,price,error\r\nCup,free,"?Price “free” is not a price/);
    const corrected = text.replace("free,", "6.50,");
    expect(await upload(corrected)).toMatchObject({ created: 1, errors: 0 });
  });
});

describe("planned runs", () => {
  const FILE = "Ware;price;Art\nMug;5;Gizmos\nCup;free;Gizmos\n";
  const CHOICES = { columns: ["name", "price", "category"], categories: { Gizmos: "HOME_DECOR" } };
  const DAY = 86_400_000;

  const sources = async () =>
    (await env.BUCKET.list({ prefix: "imports/" })).objects.filter(({ key }) => key.endsWith("/source"));
  const states = async () =>
    (await env.DB.prepare("SELECT state FROM import_runs").all<{ state: string }>()).results.map(
      ({ state }) => state,
    );
  const status = async (answer: Promise<Response>) => (await answer).status;
  const commitPlan = async (run: string) => (await commit(token, { run }, { choices: CHOICES })).json();

  beforeEach(async () => {
    for (const { key } of await sources()) await env.BUCKET.delete(key);
  });

  it("store the file once for plans, rejected rows and the commit", async () => {
    const { run, problem } = await planFile(token, FILE);
    expect(problem).toContain("none of them is “name”");
    expect((await sources()).map(({ key, size }) => [key, size])).toEqual([
      [`imports/${run}/source`, FILE.length],
    ]);
    const plan = await (await requestPlan(token, { run }, CHOICES)).json<PlanAnswer>();
    expect(plan).toMatchObject({
      run,
      fileName: "a.csv",
      rows: [{ action: "create" }, { action: "reject" }],
    });
    expect(await productsByName()).toEqual({});
    expect(await commitPlan(run)).toMatchObject({
      created: 1,
      errors: 1,
      message: "1 created, 0 updated, 1 rejected",
    });
    expect((await productsByName()).Mug).toMatchObject({ price: 5, category: "HOME_DECOR" });
    expect(await sources()).toEqual([]);
    expect(await (await call(`/admin/products-management/rejected/${run}`, { token })).text()).toContain(
      "Cup;free",
    );
  });

  it("offer rejected rows by run", async () => {
    const { run } = await planFile(token, "name,price\nCup,free\n");
    expect(await (await requestRejectedRows(token, { run })).text()).toContain("Cup,free");
  });

  it("share one run when a person sends the same file again", async () => {
    const plans = await Promise.all([planFile(token, FILE), planFile(token, FILE)]);
    expect(new Set([...plans, await planFile(token, FILE)].map(({ run }) => run)).size).toBe(1);
    expect([(await sources()).length, await states()]).toEqual([1, ["planned"]]);
    const other = await (await requestPlan((await manager()).token, { content: FILE })).json<PlanAnswer>();
    expect(other.run).not.toBe(plans[0].run);
  });

  it("are committed once, and return their result again", async () => {
    const { run } = await planFile(token, FILE);
    const answers = await Promise.all([1, 2].map(() => commit(token, { run }, { choices: CHOICES })));
    for (const answer of answers) expect([200, 409]).toContain(answer.status);
    expect(answers.map((answer) => answer.status)).toContain(200);
    const first = await commitPlan(run);
    expect(first).toEqual(await commitPlan(run));
    expect(first).toMatchObject({ created: 1, errors: 1 });
    expect(await states()).toEqual(["done"]);
  });

  it("refuse a commit while they are being stored, until that counts as interrupted", async () => {
    const { run } = await planFile(token, FILE);
    const start = (seconds: number) =>
      env.DB.prepare("UPDATE import_runs SET state = 'running', started_at = ? WHERE id = ?")
        .bind(Math.floor(Date.now() / 1000) - seconds, run)
        .run();
    await start(10);
    const answer = await commit(token, { run }, { choices: CHOICES });
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([
      409,
      "This file is already being stored. Its result is listed under Earlier uploads.",
    ]);
    expect(await productsByName()).toEqual({});
    await start(10 * 60);
    expect(await commitPlan(run)).toMatchObject({ created: 1 });
  });

  it("can be committed again after a failure, without sending the file", async () => {
    const { run } = await planFile(token, FILE);
    await env.DB.exec(
      "CREATE TRIGGER fail_insert BEFORE INSERT ON products BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const silenced = console.error;
    console.error = () => {};
    const failed = await status(commit(token, { run }, { choices: CHOICES }));
    console.error = silenced;
    await env.DB.exec("DROP TRIGGER fail_insert");
    expect([failed, await states()]).toEqual([500, ["failed"]]);
    expect(await commitPlan(run)).toMatchObject({ created: 1 });
    expect(await states()).toEqual(["done"]);
  });

  it("stay unchanged when a commit's choices are invalid", async () => {
    const { run } = await planFile(token, FILE);
    expect(await status(commit(token, { run }))).toBe(400);
    expect([(await sources()).length, await states()]).toEqual([1, ["planned"]]);
  });

  it("are not stored for files that can't be read", async () => {
    expect(await status(requestPlan(token, { content: "%PDF", name: "a.pdf" }))).toBe(415);
    expect(await status(requestPlan(token, { content: "name\n" }))).toBe(400);
    expect(await status(requestPlan(token, { content: new Uint8Array(10 * 1024 * 1024 + 1) }))).toBe(413);
    expect([await sources(), await states()]).toEqual([[], []]);
  });

  it("are all found in the history, page by page from the latest, none of which reads more than 250 rows", async () => {
    const rows = Array.from(
      { length: 105 },
      (_, i) => `('old-${i}', 'Pat', 'old-${i}.csv', 'template', 'done', 1, ${i})`,
    );
    await env.DB.exec(
      `INSERT INTO import_runs (id, user_name, file_name, source, state, rows, started_at) VALUES ${rows.join(", ")}`,
    );
    const page = async (path: string) => {
      const answer = await call(path, { token });
      expect(costOf(answer).rowsRead, path).toBeLessThanOrEqual(250);
      return (await answer.text()).replaceAll("&amp;", "&");
    };
    const first = "/admin/products-management?dialog=bulk-upload";
    const sizes: number[] = [];
    const listed = new Set<string>();
    for (let path = first; path; ) {
      const html = await page(path);
      const files = html.match(/>old-\d+\.csv</g) ?? [];
      sizes.push(files.length);
      for (const file of files) listed.add(file);
      expect(html.includes("Show the latest")).toBe(path !== first);
      path = /href="([^"]*&before=[^"]+)"/.exec(html)?.[1] ?? "";
    }
    expect([sizes, listed.size]).toEqual([[20, 20, 20, 20, 20, 5], 105]);
    for (const query of ["&runs=9999", "&before=9999"])
      expect((await page(first + query)).match(/>old-\d+\.csv</g)).toHaveLength(20);
  });

  it("are unknown to others, absent from the history, and gone after a day", async () => {
    const { run } = await planFile(token, FILE);
    const { email, password } = await addUser();
    expect(await status(requestPlan(await signIn(email, password), { run }))).toBe(403);
    expect(await status(commit(await signIn(email, password), { run }))).toBe(403);
    const page = await (await call("/admin/products-management?dialog=bulk-upload", { token })).text();
    expect(page).not.toContain("Earlier uploads");
    await removeOldImports(env, Date.now() + DAY - 60_000);
    expect([(await sources()).length, await states()]).toEqual([1, ["planned"]]);
    await removeOldImports(env, Date.now() + DAY + 60_000);
    expect([await sources(), await states()]).toEqual([[], []]);
    for (const answer of [requestPlan(token, { run }), commit(token, { run })])
      expect([(await answer).status, (await readAnswer(await answer)).message]).toEqual([
        404,
        "The file is no longer stored. Choose it again.",
      ]);
  });
});
