import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { purgeFavourites } from "~/features/favourites/store.server";
import { favouriteMark, favouritesCookie } from "~/session/cookies.server";
import { addProduct, addUser, call, cookiesOf, insert } from "../support/shop";

const ids = async (options: { cookie?: string; token?: string }) =>
  ((await (await call("/api/favourite", options)).json()) as { id: string }[]).map(({ id }) => id);
const put = (id: string, options: { cookie?: string; token?: string } = {}) =>
  call(`/api/favourite/${id}`, { method: "PUT", ...options });
const remove = (id: string, options: { cookie?: string; token?: string } = {}) =>
  call(`/api/favourite/${id}`, { method: "DELETE", ...options });

/** Cookies that a browser has after answers to requests, in their order. */
function browserCookies(cookie: string, answers: Response[]): string {
  const jar = new Map<string, string>();
  for (const pair of [cookie, ...answers.map(cookiesOf)].flatMap((text) => text.split("; ")))
    if (pair) jar.set(pair.split("=")[0] ?? "", pair);
  return [...jar.values()].join("; ");
}

/** A visitor's cookie with these favourites, added in this order. */
async function visitor(...products: string[]): Promise<string> {
  let cookie = "";
  for (const id of products) {
    const answer = await put(id, { cookie });
    expect(answer.status).toBe(200);
    cookie = browserCookies(cookie, [answer]);
  }
  return cookie;
}

/** Signs in with the cookies of a visitor. */
async function signInWith(cookie: string) {
  const { email, password, id } = await addUser();
  const answer = await call("/api/auth/login", { json: { email, password }, cookie });
  expect(answer.status).toBe(200);
  return { id, token: ((await answer.json()) as { token: string }).token, answer };
}

beforeAll(async () => {
  for (const id of ["lamp", "ring", "case", "gone"]) await addProduct({ id, name: `A ${id}` });
});

describe("favourites of a visitor", () => {
  it("keep what was answered 200 of 76 that are added at once, with an empty browser and with a known one", async () => {
    const many = Array.from({ length: 76 }, (_, n) => `once-${n}`);
    for (const id of many) await addProduct({ id });
    const addAll = async (cookie: string) => {
      const answers = await Promise.all(many.map((id) => put(id, { cookie })));
      expect(answers.map(({ status }) => status)).toEqual(many.map(() => 200));
      return browserCookies(cookie, answers);
    };
    for (const cookie of [await addAll(""), await addAll(await visitor("lamp"))]) {
      expect(await ids({ cookie })).toEqual(expect.arrayContaining(many));
      const removed = many.slice(0, 40);
      await Promise.all(removed.map((id) => remove(id, { cookie })));
      const left = await ids({ cookie });
      expect(left.filter((id) => many.includes(id)).sort()).toEqual(many.slice(40).sort());
    }
  });

  it("have no room for more than 200, also at once", async () => {
    const many = Array.from({ length: 190 }, (_, n) => ({ id: `room-${n}` }));
    for (const { id } of many) await addProduct({ id });
    const cookie = await visitor("lamp");
    const visitorHash = (await env.DB.prepare(
      "SELECT visitor FROM visitor_favourites ORDER BY row DESC LIMIT 1",
    ).first<string>("visitor")) as string;
    await insert(
      "visitor_favourites",
      many.map(({ id }) => ({ visitor: visitorHash, product_id: id, created_at: 1 })),
    );
    const more = Array.from({ length: 20 }, (_, n) => `once-${n}`);
    const answers = await Promise.all(more.map((id) => put(id, { cookie })));
    const kept = more.filter((_, i) => answers[i]?.status === 200);
    expect(kept).toHaveLength(9);
    expect(await ids({ cookie })).toEqual(expect.arrayContaining(kept));
  });

  it("count a product once that two lists of one browser have", async () => {
    const many = Array.from({ length: 198 }, (_, n) => `twice-${n}`);
    for (const id of many) await addProduct({ id });
    const lists = [await visitor("lamp"), await visitor("lamp")].join("; ");
    const visitorHash = await env.DB.prepare(
      "SELECT visitor FROM visitor_favourites ORDER BY row DESC LIMIT 1",
    ).first<string>("visitor");
    await insert(
      "visitor_favourites",
      many.map((id) => ({ visitor: visitorHash, product_id: id, created_at: 1 })),
    );
    const added = await put("ring", { cookie: lists });
    expect(added.status).toBe(200);
    expect((await put("case", { cookie: lists })).status).toBe(409);
    expect(await ids({ cookie: `${cookiesOf(added)}; ${lists}` })).toHaveLength(200);
  });

  it("of the cookie of before stay with the next one", async () => {
    const row = await env.DB.prepare("SELECT row FROM products WHERE id = 'lamp'").first<number>("row");
    const entries = [{ row: row ?? 0, mark: favouriteMark("lamp") }];
    const before = (await favouritesCookie(entries, env.COOKIE_SECRET, false)).split(";")[0] ?? "";
    const cookie = browserCookies(before, [await put("ring", { cookie: before })]);
    expect(await ids({ cookie })).toEqual(["ring", "lamp"]);
    expect(cookie).not.toContain(before);
  });

  it("are kept by a cookie, latest first, once each", async () => {
    const cookie = await visitor("lamp", "ring", "lamp");
    expect(await ids({ cookie })).toEqual(["ring", "lamp"]);
    const answer = await remove("ring", { cookie });
    expect(await answer.json()).toEqual({ productId: "ring", isFavourite: false });
    expect(await ids({ cookie: browserCookies(cookie, [answer]) })).toEqual(["lamp"]);
  });

  it("refuse an unknown product; removing one is no error", async () => {
    expect((await put("nope")).status).toBe(404);
    expect((await remove("nope")).status).toBe(200);
  });

  it("leave out deleted products, also when another one has their row", async () => {
    const cookie = await visitor("lamp", "gone");
    const { row } = (await env.DB.prepare("SELECT row FROM products WHERE id = 'gone'").first<{
      row: number;
    }>()) ?? {
      row: 0,
    };
    await env.DB.prepare("DELETE FROM products WHERE id = 'gone'").run();
    await addProduct({ id: "another" });
    await env.DB.prepare("UPDATE products SET row = ? WHERE id = 'another'").bind(row).run();
    // Its answer leads to a database that has the deletion.
    const later = await put("ring", { cookie });
    expect(await ids({ cookie: browserCookies(cookie, [later]) })).toEqual(["ring", "lamp"]);
  });

  it("ignore a forged cookie, and one with more than 200", async () => {
    const unsigned = `emporia_favourites=${btoa(JSON.stringify("1.a"))}`;
    expect(await ids({ cookie: unsigned })).toEqual([]);
    const entries = Array.from({ length: 10_000 }, (_, row) => ({ row, mark: "a" }));
    const cookie = (await favouritesCookie(entries, env.COOKIE_SECRET, false)).split(";")[0] ?? "";
    expect(cookie.length).toBeLessThan(4096);
    expect(await ids({ cookie })).toEqual([]);
  });

  it("have room for 200", async () => {
    for (let n = 0; n < 201; n++) await addProduct({ id: `many-${n}` });
    const { results } = await env.DB.prepare(
      "SELECT row, id FROM products WHERE id LIKE 'many-%' AND id <> 'many-200'",
    ).all<{
      row: number;
      id: string;
    }>();
    const entries = results.map(({ row, id }) => ({ row, mark: favouriteMark(id) }));
    const cookie = (await favouritesCookie(entries, env.COOKIE_SECRET, false)).split(";")[0] ?? "";
    expect(cookie.length).toBeLessThan(4096);
    expect(await ids({ cookie })).toHaveLength(200);
    const answer = await put("many-200", { cookie });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining("200 favourites") });
  });
});

describe("favourites of an account", () => {
  it("take over those of the visitor at sign-in, and the cookie goes", async () => {
    const { token, answer, id } = await signInWith(await visitor("lamp", "ring"));
    expect(answer.headers.getSetCookie().some((line) => /emporia_list_\S+; Max-Age=0/.test(line))).toBe(true);
    expect((await ids({ token })).sort()).toEqual(["lamp", "ring"]);
    await put("case", { token });
    expect(await ids({ token })).toContain("case");
    await remove("lamp", { token });
    expect((await ids({ token })).sort()).toEqual(["case", "ring"]);
    const stored = await env.DB.prepare("SELECT count(*) AS n FROM favourites WHERE user_id = ?")
      .bind(id)
      .first();
    expect(stored).toEqual({ n: 2 });
  });

  it("take over as many as there is room for", async () => {
    const { id, token } = await signInWith("");
    await insert(
      "favourites",
      Array.from({ length: 199 }, (_, n) => ({ user_id: id, product_id: `many-${n}`, created_at: 1 })),
    );
    await put("lamp", { token });
    expect((await put("ring", { token })).status).toBe(409);
    expect(await ids({ token })).toHaveLength(200);
  });

  it("go with a deleted product and a deleted account", async () => {
    const { id, token } = await signInWith("");
    await addProduct({ id: "short" });
    await put("short", { token });
    await env.DB.prepare("DELETE FROM products WHERE id = 'short'").run();
    const count = () =>
      env.DB.prepare("SELECT count(*) AS n FROM favourites WHERE user_id = ?").bind(id).first("n");
    expect(await count()).toBe(0);
    await put("lamp", { token });
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run();
    expect(await count()).toBe(0);
  });
});

describe("the lists that pages read", () => {
  /** Compares all lists with the rows that they are made of. */
  async function expectEqualLists() {
    const { results } = await env.DB.prepare(
      `SELECT owner, value AS id FROM favourite_lists, json_each(ids) EXCEPT
         SELECT * FROM (SELECT user_id, product_id FROM favourites UNION ALL SELECT visitor, product_id FROM visitor_favourites)`,
    ).all();
    expect(results).toEqual([]);
    const count = async (from: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${from}`).first("n");
    const rows = Number(await count("favourites")) + Number(await count("visitor_favourites"));
    expect(await count("favourite_lists, json_each(ids)")).toBe(rows);
    expect(await count("favourite_lists WHERE ids = '[]'")).toBe(0);
  }

  it("follow additions, removals, deleted products and accounts, the end of a visitor's, and sign-in", async () => {
    for (const id of ["first", "second", "third"]) await addProduct({ id });
    const cookie = await visitor("first", "second", "third");
    await remove("second", { cookie });
    await expectEqualLists();
    const { id, token } = await signInWith(cookie);
    expect(await ids({ token })).toEqual(["third", "first"]);
    await expectEqualLists();
    await put("second", { token });
    expect(await ids({ token })).toEqual(["second", "third", "first"]);
    await env.DB.prepare("DELETE FROM products WHERE id = 'third'").run();
    expect(await ids({ token })).toEqual(["second", "first"]);
    await visitor("first");
    await expectEqualLists();
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run();
    await env.DB.prepare("UPDATE visitor_favourites SET created_at = 0").run();
    await purgeFavourites(env as Env);
    await expectEqualLists();
    expect(await env.DB.prepare("SELECT 1 FROM favourite_lists WHERE owner = ?").bind(id).first()).toBeNull();
  });
});

describe("the page", () => {
  const form = (fields: Record<string, string>, cookie = "") =>
    call("/favourites", { body: new URLSearchParams(fields), cookie });

  it("adds by a plain form and leads back to the product", async () => {
    const answer = await form({ intent: "add", productId: "lamp", redirectTo: "/products/lamp" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe("/products/lamp");
    const cookie = cookiesOf(answer);
    const page = await (await call("/products/lamp", { cookie })).text();
    expect(page).toMatch(/aria-pressed="true"[^>]*aria-label="Favourite: A lamp"/);
    expect(await (await call("/favourites", { cookie })).text()).toContain("Ask about this");
  });

  it("never redirects to another host", async () => {
    const answer = await form({ intent: "add", productId: "lamp", redirectTo: "//evil.example" });
    expect(answer.headers.get("Location")).toBe("/favourites");
  });

  it("asks about all of them in one message with their cards", async () => {
    const cookie = await visitor("lamp", "ring");
    const answer = await call("/chat?index", { body: new URLSearchParams({ intent: "favourites" }), cookie });
    const chat = answer.headers.get("Location")?.split("/").at(-1);
    const read = await call(`/api/chat/${chat}/messages`, { cookie: cookiesOf(answer) });
    const { messages } = (await read.json()) as { messages: { message: string; cards?: unknown[] }[] };
    const asked = messages.find(({ message }) => message.startsWith("I have a question about these:"));
    expect(asked?.message).toContain("- A ring, $10.00");
    expect(asked?.cards).toEqual([
      { type: "product", productId: "ring", quantity: 1 },
      { type: "product", productId: "lamp", quantity: 1 },
    ]);
  });

  it("is not cached at the edge, and public pages with favourites are not either", async () => {
    const cookie = await visitor("lamp");
    for (const path of ["/favourites", "/", "/products/lamp"])
      expect((await call(path, { cookie })).headers.get("X-Edge-Cache"), path).toBeNull();
  });
});
