import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { extractText, getDocumentProxy } from "unpdf";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { linkKey } from "~/session/tokens.server";
import { startChat } from "../support/chat";
import { admin, manager, person, problems } from "../support/people";
import { credit, registerForTax, type SaleAnswer, sold } from "../support/sales";
import { addProduct, call, insert } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
  await registerForTax("EMPORIA");
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Records a sale of one lamp. */
async function sale(fields: Record<string, unknown> = {}): Promise<SaleAnswer> {
  const productId = await addProduct({ name: "Walnut lamp", priceCents: 6400, category: "HOME_DECOR" });
  const [document] = await sold(token, { lines: [{ productId, quantity: 2, amount: 128 }], ...fields });
  if (!document) throw new Error("The sale has no document.");
  return document;
}

/** Reads the statuses of a receipt's page and PDF. */
async function statuses(id: string, by: { cookie?: string; token?: string } = {}, query = "") {
  const answers = await Promise.all(
    [`/receipts/${id}`, `/receipts/${id}.pdf`].map((path) => call(path + query, by)),
  );
  return answers.map(({ status }) => status);
}

/** Reads where the page of a receipt leads to ask about it. */
async function askedAt(path: string, by: { cookie?: string }): Promise<string> {
  const html = await (await call(path, by)).text();
  return /class="btn btn-talk" href="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
}

async function textOf(answer: Response): Promise<string[]> {
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: false });
  return text.map((page) => page.replaceAll(/\s+/g, " "));
}

describe("a receipt states the shop", () => {
  it("as it was when it was issued, on its page, in its PDF and in the back office", async () => {
    const settings = { name: "Maple & Oak", address: "1 Elm Street, Toronto", receiptText: "Thank you" };
    const by = (await admin()).token;
    expect((await call("/api/settings", { method: "PATCH", json: settings, token: by })).status).toBe(200);
    const { id } = await sale();
    await env.DB.prepare(
      `UPDATE shop_settings SET saved_at = unixepoch() + 60, version = version + 1, content = json_patch(content,
        '{"name": "Elm & Ash", "address": "2 Oak Street", "receiptText": "Come again"}')`,
    ).run();
    expect(await (await call("/terms")).text()).toContain("Elm &amp; Ash");
    const [pdf = ""] = await textOf(await call(`/receipts/${id}.pdf`, { token }));
    const [several = ""] = await textOf(await call(`/receipts.pdf?ids=${id}`, { token }));
    const pages = await Promise.all(
      [`/receipts/${id}`, `/admin/documents/${id}`].map(async (path) => (await call(path, { token })).text()),
    );
    for (const text of [pdf, several, ...pages]) {
      expect(text).toContain("1 Elm Street, Toronto");
      expect(text).not.toContain("Come again");
    }
    // The foot of a page states the shop of today.
    expect(pdf + several).not.toContain("2 Oak Street");
    expect(pdf).toContain("Maple & Oak");
    // A sale after the change, had a minute passed.
    await expect(env.DB.prepare("UPDATE earlier_settings SET until = unixepoch()").run()).rejects.toThrow(
      "final",
    );
    await env.DB.prepare("DROP TRIGGER earlier_settings_no_update").run();
    await env.DB.prepare("UPDATE earlier_settings SET until = until - 120").run();
    expect(await (await call(`/receipts/${id}`, { token })).text()).toContain("Come again");
  });
});

describe("a receipt is read", () => {
  it("by staff and the visitor of its chat; for anyone else there is none", async () => {
    const visitor = await startChat({ userName: "Ines" });
    const stranger = await startChat({ userName: "Noor" });
    const { id } = await sale({ chatId: visitor.chatId });
    expect(await statuses(id, { token })).toEqual([200, 200]);
    expect(await statuses(id, visitor)).toEqual([200, 200]);
    expect(await statuses(id, stranger)).toEqual([404, 404]);
    expect(await statuses(id, { token: (await person()).token })).toEqual([404, 404]);
    expect(await statuses(id)).toEqual([404, 404]);
    expect(await statuses("unknown", { token })).toEqual([404, 404]);
    expect(await (await call(`/receipts/${id}`, { token })).text()).toContain("/admin/documents/");
    expect(await (await call(`/receipts/${id}`, visitor)).text()).not.toContain("/admin/documents/");
  });

  it("by the account of its customer", async () => {
    const owner = await person();
    const customer = {
      id: "customer-1",
      name: "Ines",
      name_key: "ines",
      user_id: owner.id,
      request_hash: "",
    };
    await insert("customers", [{ ...customer, last_seen: 1, created_at: 1, updated_at: 1 }]);
    const { id } = await sale({ customerId: customer.id });
    expect(await statuses(id, { token: owner.token })).toEqual([200, 200]);
    expect(await statuses(id, { token: (await person()).token })).toEqual([404, 404]);
  });

  it("by a signed link until it expires; a link to something else opens nothing", async () => {
    const now = Math.floor(Date.now() / 1000);
    const [{ id }, other] = [await sale(), await sale()];
    const query = async (...[kind, of, expires]: [kind: "chat" | "receipt", of: string, expires: number]) =>
      `?key=${await linkKey(env.COOKIE_SECRET, kind, of, expires)}`;
    const valid = await query("receipt", id, now + 60);
    expect(await statuses(id, {}, valid)).toEqual([200, 200]);
    expect(await (await call(`/receipts/${id}${valid}`)).text()).toContain(`/receipts/${id}.pdf${valid}`);
    for (const rejected of [
      await query("receipt", id, now - 1),
      await query("receipt", other.id, now + 60),
      await query("chat", id, now + 60),
      `${valid}x`,
      valid.replace("?key=", "?key=z"),
      "?key=",
    ])
      expect(await statuses(id, {}, rejected), rejected).toEqual([404, 404]);
  });

  it("without being stored or indexed", async () => {
    const { id } = await sale();
    const [page, pdf] = [
      await call(`/receipts/${id}`, { token }),
      await call(`/receipts/${id}.pdf`, { token }),
    ];
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(await page.text()).toContain('<meta name="robots" content="noindex"/>');
    expect(pdf.headers.get("Cache-Control")).toBe("private, no-store");
    expect(pdf.headers.get("X-Robots-Tag")).toBe("noindex");
  });

  it("with a link that begins the question about it, in its chat or in one to come", async () => {
    const visitor = await startChat({ userName: "Ines" });
    const sold = await sale({ chatId: visitor.chatId });
    const answer = await credit(token, sold.id, { lines: [{ line: 1, quantity: 1 }], reason: "Too bright." });
    const note = (await answer.json()) as SaleAnswer;
    for (const [{ id, number }, title] of [
      [sold, "receipt"],
      [note, "credit note"],
    ] as const) {
      const to = await askedAt(`/receipts/${id}`, visitor);
      expect(to).toContain(`/chat/${visitor.chatId}?`);
      expect(await (await call(to, visitor)).text()).toContain(`>About ${title} ${number}: </textarea>`);
    }
    const { id, number } = await sale();
    const key = await linkKey(env.COOKIE_SECRET, "receipt", id, Math.floor(Date.now() / 1000) + 60);
    const to = await askedAt(`/receipts/${id}?key=${key}`, {});
    expect(await (await call(to)).text()).toContain(`>About receipt ${number}: </textarea>`);
    const page = await (await call(`/chat/${visitor.chatId}?document=Send+money`, visitor)).text();
    expect(page).toContain("</textarea>");
    expect(page).not.toContain("Send money");
  });

  it("with a link to the corrected sale, and a note on the sale about what was taken back", async () => {
    const visitor = await startChat({ userName: "Ines" });
    const { id, number } = await sale({ chatId: visitor.chatId });
    const answer = await credit(token, id, { lines: [{ line: 1, quantity: 1 }], reason: "Too bright." });
    const note = (await answer.json()) as SaleAnswer;
    const page = await (await call(`/receipts/${note.id}`, visitor)).text();
    expect(page).toContain("Credit note");
    expect(page).toContain(`href="/receipts/${id}"`);
    expect(page).toContain(number);
    expect(page).toContain("Too bright.");
    expect(await (await call(`/receipts/${id}`, visitor)).text()).toContain(
      "Taken back later: 1 × Walnut lamp",
    );
  });
});

describe("a receipt's PDF", () => {
  it("states the sale, with the same bytes each time", async () => {
    const { id, number } = await sale({ customerName: "Zoë Łukasz Ёлка Ωmega", paymentMode: "CARD" });
    const [page = ""] = await textOf(await call(`/receipts/${id}.pdf`, { token }));
    for (const text of [
      number,
      "HST 12345 6789 RT0001",
      "Walnut lamp 2 $64.00 $128.00",
      "Total $128.00",
      "Paid, card",
    ])
      expect(page).toContain(text);
    expect(page).toContain("Zoë Łukasz Ёлка Ωmega");
    const bytes = async () => Buffer.from(await (await call(`/receipts/${id}.pdf`, { token })).arrayBuffer());
    expect((await bytes()).equals(await bytes())).toBe(true);
  });

  it("holds emoji, Arabic and 500 letters", async () => {
    const lines = ["👩‍👩‍👧 🎁", "مرحبا بالعالم", "Ж".repeat(500), "🎁".repeat(250)].map((description) => ({
      description,
      category: "OTHERS",
      quantity: 1,
      amount: 5,
    }));
    const { id } = await sale({ customerName: "محمد 🎁", lines });
    const pages = (await textOf(await call(`/receipts/${id}.pdf`, { token }))).join(" ");
    expect(pages.match(/Ж/g)).toHaveLength(500);
    expect((await call(`/receipts/${id}`, { token })).status).toBe(200);
  });

  it("of several documents has them in the order of the ids, for staff only", async () => {
    const [first, second] = [await sale(), await sale()];
    const path = `/receipts.pdf?ids=${second.id},${first.id},${second.id}`;
    const pages = await textOf(await call(path, { token }));
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain(second.number);
    expect(pages[1]).toContain(first.number);
    expect((await call(path)).headers.get("Location")).toMatch(/^\/login/);
    const { token: customer } = await person();
    expect((await call(path, { token: customer })).headers.get("Location")).toBe("/unauthorized");
    expect((await call("/receipts.pdf", { token })).status).toBe(400);
    expect((await call(`/receipts.pdf?ids=${"x,".repeat(101)}`, { token })).status).toBe(404);
    expect((await call(`/receipts.pdf?ids=${first.id},unknown`, { token })).status).toBe(404);
    const many = Array.from({ length: 101 }, (_, i) => `id-${i}`).join();
    expect((await call(`/receipts.pdf?ids=${many}`, { token })).status).toBe(400);
  });
});

describe("POST sale/{id}/mail", () => {
  /** Records the mails instead of sending them. */
  function mailbox() {
    const sent = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
    return () =>
      sent.mock.calls.map(([message]) => message as unknown as { to: string; "EmailMessage::raw": string });
  }
  const send = (id: string, json: Record<string, unknown> = {}, by = { token }) =>
    call(`/api/sale/${id}/mail`, { json, ...by });

  it("sends a link that opens the receipt, to the address that the visitor left", async () => {
    const mails = mailbox();
    const chat = await startChat({ userName: "Ines", userEmail: "ines@mail.example" });
    const { id, number } = await sale({ chatId: chat.chatId });
    const answer = await send(id);
    expect([answer.status, await answer.json()]).toEqual([200, { to: "ines@mail.example", isSent: true }]);
    const [mail] = mails();
    expect(mail?.to).toBe("ines@mail.example");
    expect(mail?.["EmailMessage::raw"]).toContain(`${number}: $128.00.`);
    const [, key = ""] = /\/receipts\/[\w-]+\?key=([\w.-]+)\r/.exec(mail?.["EmailMessage::raw"] ?? "") ?? [];
    expect(await statuses(id, {}, `?key=${key}`)).toEqual([200, 200]);
  });

  it("sends to the present address of the account that wrote", async () => {
    const mails = mailbox();
    const owner = await person();
    const chat = await startChat({}, { token: owner.token });
    const { id } = await sale({ chatId: chat.chatId });
    const email = "moved@mail.example";
    expect((await call(`/api/user/${owner.id}`, { method: "PUT", json: { email }, token })).status).toBe(200);
    expect((await send(id)).status).toBe(200);
    expect(mails().at(-1)?.to).toBe(email);
  });

  it("sends to another address when asked, and asks for one when nobody left any", async () => {
    const mails = mailbox();
    const { id } = await sale();
    expect(await problems(await send(id))).toEqual(["to: Enter an email address"]);
    expect(await problems(await send(id, { to: "nobody" }))).toEqual([
      "to: Please enter a valid email address",
    ]);
    expect(mails()).toEqual([]);
    expect((await send(id, { to: "ann@mail.example" })).status).toBe(200);
    expect(mails().map(({ to }) => to)).toEqual(["ann@mail.example"]);
  });

  it("is for staff, of known documents", async () => {
    const { id } = await sale();
    expect((await call(`/api/sale/${id}/mail`, { json: {} })).status).toBe(401);
    expect((await send(id, {}, { token: (await person()).token })).status).toBe(403);
    expect((await send("unknown", { to: "ann@mail.example" })).status).toBe(404);
  });

  it("keeps a mail that the mail server refuses, and sends it by the alarm", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const refused = vi.spyOn(env.MAIL, "send").mockRejectedValue(new Error("450"));
    const { id } = await sale();
    const answer = await send(id, { to: "ann@mail.example" });
    expect([answer.status, await answer.json()]).toEqual([200, { to: "ann@mail.example", isSent: false }]);
    const history = async () => (await call(`/admin/documents/${id}`, { token })).text();
    expect(await history()).toContain("Mail to ann@mail.example waits, tried once");
    refused.mockRestore();
    const mails = mailbox();
    await env.DB.exec("UPDATE sale_outbox SET due_at = 0 WHERE done_at IS NULL");
    expect(await runDurableObjectAlarm(env.ADMIN_ROOM.getByName("admin"))).toBe(true);
    expect(mails().map(({ to }) => to)).toEqual(["ann@mail.example"]);
    expect(await history()).toContain("Mailed to ann@mail.example by");
    await runDurableObjectAlarm(env.ADMIN_ROOM.getByName("admin"));
    expect(mails()).toHaveLength(1);
  });

  it("stands in the document's history by time, below a later credit note", async () => {
    const { id } = await sale();
    await send(id, { to: "ann@mail.example" });
    await env.DB.exec("UPDATE sale_outbox SET done_at = done_at - 60");
    expect((await call(`/api/sale/${id}/credit`, { token, json: { paymentMode: "CARD" } })).status).toBe(201);
    const page = await (await call(`/admin/documents/${id}`, { token })).text();
    const history = page.slice(page.indexOf('id="history-title"'));
    expect(history.indexOf("credited by")).toBeGreaterThan(0);
    expect(history.indexOf("Mailed to")).toBeGreaterThan(history.indexOf("credited by"));
  });

  it("mails once for an id, also for 10 requests at once; with another address it is a 409", async () => {
    const mails = mailbox();
    const { id } = await sale();
    const request = { to: "ann@mail.example", mailId: "mail-1" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(id, request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(mails()).toHaveLength(1);
    expect((await send(id, { ...request, to: "bob@mail.example" })).status).toBe(409);
  });
});
