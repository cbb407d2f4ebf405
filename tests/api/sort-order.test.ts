import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sortKey } from "~/db/text";
import { completeSortKeys } from "~/features/health/sort-keys.server";
import { watch } from "../../workers/nightly";
import { loaderData } from "../support/loader-data";
import { admin } from "../support/people";
import { addUser, call, insert } from "../support/shop";

const NAMES = [
  "9 cups",
  "10 cups",
  "Eclair stand",
  "École lamp",
  "Edge mug 9",
  "edge mug 10",
  "Łódź tray",
  "Zinc tray",
];
let token: string;

beforeAll(async () => {
  ({ token } = await admin());
  for (const name of [...NAMES].reverse())
    await call("/api/product", { token, json: { name, price: 12, category: "OTHERS", stock: 3 } });
});

const namesOf = async (path: string) => {
  const answer = await call(path, { token });
  expect(answer.status, path).toBe(200);
  return ((await answer.json()) as { name: string }[]).map(({ name }) => name);
};
const rowsOf = async <Row>(path: string) => (await loaderData<{ rows: Row[] }>(path, { token })).rows;
const listed = async (path: string) => (await rowsOf<{ name: string }>(path)).map(({ name }) => name);
const keyOf = (table: string, id: string) =>
  env.DB.prepare(`SELECT sort_key AS key FROM ${table} WHERE id = ?`).bind(id).first<string>("key");

async function setStock(stock: number) {
  for (const { id } of await rowsOf<{ id: string }>("/admin/products-management"))
    await call(`/api/product/${id}`, { method: "PUT", token, json: { stock } });
}

describe("products by name", () => {
  it.each(["", "&category=OTHERS", "&min=5&max=30", "&category=OTHERS&min=5&stock=in"])(
    "in the API and the shop with the filters %j",
    async (filters) => {
      expect(await namesOf(`/api/product/all?sort=name-asc${filters}`)).toEqual(NAMES);
      expect(await namesOf(`/api/product/all?sort=name-desc${filters}`)).toEqual([...NAMES].reverse());
      const html = await (await call(`/shop?sort=name-asc${filters}`)).text();
      const places = NAMES.map((name) => html.indexOf(`>${name}<`));
      expect(places[0]).toBeGreaterThan(0);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    },
  );

  it("among the matches of a search", async () => {
    const trays = ["Łódź tray", "Zinc tray"];
    expect(await namesOf("/api/product/all?search=tray&sort=name-asc")).toEqual(trays);
    expect(await listed("/admin/products-management?q=tray&sort=name")).toEqual(trays);
  });

  it.each(["products", "inventory"])("in the table of %s", async (table) => {
    const path = `/admin/${table}-management?size=100`;
    expect(await listed(`${path}&sort=name&dir=asc`)).toEqual(NAMES);
    expect(await listed(`${path}&sort=name&dir=desc`)).toEqual([...NAMES].reverse());
    expect(await listed(`${path}&sort=category&dir=asc`)).toEqual(NAMES);
  });

  it("in the inventory's lists of low and sold-out products", async () => {
    expect(await listed("/admin/inventory-management?level=low")).toEqual(NAMES);
    await setStock(0);
    expect(await listed("/admin/inventory-management?level=out&sort=name&dir=desc")).toEqual(
      [...NAMES].reverse(),
    );
    const csv = await (await call("/admin/inventory-management.csv?level=out", { token })).text();
    expect(
      csv
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[0]),
    ).toEqual(NAMES);
    await setStock(3);
  });

  it("after a new name", async () => {
    const id = (await rowsOf<{ id: string; name: string }>("/admin/products-management?sort=name"))[0]?.id;
    const rename = (name: string) => call(`/api/product/${id}`, { method: "PUT", token, json: { name } });
    await rename("Zwölf cups");
    expect((await listed("/admin/products-management?sort=name")).at(-1)).toBe("Zwölf cups");
    await rename("9 cups");
    expect(await namesOf("/api/product/all?sort=name-asc")).toEqual(NAMES);
  });
});

describe("persons by name", () => {
  const PEOPLE = [
    ["Anna", "Bell"],
    ["Émile", "Roy"],
    ["Eve", "Stone"],
    ["Łucja", "Zalewska"],
    ["Zoe", "Hill"],
  ] as const;
  const fullNames = PEOPLE.map((names) => names.join(" "));

  it("in the table of users, also after an edit", async () => {
    for (const [firstName, lastName] of PEOPLE) await addUser({ firstName, lastName });
    const own = await admin();
    const json = { firstName: "Ève", lastName: "Alder" };
    const changed = await call(`/api/user/${own.id}`, { method: "PUT", token: own.token, json });
    expect(changed.status).toBe(200);
    const names = (
      await rowsOf<{ firstName: string; lastName: string }>("/admin/users-management?sort=name&dir=asc")
    )
      .map(({ firstName, lastName }) => `${firstName} ${lastName}`)
      .filter((name) => name !== "Pat Example");
    expect(names).toEqual(["Anna Bell", "Émile Roy", "Ève Alder", "Eve Stone", "Łucja Zalewska", "Zoe Hill"]);
  });

  it("in the table of customers", async () => {
    const names = [...fullNames, "Room 9", "Room 10"].sort((a, b) =>
      a.localeCompare(b, "en", { numeric: true }),
    );
    for (const name of [...names].reverse()) await call("/api/customer", { token, json: { name } });
    expect(await listed("/admin/customers?sort=name&dir=asc")).toEqual(names);
  });
});

describe("names that were stored without a key", () => {
  const row = (id: string, name: string) => ({ id, name, name_key: name.toLowerCase() });
  const times = { created_at: 1, updated_at: 1 };
  const product = { ...times, price_cents: 100, category: "JEWELRY", shuffle: 1 };

  it("get one within 15 minutes, and are sorted by their letters before", async () => {
    await insert("products", [
      { ...row("b", "Éclat ring 10"), ...product },
      { ...row("a", "Éclat ring 9"), ...product },
      { ...row("c", "edelweiss pin"), ...product },
    ]);
    await insert("customers", [{ ...row("c", "Émile 2"), ...times, last_seen: 1, request_hash: "" }]);
    await insert("users", [
      {
        id: "u",
        email: "u@x.example",
        email_key: "u@x.example",
        first_name: "Éva",
        last_name: "9",
        password_hash: "",
        ...times,
      },
    ]);
    const inOrder = () => namesOf("/api/product/all?category=JEWELRY&sort=name-asc");
    expect(await inOrder()).toEqual(["edelweiss pin", "Éclat ring 10", "Éclat ring 9"]);
    await watch(env);
    expect(await inOrder()).toEqual(["Éclat ring 9", "Éclat ring 10", "edelweiss pin"]);
    expect(await keyOf("customers", "c")).toBe(sortKey("Émile 2"));
    expect(await keyOf("users", "u")).toBe(sortKey("Éva 9"));
    expect(await completeSortKeys(env)).toBe(0);
  });

  it("get theirs after a write of the name alone", async () => {
    await env.DB.batch([
      env.DB.prepare("UPDATE products SET name = 'Über ring', name_key = 'über ring' WHERE id = 'a'"),
      env.DB.prepare("UPDATE customers SET name = 'Øre', name_key = 'ore' WHERE id = 'c'"),
      env.DB.prepare("UPDATE users SET first_name = 'Łu' WHERE id = 'u'"),
    ]);
    expect([await keyOf("products", "a"), await keyOf("customers", "c"), await keyOf("users", "u")]).toEqual([
      "über ring ",
      "ore ",
      "Łu 9 ",
    ]);
    await completeSortKeys(env);
    expect([await keyOf("products", "a"), await keyOf("customers", "c"), await keyOf("users", "u")]).toEqual([
      "uber ring",
      "ore",
      "lu 19",
    ]);
  });
});
