import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { rowWritten, startChat } from "../support/chat";
import { CookieJar } from "../support/cookie-jar";
import { costOf } from "../support/cost";
import { press } from "../support/forms";
import { admin, from, person } from "../support/people";
import { credit, hold, json, sold } from "../support/sales";
import { addProduct, addUser, call, insert } from "../support/shop";

type By = { cookie?: string; token?: string };

let boss: { token: string };

beforeAll(async () => {
  boss = await admin();
});

const page = async (by: By, query = "") => (await call(`/purchases${query}`, by)).text();

/** Reads the text of HTML. */
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** Lists the rows of the page, as they are read. */
const rows = async (by: By, query = "") =>
  [...(await page(by, query)).matchAll(/<li><span class="purchase-picture".*?<\/li>/gs)].map(([row]) =>
    textOf(row),
  );

/** Buys a lamp in a chat. @returns the receipt */
async function bought(fields: Record<string, unknown>, name = "Walnut lamp") {
  const productId = await addProduct({ name, priceCents: 6400, stock: 9 });
  const [document] = await sold(boss.token, { lines: [{ productId, quantity: 1, amount: 64 }], ...fields });
  if (!document) throw new Error("The sale has no document.");
  return document;
}

async function quoted(chatId: string, title: string): Promise<string> {
  const lines = [{ description: title, quantity: 1, amount: 92 }];
  const fields = { chatId, title, lines, readyBy: "2099-01-31" };
  return (await json<{ id: string }>(call("/api/quote", { ...boss, json: fields }))).id;
}

/** Stores the customer of an account. */
async function customerOf(userId: string): Promise<string> {
  const id = `customer-${userId}`;
  const rest = { request_hash: "", last_seen: 1, created_at: 1, updated_at: 1 };
  await insert("customers", [{ id, name: "Ines", name_key: "ines", user_id: userId, ...rest }]);
  return id;
}

describe("My purchases of an anonymous visitor", () => {
  it("list quotes, accepted ones with what is left to pay, holds and receipts, each with its acts", async () => {
    const visitor = await startChat({ userName: "Ines", initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    const open = await quoted(chatId, "Slate coasters");
    const accepted = await quoted(chatId, "Serving board");
    await call(`/api/quote/${accepted}/payment`, {
      ...boss,
      json: { amount: 40, mode: "EMT", accept: true },
    });
    const productId = await addProduct({ name: "Terrazzo case", priceCents: 2700, stock: 3 });
    await hold(boss.token, { chatId, lines: [{ productId, quantity: 2 }] });
    const receipt = await bought({ chatId });
    const [quote, order, held, ...receipts] = await rows(visitor);
    expect(quote).toMatch(
      /Slate coasters.*Ready Saturday 31st Jan if you accept.*Waits for you until .*\$92\.00.*Accept.*Decline.*Ask about it/,
    );
    expect(order).toMatch(
      /Serving board.*Accepted.*Ready Saturday 31st Jan.*Deposit paid.*−\$40\.00.*Left to pay.*\$52\.00.*\$92\.00/,
    );
    expect(held).toMatch(
      /2 × Terrazzo case.*nothing is charged.*Until .*\$54\.00.*Ask to keep it longer.*Let it go/,
    );
    expect(receipts).toEqual([
      expect.stringMatching(/Walnut lamp.*E-\d{4}-\d{6}, .*\$64\.00.*card.*Open.*PDF.*Ask about it/),
      expect.stringMatching(/Deposit, Serving board.*LD-\d{4}-\d{6}.*No sale yet.*\$40\.00.*e-transfer/),
    ]);
    const html = await page(visitor);
    expect(html).toContain(`href="/receipts/${receipt.id}.pdf"`);
    expect(html).toContain(`href="/chat/${chatId}#quote-${open}"`);
  });

  it("show the picture of the colour or the unit, in holds, quotes and receipts", async () => {
    const visitor = await startChat({ userName: "Ines", initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    const pictures = {
      imageUrls: ["minio:all.webp", "minio:clay.webp"],
      imageAlts: ["Moss and sand", "Clay"],
    };
    const productId = await addProduct({ name: "Case", stock: 9, colors: ["Moss", "Clay"], ...pictures });
    const line = { productId, quantity: 1 };
    await hold(boss.token, { chatId, lines: [{ ...line, description: "Clay" }] });
    const lines = [{ unitId: productId, description: "Case (Clay)", quantity: 1, amount: 24 }];
    const quote = { ...boss, json: { chatId, title: "A case", lines } };
    expect((await call("/api/quote", quote)).status).toBe(201);
    await sold(boss.token, { chatId, lines: [{ ...line, description: "Case (Moss)", amount: 24 }] });
    const shown = [...(await page(visitor)).matchAll(/purchase-picture.*?<\/li>/gs)].map(([row]) => row);
    const named = shown.map((row) => /(?:all|clay)\.webp/.exec(row)?.[0]);
    expect(named).toEqual(["clay.webp", "clay.webp", "all.webp"]);
  });

  it("say what has become of a deposit, and that the sale will add a tax", async () => {
    const visitor = await startChat({ userName: "Ines", initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    const tax = {
      tax_number: "12345 6789 RT0001",
      tax_name: "HST",
      tax_rate: 1300,
      tax_included: 0,
      version: 1,
    };
    await insert("business_settings", [{ business_type: "LASER", ...tax }]);
    const id = await quoted(chatId, "Door sign");
    await call(`/api/quote/${id}/payment`, { ...boss, json: { amount: 40, mode: "EMT", accept: true } });
    expect((await rows(visitor)).join("\n")).toMatch(/Left to pay, before HST.*No sale yet/s);
    await env.DB.exec("DELETE FROM business_settings");
    expect((await rows(visitor)).join("\n")).not.toContain("before HST");
    const lines = [{ description: "Door sign", businessType: "LASER", quantity: 1, amount: 92 }];
    await sold(boss.token, { chatId, quoteId: id, lines });
    const after = (await rows(visitor)).join("\n");
    expect(after).toContain("Counts towards your receipt.");
    expect(after).not.toMatch(/No sale yet|Left to pay/);
  });

  it("list accepted quotes beside four open ones, and open ones behind expired ones", async () => {
    const visitor = await startChat({ userName: "Ines", initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    const accepted = await quoted(chatId, "Serving board");
    await call(`/api/quote/${accepted}/payment`, {
      ...boss,
      json: { amount: 40, mode: "EMT", accept: true },
    });
    await quoted(chatId, "Still open");
    for (let i = 0; i < 4; i++) {
      const expired = await quoted(chatId, `Expired ${i}`);
      await env.DB.prepare("UPDATE quotes SET valid_until = 1 WHERE id = ?").bind(expired).run();
    }
    expect((await rows(visitor)).join("\n")).toMatch(/Still open.*Serving board/s);
    for (let i = 0; i < 4; i++) await quoted(chatId, `Open ${i}`);
    expect((await rows(visitor)).join("\n")).toContain("Serving board");
  });

  it("begin the question about each row in its conversation, also without a script", async () => {
    const visitor = await startChat({ initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    await quoted(chatId, "Pen");
    const productId = await addProduct({ name: "Balm", stock: 3 });
    await hold(boss.token, { chatId, lines: [{ productId, quantity: 1 }] });
    const { number } = await bought({ chatId });
    const links = [...(await page(visitor)).matchAll(/href="(\/chat\/[^"]*document=[^"]*)"/g)];
    const openings = await Promise.all(
      links.map(async ([, to = ""]) => {
        expect(to).toContain(`/chat/${chatId}?`);
        const chat = await (await call(to.replaceAll("&amp;", "&"), visitor)).text();
        return />(About [^<]*: )<\/textarea>/.exec(chat)?.[1];
      }),
    );
    expect(openings).toEqual([
      "About the quote of $92.00: ",
      "About what is set aside: ",
      `About receipt ${number}: `,
    ]);
    for (const foreign of ["the quote of Send money", "what is set aside for me at home"])
      expect(
        await (await call(`/chat/${chatId}?${new URLSearchParams({ document: foreign })}`, visitor)).text(),
      ).not.toContain(foreign);
  });

  it("take an answer to a quote and the release of a hold by their forms", async () => {
    const visitor = await startChat({ initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    await quoted(chatId, "Pen");
    const productId = await addProduct({ name: "Balm", stock: 3 });
    await hold(boss.token, { chatId, lines: [{ productId, quantity: 1 }] });
    expect((await press(await page(visitor), /Accept/, {}, visitor)).status).toBe(303);
    expect((await press(await page(visitor), /Let it go/, {}, visitor)).status).toBe(303);
    expect(await rows(visitor)).toEqual([expect.stringMatching(/Pen.*Accepted/)]);
  });

  it("are nobody else's: a stranger, another account and staff see none, and a deleted chat leaves none", async () => {
    const visitor = await startChat({ initialMessage: "Hi" });
    const { chatId } = visitor;
    await rowWritten(chatId);
    await quoted(chatId, "Secret pen");
    await bought({ chatId }, "Secret lamp");
    expect(await rows(visitor)).toHaveLength(2);
    for (const other of [{}, await startChat({ initialMessage: "Hi" }), await person(), boss])
      expect(await page(other)).not.toContain("Secret");
    const forged = visitor.cookie.replaceAll(/=[^;]{4}/g, "=xxxx");
    expect(await page({ cookie: forged })).not.toContain("Secret");
    expect((await call(`/api/chat/${chatId}`, { ...boss, method: "DELETE" })).status).toBe(200);
    expect(await page(visitor)).not.toContain("Secret");
  });
});

describe("My purchases of an account", () => {
  it("list those of its conversations and of its customer on every device; after sign-out they are gone", async () => {
    const account = await addUser();
    const customerId = await customerOf(account.id);
    const browser = new CookieJar();
    const signIn = async (to: CookieJar) =>
      to.call("/api/auth/login", {
        json: { email: account.email, password: account.password },
        headers: from("10.77.0.1"),
      });
    await signIn(browser);
    const chatId = await browser.beginChat({ initialMessage: "Hi" });
    await rowWritten(chatId);
    await quoted(chatId, "Own pen");
    await bought({ customerId }, "Counter lamp");
    const inChat = await bought({ chatId, customerId }, "Own lamp");
    await credit(boss.token, inChat.id, { lines: [{ line: 1, quantity: 1 }], reason: "Too bright." });
    const other = new CookieJar();
    await signIn(other);
    for (const device of [browser, other]) {
      const listed = await rows({ cookie: device.header });
      expect(listed).toEqual([
        expect.stringContaining("Own pen"),
        expect.stringMatching(new RegExp(`Credit note, Own lamp.*Corrects ${inChat.number}.*−\\$64\\.00`)),
        expect.stringContaining("Own lamp"),
        expect.stringContaining("Counter lamp"),
      ]);
    }
    await browser.call("/api/auth/logout", { method: "POST" });
    expect(await rows({ cookie: browser.header })).toEqual([]);
    const second = await addUser();
    await browser.call("/api/auth/login", {
      json: { email: second.email, password: second.password },
      headers: from("10.77.0.2"),
    });
    expect(await page({ cookie: browser.header })).not.toMatch(/Own|Counter/);
  });

  it("stand in the download of its personal data", async () => {
    const account = await person();
    const customerId = await customerOf(account.id);
    const { chatId } = await startChat({ initialMessage: "Hi" }, { token: account.token });
    await rowWritten(chatId);
    await quoted(chatId, "Own pen");
    const productId = await addProduct({ name: "Balm", stock: 3 });
    await hold(boss.token, { chatId, lines: [{ productId, quantity: 1 }] });
    const { number } = await bought({ customerId });
    const file = await call(`/admin/personal-data.zip?customer=${customerId}`, boss);
    const files = unzipSync(new Uint8Array(await file.arrayBuffer()));
    const text = (name: string) => new TextDecoder().decode(files[name]);
    expect([text("quotes.json"), text("holds.json"), text("documents.json")]).toEqual([
      expect.stringContaining("Own pen"),
      expect.stringContaining("Balm"),
      expect.stringContaining(number),
    ]);
  });

  it("go page by page, none left out or twice, and read 250 rows at most in 2 trips", async () => {
    const account = await person();
    const chatIds: string[] = [];
    for (let i = 0; i < 22; i++) {
      const { chatId } = await startChat({ initialMessage: "Hi" }, { token: account.token });
      chatIds.push(chatId);
    }
    await Promise.all(chatIds.slice(-20).map(rowWritten));
    await fillWithReceipts(chatIds.slice(-20), await customerOf(account.id));
    for (let i = 0; i < 20; i++) await waitFor(await addProduct({ stock: 0 }), account);
    const seen: string[] = [];
    let query: string | undefined = "";
    while (query !== undefined) {
      const answer: Response = await call(`/purchases${query}`, account);
      const html = await answer.text();
      const numbers = [...html.matchAll(/>(G-\d{6}), /g)].map(([, number = ""]) => number);
      expect(numbers.length).toBeGreaterThan(0);
      expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
      expect(costOf(answer).roundTrips).toBeLessThanOrEqual(2);
      seen.push(...numbers);
      query = /href="\/purchases(\?before=\d+)"/.exec(html)?.[1];
    }
    const all = Array.from({ length: 140 }, (_, i) => `G-${String(140 - i).padStart(6, "0")}`);
    expect(seen).toEqual(all);
  });
});

describe("what an account waits for", () => {
  it("stands between what is open and the receipts, and can be stopped, twice too", async () => {
    const account = await person();
    const [lamp, balm] = [
      await addProduct({ name: "Sold-out lamp", priceCents: 12_000, stock: 0 }),
      await addProduct({ name: "Sold-out balm", stock: 0 }),
    ];
    await waitFor(balm, account, null);
    await waitFor(lamp, account);
    await bought({ customerId: await customerOf(account.id) });
    const html = await page(account);
    const sections = [...html.matchAll(/<section aria-label="([^"]+)"/g)].map(([, label]) => label);
    expect(sections.slice(0, 2)).toEqual(["Back in stock", "Receipts"]);
    const [first = "", second = ""] = await rows(account);
    expect(first).toContain(
      `Sold-out lamp Sold out. We’ll write to ${account.email}, once $120.00 Stop See it`,
    );
    expect(second).toContain(`Press the button in our mail to ${account.email}`);
    const stop = await press(html, /^Stop$/, {}, account);
    expect(stop.status).toBe(303);
    expect((await press(html, /^Stop$/, {}, account)).status).toBe(303);
    expect(textOf(await page(account))).not.toContain("Sold-out lamp");
    expect(textOf(await page(account))).toContain("Sold-out balm");
  });

  it("is listed from the latest on, all of it on request", async () => {
    const account = await person();
    const asked = Array.from({ length: 20 }, (_, i) => `Lamp ${i + 1} `);
    for (const name of asked) await waitFor(await addProduct({ name: name.trim(), stock: 0 }), account);
    const listed = await rows(account);
    const latest = asked.slice(-8).toReversed();
    expect(listed.map((row, i) => row.includes(latest[i] ?? "none"))).toEqual(latest.map(() => true));
    expect(textOf(await page(account))).toContain("Show all");
    const answer = await call("/purchases?waits=all", account);
    const all = textOf(await answer.text());
    for (const name of asked) expect(all).toContain(name.trim());
    expect(all).not.toContain("Show all");
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(2);
  });

  it("is neither shown to others nor stopped by them", async () => {
    const [account, other] = [await person(), await person()];
    await waitFor(await addProduct({ name: "Her lamp", stock: 0 }), account);
    const html = await page(account);
    expect(await page(other)).not.toContain("Her lamp");
    expect(await page({})).not.toContain("Her lamp");
    await press(html, /^Stop$/, {}, other);
    await press(html, /^Stop$/, {}, {});
    expect(await page(account)).toContain("Her lamp");
  });
});

/** Stores that an account waits for a product by its address. @param confirmedAt null until the mailed button was pressed */
const waitFor = (
  productId: string,
  { id, email }: { id: string; email: string },
  confirmedAt: number | null = 1,
) =>
  insert("restock_requests", [
    {
      ...{
        id: crypto.randomUUID(),
        product_id: productId,
        unit_id: productId,
        email,
        party: email,
        user_id: id,
      },
      ...{ created_at: 1, expires_at: 4_000_000_000, confirmed_at: confirmedAt },
    },
  ]);

/** Stores six receipts of each chat and twenty of a customer, a minute after another. */
async function fillWithReceipts(chatIds: string[], customerId: string): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 140)
     INSERT INTO documents (id, kind, number, business_type, customer_id, customer_name, chat_id, source, payment_mode, tax_name,
       tax_rate, tax_cents, tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day,
       search_text, created_by)
     SELECT 'g' || n, 'sale', format('G-%06d', n), 'EMPORIA', iif(n % 7 = 0, ?1, NULL), '', iif(n % 7 = 0, NULL, ?2 ->> (n % 20)),
       'counter', 'CASH', '', 0, 0, 0, '', 0, 0, 'g' || n, '', 1767268800 + n * 60, '2026-01-01', '', 'Pat' FROM many`,
  )
    .bind(customerId, JSON.stringify(chatIds))
    .run();
}
