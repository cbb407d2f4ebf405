import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { messagesOf, startChat } from "../support/chat";
import { press } from "../support/forms";
import { catchMails, sentMails } from "../support/mails";
import { admin, manager, person } from "../support/people";
import { json, registerForTax, sold } from "../support/sales";
import { call } from "../support/shop";

let token: string;
let owner: string;
beforeAll(async () => {
  [{ token }, { token: owner }] = [await manager(), await admin()];
});

afterEach(() => env.DB.prepare("DELETE FROM business_settings").run());

interface Taken {
  quoteId: string;
  chatId: string;
  cookie: string;
  deposit: { id: string; number: string };
}

/** Accepts a quote of $70.00 for Ines in a chat, and takes $30.00. */
async function depositOf(more: object = {}): Promise<Taken> {
  const { chatId, cookie } = await startChat({ userName: "Ines", initialMessage: "A pen, engraved?" });
  const customer = { name: "Ines Roy", email: "ines@mail.example", chatId };
  expect((await call("/api/customer", { token, json: customer })).status).toBe(201);
  const lines = [{ description: "Pen", quantity: 1, amount: 70 }];
  const quote = { chatId, title: "Pen", lines };
  const { id: quoteId } = await json<{ id: string }>(call("/api/quote", { token, json: quote }));
  const payment = { amount: 30, mode: "CARD", accept: true, ...more };
  const taken = await call(`/api/quote/${quoteId}/payment`, { token, json: payment });
  expect(taken.status).toBe(201);
  return { quoteId, chatId, cookie, deposit: await json<Taken["deposit"]>(taken) };
}

const page = async (path: string, by: { token?: string; cookie?: string } = { token }) =>
  (await call(path, by)).text();

describe("a deposit's receipt", () => {
  it("keeps the customer's name and the shop of its time, also when it is dated back", async () => {
    const shop = { address: "1 Elm Street, Toronto" };
    expect((await call("/api/settings", { method: "PATCH", json: shop, token: owner })).status).toBe(200);
    const { deposit, chatId } = await depositOf({ createdAt: "2026-01-05" });
    const [customer] = (
      await env.DB.prepare("SELECT customer_id AS id FROM chat_customers WHERE chat_id = ?")
        .bind(chatId)
        .all<{ id: string }>()
    ).results;
    const renamed = { name: "Ines Moreau" };
    const path = `/api/customer/${customer?.id}`;
    expect((await call(path, { method: "PATCH", json: renamed, token })).status).toBe(200);
    await env.DB.prepare(
      `UPDATE shop_settings SET saved_at = unixepoch() + 60, version = version + 1,
        content = json_patch(content, '{"address": "2 Oak Street"}')`,
    ).run();
    const html = await page(`/receipts/deposit/${deposit.id}`);
    expect(html).toContain("Ines Roy");
    expect(html).not.toContain("Ines Moreau");
    expect(html).toContain("1 Elm Street, Toronto");
  });

  it("keeps the name for ever, unless it is emptied", async () => {
    const { deposit } = await depositOf();
    const set = (name: string) =>
      env.DB.prepare("UPDATE payments SET customer_name = ? WHERE id = ?").bind(name, deposit.id).run();
    await expect(set("Mia")).rejects.toThrow("payments: final");
    await set("");
    await expect(set("Ines Roy")).rejects.toThrow("payments: final");
  });

  it("is mailed, with a link that opens it and nothing else", async () => {
    const { deposit } = await depositOf();
    const caught = catchMails();
    const mail = { to: "boss@mail.example", mailId: `mail-${deposit.id}` };
    for (let times = 0; times < 2; times += 1) {
      const sent = await call(`/api/sale/${deposit.id}/mail`, { token, json: mail });
      expect([sent.status, await sent.json()]).toEqual([200, { to: mail.to, isSent: true }]);
    }
    expect(sentMails(caught).map(({ to }) => to)).toEqual([mail.to]);
    const { raw: text } = sentMails(caught)[0] ?? { raw: "" };
    expect(text).toContain(`${deposit.number}: $30.00.`);
    const [, path = ""] = /(\/receipts\/deposit\/[\w-]+\?key=[\w.-]+)\r/.exec(text) ?? [];
    const stranger = { token: (await person()).token };
    expect((await call(path, stranger)).status).toBe(200);
    const [pdf] = /\/receipts\/deposit\/[\w-]+\.pdf\?key=[\w.-]+/.exec(await page(path, stranger)) ?? [];
    expect((await call(pdf ?? "", stranger)).headers.get("Content-Type")).toBe("application/pdf");
    const [, key] = path.split("?");
    const [other] = await sold(token, {
      lines: [{ description: "Ink", category: "OTHERS", quantity: 1, amount: 5 }],
    });
    for (const foreign of [
      `/receipts/deposit/x${deposit.id}`,
      `/receipts/${other?.id}`,
      `/receipts/${deposit.id}`,
    ])
      expect((await call(`${foreign}?${key}`, stranger)).status).toBe(404);
    expect((await call(`/receipts/deposit/${deposit.id}`, stranger)).status).toBe(404);
  });

  it("is mailed from the form that takes it, once", async () => {
    const { quoteId } = await depositOf();
    const caught = catchMails();
    const html = await page(`/admin/sales/deposit?quote=${quoteId}`);
    expect(html).toContain("The customer left ines@mail.example.");
    const fields = { amount: "10", mode: "CASH", mailTo: "ines@mail.example" };
    for (let times = 0; times < 2; times += 1)
      expect((await press(html, /^Take deposit/, fields, { token })).status).toBe(303);
    expect(sentMails(caught).map(({ to }) => to)).toEqual(["ines@mail.example"]);
    const other = { ...fields, mailTo: "ines@work.example" };
    expect((await press(html, /^Take deposit/, other, { token })).status).toBe(303);
    expect(sentMails(caught).map(({ to }) => to)).toEqual(["ines@mail.example", "ines@work.example"]);
    const wrong = await press(html, /^Take deposit/, { ...fields, mailTo: "ines@" }, { token });
    expect(wrong.status).toBe(400);
  });
});

describe("a tax that the sale will add", () => {
  it("is named in the message, the form and the amount of Record sale", async () => {
    await registerForTax("LASER", false);
    const { deposit, quoteId, chatId, cookie } = await depositOf();
    const texts = (await messagesOf(chatId, { cookie })).map(({ message }) => message);
    expect(texts).toContain(`Deposit ${deposit.number}: $30.00 paid, $40.00 to pay before HST`);
    expect(await page(`/admin/sales/deposit?quote=${quoteId}`)).toContain("Left to pay, before HST");
    const console = await page(`/admin/chat?chat=${chatId}`);
    expect(console).toContain("$49.10 to pay");
  });
});
