import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { completeSearchForms } from "~/features/health/search-forms.server";
import { watch } from "../../workers/nightly";
import { startChat } from "../support/chat";
import { admin, manager } from "../support/people";
import { importFile } from "../support/product-import";
import { json, sold } from "../support/sales";
import { addUser, call } from "../support/shop";

let token: string;
let adminToken: string;
let number: string;

beforeAll(async () => {
  ({ token } = await manager());
  adminToken = (await admin()).token;
  const lines = [{ description: "Plaque for the O’Briens", quantity: 1, amount: 5 }];
  const [document] = await sold(token, { customerName: "Siobhán O’Brien", lines });
  number = document?.number ?? "";
  for (const name of ["Siobhán O’Brien", "Łukasz Wójcik", "Émile Roy", "Eve Stone", "Zoe Hill"])
    await call("/api/customer", { token, json: { name } });
});

const found = async (path: string, q: string) => {
  const answer = await call(`/api/${path}?${new URLSearchParams({ q })}`, { token });
  expect(answer.status, q).toBe(200);
  return (await json<unknown[]>(answer)).length;
};

describe("searches", () => {
  it.each(["O'Brien", "o’brien", "OʼBRIEN", "OBrien", "o brien", "Siobhan obrien", "siobhan", "Siobhán O'B"])(
    "%s finds Siobhán O’Brien in customers and sales",
    async (q) => {
      expect(await found("customer", q)).toBeGreaterThan(0);
      expect(await found("sale", q)).toBe(1);
    },
  );

  it("find letters that keyboards lack, and the ledger's entries", async () => {
    expect(await found("customer", "lukasz wojcik")).toBe(1);
    expect(await found("customer", "Łukasz")).toBe(1);
    const html = await (await call("/admin/invoices-management?q=o'briens", { token })).text();
    expect(html).toContain("Plaque for the O’Briens");
  });

  it("find users, chats and products by letters that keyboards lack, and forms of apostrophes", async () => {
    await addUser({
      id: "siri",
      firstName: "Siri",
      lastName: "Łodzińska-O’Hara",
      email: "siri@mail.example",
    });
    const chat = await startChat({ userName: "Øystein", initialMessage: "Grüße aus Gießen – it’s urgent" });
    const product = { price: 9, category: "OTHERS", stock: 3 };
    await call("/api/product", { token, json: { name: "Smørrebrød Straßen-Tray", ...product } });
    const screen = async (path: string) => (await call(path, { token: adminToken })).text();
    for (const q of ["lodzinska", "ŁODZIŃSKA", "o'hara", "lodzinska‑o’hara", "ło"])
      expect(await screen(`/admin/users-management?q=${encodeURIComponent(q)}`), q).toContain(
        "siri@mail.example",
      );
    for (const q of [
      "oystein",
      "Øystein",
      "øy",
      "giessen",
      "Gießen",
      "grusse",
      "it's urgent",
      "giessen - it",
    ])
      expect(await screen(`/admin/chat?q=${encodeURIComponent(q)}`), q).toContain(chat.chatId);
    for (const q of ["smorrebrod", "Smørrebrød", "ørrebr", "strassen tray", "straßen-tray", "orrebr"]) {
      expect(await screen(`/admin/products-management?q=${encodeURIComponent(q)}`), q).toContain(
        ">Smørrebrød",
      );
    }
    for (const q of ["smorrebrod", "SMØRREBRØD tray", "strassen"])
      for (const path of ["/shop?search=", "/admin/inventory-management?q="])
        expect(await screen(path + encodeURIComponent(q)), q).toContain("Smørrebrød Straßen-Tray");
  });

  it("follow edits and deletions of chats", async () => {
    const { chatId } = await startChat({ userName: "Åse Œuvre", initialMessage: "Næste uke?" });
    const listed = async (q: string) =>
      (await (await call(`/admin/chat?q=${q}`, { token })).text()).includes(chatId);
    expect([await listed("ase oeuvre"), await listed("naeste")]).toEqual([true, true]);
    await env.DB.prepare("UPDATE chats SET user_name = 'Bjørn' WHERE id = ?").bind(chatId).run();
    expect([await listed("oeuvre"), await listed("bjorn"), await listed("bj")]).toEqual([false, true, true]);
    await env.DB.prepare("DELETE FROM chat_texts WHERE chat_id = ?").bind(chatId).run();
    await env.DB.prepare("INSERT INTO chat_search (chat_search) VALUES ('integrity-check')").run();
    expect(await listed("bjorn")).toBe(false);
  });

  it("follow what the version before writes into a chat that has a form", async () => {
    const { chatId } = await startChat({ initialMessage: "Thanks 👍" });
    const listed = async (q: string) =>
      (await (await call(`/admin/chat?q=${q}`, { token })).text()).includes(chatId);
    expect(await listed("thanks")).toBe(true);
    await env.DB.prepare("UPDATE chat_texts SET text = ? WHERE chat_id = ? AND text <> ?1")
      .bind("My parcel number is order5588, 国际运费 👍", chatId)
      .run();
    await env.DB.prepare("INSERT INTO chat_search (chat_search) VALUES ('integrity-check')").run();
    expect([await listed("order5588"), await listed("thanks")]).toEqual([true, false]);
    await completeSearchForms(env);
    expect([await listed("order5588"), await listed("运费")]).toEqual([true, true]);
    await env.DB.prepare("INSERT INTO chat_search (chat_search) VALUES ('integrity-check')").run();
  });

  it("find sales, invoices and customers whatever key was typed as an apostrophe", async () => {
    const lines = [{ description: "Sign for D´Arcy", quantity: 1, amount: 5 }];
    await sold(token, { customerName: "Tim O´Leary", lines });
    await call("/api/customer", { token, json: { name: "Tim O´Leary" } });
    for (const q of ["O'Leary", "O´Leary", "o`leary", "O＇LEARY"]) {
      expect(await found("sale", q), q).toBe(1);
      expect(await found("customer", q), q).toBe(1);
    }
    for (const q of ["d'arcy", "D´Arcy"]) {
      expect(await found("sale", q), q).toBe(1);
      const html = await (
        await call(`/admin/invoices-management?q=${encodeURIComponent(q)}`, { token })
      ).text();
      expect(html, q).toContain("Sign for D´Arcy");
    }
  });

  it("ignore a # before a number", async () => {
    expect(await found("sale", `#${number}`)).toBe(1);
    expect(await found("sale", `# ${number.toLowerCase()}`)).toBe(1);
  });

  it("list names in the order of their letters", async () => {
    const html = await (await call("/admin/customers?sort=name&dir=asc", { token })).text();
    const places = ["Émile Roy", "Eve Stone", "Łukasz Wójcik", "Zoe Hill"].map((name) => html.indexOf(name));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });
});

describe("texts in other forms, and in scripts without spaces", () => {
  const NAMES = ["ﬁne ＡＢＣ kit", "Ｔシャツ", "国际运费 测试", "กระเป๋าหนังแท้", "Ωμέγα watch", "Gift🎁box"];
  const QUERIES = [
    ["fine abc", 0],
    ["ABC", 0],
    ["ｆｉｎｅ", 0],
    ["Tシャツ", 1],
    ["ｼｬﾂ", 1],
    ["运费", 2],
    ["国际", 2],
    ["หนัง", 3],
    ["ωμεγα", 4],
    ["gift", 5],
    ["box", 5],
  ] as const;
  const screen = async (path: string) => (await call(path, { token: adminToken })).text();
  const listed = async (path: string, q: string) => screen(path + encodeURIComponent(q));

  beforeAll(async () => {
    const product = { price: 9, category: "OTHERS", stock: 3 };
    for (const name of NAMES)
      expect((await call("/api/product", { token, json: { name: `${name} zz`, ...product } })).status).toBe(
        201,
      );
  });

  it.each(QUERIES)("products are found by %s", async (q, at) => {
    for (const path of ["/shop?search=", "/admin/inventory-management?q=", "/admin/products-management?q="])
      expect(await listed(path, q), path).toContain(`${NAMES[at]} zz`);
  });

  it("products are found by a description and a color", async () => {
    const plain = { price: 9, category: "OTHERS", stock: 3 };
    const json = {
      name: "Plain thing",
      description: "<p>免费送货 ﬂower</p>",
      colors: ["ＲＥＤ", "深红色"],
      ...plain,
    };
    await call("/api/product", { token, json });
    for (const q of ["送货", "flower", "red"])
      expect(await listed("/shop?search=", q), q).toContain("Plain thing");
  });

  it("a word is no part of another one", async () => {
    expect(await listed("/shop?search=", "际运")).not.toContain("国际运费 测试 zz");
  });

  it("a renamed product follows its name", async () => {
    const { id } = await json<{ id: string }>(
      await call("/api/product", {
        token,
        json: { name: "ﬁrst name", price: 9, category: "OTHERS", stock: 3 },
      }),
    );
    const change = (name: string) => call(`/api/product/${id}`, { method: "PUT", token, json: { name } });
    expect((await change("运动鞋 xy")).status).toBe(200);
    expect(await listed("/shop?search=", "first")).not.toContain(id);
    expect(await listed("/shop?search=", "运动鞋")).toContain("运动鞋 xy");
    await change("Plain shoe");
    expect(await listed("/shop?search=", "运动鞋")).not.toContain("Plain shoe");
    expect(await listed("/shop?search=", "plain shoe")).toContain("Plain shoe");
  });

  it("products of a file are found, new and changed ones", async () => {
    const file = (...rows: string[]) =>
      importFile(token, ["name,price,category,stock,colors,description", ...rows].join("\n"));
    await file("ﬂat 雨伞,9,OTHERS,1,ＢＬＵＥ,折叠雨具");
    for (const q of ["flat", "雨伞", "blue", "雨具"])
      expect(await listed("/shop?search=", q), q).toContain("ﬂat 雨伞");
    await file("ﬂat 雨伞,,,,深绿色,自动开合");
    for (const q of ["flat", "雨伞", "自动", "深绿色"])
      expect(await listed("/shop?search=", q), q).toContain("ﬂat 雨伞");
    for (const q of ["blue", "雨具"]) expect(await listed("/shop?search=", q), q).not.toContain("ﬂat 雨伞");
  });

  it("a change of the letters' case alone leaves names found", async () => {
    const { id } = await json<{ id: string }>(
      await call("/api/product", {
        token,
        json: { name: "ﬂute 笛子 ab", colors: ["ｒed"], price: 9, category: "OTHERS", stock: 3 },
      }),
    );
    for (const name of ["ﬂute 笛子 AB", "ﬂute 笛子 Ab"]) {
      const json = { name, colors: ["ｒED"] };
      expect((await call(`/api/product/${id}`, { method: "PUT", token, json })).status).toBe(200);
      for (const q of ["flute", "笛子", "red"]) expect(await listed("/shop?search=", q), q).toContain(name);
    }
    await importFile(token, "name,price,category,stock,colors\nﬂute 笛子 Ab,9,OTHERS,3,ｒEd");
    expect(await listed("/shop?search=", "red")).toContain("ﬂute 笛子 Ab");
    const person = await addUser({ firstName: "ﬁa", lastName: "北川", email: "fia@mail.example" });
    for (const lastName of ["北川A", "北川a"]) {
      const edit = { firstName: "ﬁa", lastName };
      const answer = await call(`/api/user/${person.id}`, { method: "PUT", token: adminToken, json: edit });
      expect(answer.status).toBe(200);
      for (const q of ["fia", "北川"])
        expect(await listed("/admin/users-management?q=", q), q).toContain("fia@mail.example");
    }
  });

  it("names with an apostrophe are found without it", async () => {
    await call("/api/product", {
      token,
      json: { name: "Quill O’Leary l'étoile", price: 9, category: "OTHERS", stock: 3 },
    });
    await call("/api/product", {
      token,
      json: { name: "Lamp ŉaty", price: 9, category: "OTHERS", stock: 3 },
    });
    await addUser({ firstName: "Kai", lastName: "O'Leary", email: "kai@mail.example" });
    const { chatId } = await startChat({ userName: "Ann O’Leary", initialMessage: "Hello" });
    for (const q of ["oleary", "o leary", "O'Leary"]) {
      for (const path of ["/shop?search=", "/admin/inventory-management?q=", "/admin/products-management?q="])
        expect(await listed(path, q), path + q).toContain("Quill O’Leary");
      expect(await listed("/admin/users-management?q=", q), q).toContain("kai@mail.example");
      expect(await listed("/admin/chat?q=", q), q).toContain(chatId);
    }
    expect(await listed("/shop?search=", "letoile")).toContain("Quill O’Leary");
    for (const path of ["/shop?search=", "/admin/inventory-management?q="])
      expect(await listed(path, "naty"), path).toContain("Lamp ŉaty");
  });

  it("users, customers and chats are found", async () => {
    await addUser({ id: "wang", firstName: "王", lastName: "小明", email: "wang@mail.example" });
    const { chatId } = await startChat({
      userName: "李ﬁona",
      initialMessage: "请问国际运费多少？ ＨＥＬＬＯ",
    });
    for (const q of ["fiona", "运费", "hello", "国际运费", "李ﬁ"]) {
      expect(await screen(`/admin/chat?q=${encodeURIComponent(q)}`), q).toContain(chatId);
    }
    await call("/api/customer", { token, json: { name: "佐藤花子 Ｌtd" } });
    for (const q of ["花子", "ltd", "佐藤"]) expect(await found("customer", q), q).toBe(1);
  });

  it("texts that SQL alone has written are found within 15 minutes", async () => {
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE products SET name = '水杯 套装', name_key = '水杯 套装' WHERE name = 'Ｔシャツ zz'",
      ),
      env.DB.prepare("UPDATE users SET first_name = 'ﬂora' WHERE id = 'wang'"),
      env.DB.prepare("UPDATE chat_texts SET text = '保温水杯', search_text = NULL"),
      env.DB.prepare(
        "UPDATE customers SET name_key = '佐藤花子 ｌtd', sort_key = 'x ' WHERE name LIKE '佐藤%'",
      ),
    ]);
    expect(await listed("/shop?search=", "シャツ")).not.toContain("水杯 套装");
    await watch(env);
    expect(await listed("/shop?search=", "套装")).toContain("水杯 套装");
    expect(await listed("/admin/users-management?q=", "flora")).toContain("wang@mail.example");
    expect(await found("customer", "花子")).toBe(1);
    expect(await found("chat", "水杯")).toBeGreaterThan(0);
    expect(await completeSearchForms(env)).toBe(0);
    for (const table of ["chat_search", "chat_starts"])
      await env.DB.prepare(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`).run();
  });
});

it("finds customers that were stored before names were folded", async () => {
  const { MIGRATIONS } = env as Env & { MIGRATIONS: D1Migration[] };
  await call("/api/customer", { token, json: { id: "old", name: "Łucja Ødegård" } });
  await env.DB.prepare("UPDATE customers SET name_key = 'łucja ødegård d’arc' WHERE id = 'old'").run();
  expect(await found("customer", "lucja odegard")).toBe(0);
  for (const query of MIGRATIONS.find(({ name }) => name.startsWith("0046"))?.queries ?? [])
    await env.DB.prepare(query).run();
  expect(await found("customer", "lucja odegard d'arc")).toBe(1);
});

describe("invisible marks", () => {
  it("are dropped from names, addresses and phone numbers", async () => {
    const sent = {
      name: "\ufeffAna\u00ad Sol\u200b",
      email: "ana\u200b@mail.example",
      phoneNumber: "\u202a+1 416\u200d 555\ufe0f\u3164 0100\u202c",
    };
    const answer = await call("/api/customer", { token, json: { id: "ana", ...sent } });
    expect(answer.status).toBe(201);
    const stored = await json<Record<string, unknown>>(await call("/api/customer/ana", { token }));
    expect(stored).toMatchObject({
      name: "Ana Sol",
      email: "ana@mail.example",
      phoneNumber: "+1 416 555 0100",
    });
  });

  it("are dropped at sign-in", async () => {
    const { email, password } = await addUser();
    const answer = await call("/api/auth/login", { json: { email: `\u200b${email}\ufeff`, password } });
    expect(answer.status).toBe(200);
  });
});
