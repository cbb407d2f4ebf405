import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { admin, manager } from "../support/people";
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
  it.each(["O'Brien", "o’brien", "OʼBRIEN", "siobhan", "Siobhán O'B"])(
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
      phoneNumber: "\u202a+1 416 555 0100\u202c",
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
