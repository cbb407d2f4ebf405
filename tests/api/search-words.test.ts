import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { countedWords, forgetSearches } from "~/features/search-words/missed.server";
import { listed } from "../support/demo-catalogue";
import { submit } from "../support/forms";
import { admin, from, manager, problems, seller } from "../support/people";
import { addProduct, call } from "../support/shop";

let token: string;
let addresses = 0;

beforeAll(async () => {
  ({ token } = await manager());
  await addProduct({ id: "zarf", name: "Copper zarf", category: "OTHERS" });
});
beforeEach(async () => {
  await env.DB.exec("DELETE FROM missed_search_days");
});

const words = (method: string, json?: object, by: { token?: string } = { token }) =>
  call("/api/search/words", { method, ...(json && { json }), ...by });
const add = (json: object, by?: { token?: string }) => words("POST", json, by);
const status = async (answer: Promise<Response>) => (await answer).status;
const remove = (word: string, meaning: string) =>
  call(`/api/search/words?${new URLSearchParams({ word, meaning })}`, { method: "DELETE", token });
const pairs = async (q: string) => {
  const answer = await call(`/api/search/words?${new URLSearchParams({ q })}`, { token });
  return ((await answer.json()) as { words: object[] }).words;
};
const names = async (search: string) => (await listed(search)).map(({ name }) => name);

describe("words that mean the same", () => {
  it("find at once what they stand for, both ways or one, and no more when they are removed", async () => {
    expect(await names("finjan holder")).toEqual([]);
    const answer = await add({ word: "Finjan  Hölder", meaning: "zarf", direction: "first" });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { word: "finjan holder", meaning: "zarf", direction: "first" },
    ]);
    expect(await names("finjan holder")).toEqual(["Copper zarf"]);
    expect(await names("finjan hloders")).toEqual(["Copper zarf"]);
    const was = { word: "finjan holder", meaning: "zarf", direction: "first" };
    expect(await status(words("PUT", { word: "cup sleeve", meaning: "zarf", was }))).toBe(200);
    expect(await names("finjan holder")).toEqual([]);
    expect(await names("cup sleeve")).toEqual(["Copper zarf"]);
    expect(await status(remove("cup sleeve", "zarf"))).toBe(200);
    expect(await names("cup sleeve")).toEqual([]);
    expect(await status(remove("cup sleeve", "zarf"))).toBe(404);
  });

  it("are on cached pages at once", async () => {
    const page = async () => (await call("/shop?search=qahwacup")).text();
    expect(await page()).not.toContain("Copper zarf");
    await add({ word: "qahwacup", meaning: "zarf" });
    expect(await page()).toContain("Copper zarf");
  });

  it("stand once, in either direction, also of two at once", async () => {
    const both = await Promise.all([1, 2].map(() => status(add({ word: "fincan", meaning: "zarf" }))));
    expect(both.toSorted()).toEqual([201, 409]);
    expect(await status(add({ word: "zarf", meaning: "fincan" }))).toBe(409);
    expect(await status(add({ word: "zarf", meaning: "fincan", direction: "first" }))).toBe(409);
    expect(await pairs("fin")).toEqual([{ word: "fincan", meaning: "zarf", direction: "both" }]);
    expect(await pairs("zar")).toContainEqual({ word: "fincan", meaning: "zarf", direction: "both" });
  });

  it("are not changed by somebody who has seen something else", async () => {
    await add({ word: "ibrik", meaning: "zarf" });
    const change = (direction: string, meaning: string) =>
      words("PUT", { word: "ibrik", meaning, was: { word: "ibrik", meaning: "zarf", direction } });
    expect(await status(change("first", "cup"))).toBe(409);
    expect(
      (await Promise.all([change("both", "cup"), change("both", "mug")])).map((one) => one.status).toSorted(),
    ).toEqual([200, 409]);
    expect(await status(words("PUT", { word: "ibrik", meaning: "zarf", was: "{" }))).toBe(400);
  });

  it.each<[object, string]>([
    [{ word: "", meaning: "" }, "word: Please enter what shoppers type"],
    [{ word: "zarf" }, "meaning: Please enter what the shop calls it"],
    [{ word: "x".repeat(10_000), meaning: "zarf" }, "word: Must be at most 100 characters"],
    [{ word: "a b c d e", meaning: "zarf" }, "word: At most 4 words"],
    [{ word: "!!!", meaning: "zarf" }, "word: Must have a letter or a digit"],
    [{ word: "cup for tea", meaning: "zarf" }, "word: The search leaves out “for”. Write it without"],
    [{ word: "ZARF", meaning: "zarf" }, "meaning: The search finds a word by itself. Enter another one"],
    [{ word: "a\u0000b", meaning: "zarf" }, "word: Contains characters that are not allowed"],
    [{ word: "zarf", meaning: 7 }, "meaning: Must be text"],
    [{ word: "zarf", meaning: "cup", direction: "up" }, "direction: Not valid"],
  ])("are refused: %j", async (json, problem) => {
    const answer = await add(json);
    expect(answer.status).toBe(400);
    expect((await problems(answer))[0]).toBe(problem);
  });

  it("take no harm from signs that a search or a page could read", async () => {
    for (const word of ['") OR name : *', "'; DROP TABLE search_synonyms; --", "<script>alert(1)</script>"]) {
      const answer = await add({ word, meaning: "zarf" });
      expect([201, 400]).toContain(answer.status);
      expect((await call(`/shop?${new URLSearchParams({ search: word })}`)).status).toBe(200);
    }
    const page = await (
      await call("/admin/settings?group=search&add=%3Cscript%3E&q=%22%3E", { token })
    ).text();
    expect(page).not.toContain('value="<script>');
    expect(await status(call(`/admin/settings?group=search&q=${"x".repeat(3000)}`, { token }))).toBe(200);
  });

  it("are for managers, and each change is in the audit log", async () => {
    for (const by of [{}, { token: (await seller()).token }]) {
      expect([401, 403]).toContain(await status(add({ word: "sini", meaning: "zarf" }, by)));
      expect([401, 403]).toContain(await status(call("/api/search/missed", by)));
    }
    await add({ word: "sini", meaning: "zarf" });
    await remove("sini", "zarf");
    const { results } = await env.DB.prepare(
      "SELECT action FROM audit_log WHERE object = 'searchWord' AND object_id = 'sini = zarf'",
    ).all<{ action: string }>();
    expect(results.map(({ action }) => action).toSorted()).toEqual(["created", "deleted"]);
    const log = await (await call("/admin/audit", { token: (await admin()).token })).text();
    expect(log).toContain("sini = zarf");
  });

  it("are edited by the page wherever they stand, and a refused Remove leaves the form alone", async () => {
    const insert = "INSERT INTO search_synonyms (word, meaning, both_ways)";
    await env.DB.exec(
      `${insert} WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 70)
      SELECT 'kiln ' || i, 'oven', 1 FROM n`.replaceAll("\n", " "),
    );
    const page = "/admin/settings?group=search&edit=kiln+69+%3D+oven&q=kiln";
    expect(await (await call(page, { token })).text()).toMatch(/name="word"[^>]*value="kiln 69"/);
    const refused = await submit(
      "/admin/settings?group=search",
      { intent: "removeWord", word: "nowhere", meaning: "oven" },
      { token },
    );
    const html = await refused.text();
    expect(html).toContain("It is not in the list any more.");
    expect(html).not.toContain('value="nowhere"');
    await env.DB.exec("DELETE FROM search_synonyms WHERE word LIKE 'kiln %'");
  });

  it("leave the searches that found nothing where the pair is refused", async () => {
    await add({ word: "ewer", meaning: "zarf" });
    await env.DB.exec(
      "INSERT INTO missed_search_days (day, words, searches) VALUES ('2999-01-01', 'ewer', 3)",
    );
    const missed = () => env.DB.prepare("SELECT count(*) AS n FROM missed_search_days").first("n");
    expect(await status(add({ word: "ewer", meaning: "zarf" }))).toBe(409);
    expect(await missed()).toBe(1);
    await add({ word: "ewer", meaning: "cup" });
    expect(await missed()).toBe(0);
    for (const meaning of ["zarf", "cup"]) await remove("ewer", meaning);
  });

  it("are added, changed and removed by the page, without a script", async () => {
    const path = "/admin/settings?group=search";
    const page = async (more = "") => (await call(path + more, { token })).text();
    const refused = await submit(path, { intent: "addWord", word: "dallah", meaning: "" }, { token });
    expect([refused.status, (await refused.text()).includes('value="dallah"')]).toEqual([400, true]);
    const added = await submit(path, { intent: "addWord", word: "dallah", meaning: "zarf" }, { token });
    expect(added.headers.get("Location")).toContain(path);
    expect(await page("&q=dallah")).toContain('<span class="visually-hidden">dallah = zarf</span>');
    expect(await page("&q=dallah&edit=dallah+%3D+zarf")).toContain('name="was"');
    await submit(path, { intent: "removeWord", word: "dallah", meaning: "zarf" }, { token });
    expect(await page("&q=dallah")).not.toContain("dallah = zarf");
    expect(await page()).toContain("More words");
  });
});

describe("searches that found nothing", () => {
  const search = async (text: string, more = "") =>
    (
      await call(`/shop?${new URLSearchParams({ search: text })}${more}`, {
        headers: from(`10.8.0.${++addresses % 250}`),
      })
    ).text();
  const missed = async () => (await (await call("/api/search/missed", { token })).json()) as object[];

  it("are counted by their words, without a person, and become a synonym", async () => {
    await search("Zwölf Plünder");
    await search("plunder zwolf xq");
    await search("zwolf plunder", "&sort=price-asc");
    await search("zarf");
    await search("zarf", "&min=500");
    const expected = [
      { words: "zwolf plunder", searches: 2 },
      { words: "plunder zwolf xq", searches: 1 },
    ];
    await vi.waitFor(async () => expect(await missed()).toEqual(expected));
    const page = await (await call("/admin/settings?group=search", { token })).text();
    expect(page).toContain("2 times");
    expect(page).toContain("add=zwolf+plunder");
    const { results } = await env.DB.prepare("SELECT * FROM missed_search_days").all<object>();
    expect(Object.keys(results[0] ?? {})).toEqual(["day", "words", "searches"]);
    await add({ word: "zwolf plunder", meaning: "zarf" });
    expect(await missed()).toEqual([{ words: "plunder zwolf xq", searches: 1 }]);
    expect(await search("zwolf plunder")).toContain("Copper zarf");
  });

  it.each([
    "ines@mail.example",
    "ines at mail.example",
    "+1 416 555 0142",
    "4111 1111 1111 1111",
    "41-11-11",
    "https://evil.example/x",
    "www.evil",
    "a very long sentence about something else",
    "x".repeat(21),
    "12 34",
    "\uff41\uff20\uff42\uff0e\uff43\uff4f",
    "\u0664\u0661\u0661\u0661\u0661\u0661",
  ])("are not kept when they may name a person: %s", (text) => {
    expect(countedWords(text)).toBeNull();
  });

  it("are 200 a day at most, 20 a minute from one address, and are forgotten after 30 days", async () => {
    const today = new Date().toISOString().slice(0, 10);
    await env.DB.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO missed_search_days SELECT date('now', '-' || (i / 5) || ' days'), 'old' || i, 1 FROM n`.replaceAll(
        "\n",
        " ",
      ),
    );
    await forgetSearches(env);
    const days = await env.DB.prepare("SELECT min(day) AS day, count(*) AS n FROM missed_search_days").first<{
      day: string;
      n: number;
    }>();
    expect(days?.day).toBe(new Date(Date.parse(today) - 30 * 86_400_000).toISOString().slice(0, 10));
    expect(await env.DB.prepare("SELECT count(*) AS n FROM missed_searches").first("n")).toBe(days?.n);
    await env.DB.exec("DELETE FROM missed_search_days");
    const shopDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Toronto" }).format(new Date());
    await env.DB.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
      INSERT INTO missed_search_days SELECT ?, 'full' || i, 1 FROM n`)
      .bind(shopDay)
      .run();
    await search("qwertzu");
    await search("qwertzi");
    await search("qwertzu", "&sort=name-asc");
    const counted = () =>
      env.DB.prepare(
        "SELECT words, searches FROM missed_searches WHERE words LIKE 'q%' ORDER BY words",
      ).all<object>();
    await vi.waitFor(async () =>
      expect((await counted()).results).toEqual([{ words: "qwertzu", searches: 2 }]),
    );
    const headers = from("10.8.9.9");
    await env.DB.exec("DELETE FROM missed_search_days");
    const letters = "abcdefghijklmnopqrstuvwxyz";
    for (const letter of letters) await call(`/shop?search=vv${letter}zz${letter}q`, { headers });
    expect((await missed()).length).toBeLessThanOrEqual(20);
  });
});
