import { env } from "cloudflare:workers";
import PostalMime from "postal-mime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openDb } from "~/db/client.server";
import { readMailedProducts } from "~/features/chat/operations/mail-products.server";
import { postMessage, startChat } from "../support/chat";
import { pdfFile, postFiles } from "../support/chat-files";
import { deliver, desk, html, mailsOf, rawMail, textsOf, VISITOR, withDesk } from "../support/mails";
import { admin, manager } from "../support/people";
import { recordedD1 } from "../support/recorded-d1";
import { hold, json, registerForTax, sendQuote, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

withDesk();
afterEach(() => env.DB.exec("DELETE FROM business_settings"));

const PLACE = "214 Queen Street West, Toronto";
const board = () => addProduct({ name: "Oak cheese board", priceCents: 4850, stock: 3 });
const about = (productId: string) => ({ ...VISITOR, productId });

/** Reads the mails to the visitor that are due now. */
async function toVisitor(chatId: string) {
  const mails = (await mailsOf(chatId, desk.sent)).filter(({ to }) => to === VISITOR.userEmail);
  return Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
}

/** Adds a product of two colours. @param prices of each; the first is the product's */
async function inTwoColours([price, other]: [number, number]): Promise<string> {
  const units = [
    { options: { Colour: "Moss" }, stock: 3 },
    { options: { Colour: "Sand" }, stock: 1, price: other },
  ];
  const options = [{ name: "Colour", values: ["Moss", "Sand"] }];
  const product = { name: "Phone case", price, category: "OTHERS", options, units };
  return (await json<{ id: string }>(call("/api/product", { token: desk.token, json: product }))).id;
}

/** Sets something aside in a chat. @returns the id of the hold */
async function setAside(chatId: string, productId: string, quantity: number): Promise<string> {
  const placed = await hold(desk.token, { chatId, lines: [{ productId, quantity }] });
  return (await json<{ id: string }>(placed)).id;
}

describe("a mail to the visitor of a conversation about a product", () => {
  it("names it in the subject, the same each time, and links to it with its price", async () => {
    const id = await board();
    const { chatId } = await startChat(about(id));
    for (const words of ["It is.", "And oiled."]) {
      await postMessage(chatId, words, { token: desk.token });
      const [mail] = await toVisitor(chatId);
      expect(mail?.subject).toBe("Emporia has answered you: Oak cheese board");
      expect(mail?.text).toContain(`Oak cheese board, $48.50: http://localhost:8787/products/${id}`);
      expect(mail?.html).toContain(`href="http://localhost:8787/products/${id}"`);
    }
  });

  it("names none that the shop has hidden since", async () => {
    const id = await board();
    const { chatId } = await startChat(about(id));
    await env.DB.prepare("UPDATE products SET is_hidden = 1 WHERE id = ?").bind(id).run();
    await postMessage(chatId, "It is.", { token: desk.token });
    const [mail] = await toVisitor(chatId);
    expect([mail?.subject, mail?.text?.includes(id)]).toEqual(["Emporia has answered you", false]);
  });

  it("links to the products that staff show", async () => {
    const [asked, other] = [await board(), await addProduct({ name: "Walnut tray", priceCents: 7000 })];
    const { chatId } = await startChat(about(asked));
    const card = { type: "product", productId: other };
    await postMessage(chatId, "Or this one?", { token: desk.token }, { card });
    const [mail] = await toVisitor(chatId);
    expect(mail?.text).toContain(`Walnut tray, $70.00: http://localhost:8787/products/${other}`);
  });

  it.each<[string, [number, number], string]>([
    ["one price", [20, 20], "Phone case, $20.00: "],
    ["several prices", [20, 26], "Phone case, from $20.00: "],
  ])("says the price of a product whose choices have %s", async (_, prices, words) => {
    const { chatId } = await startChat(about(await inTwoColours(prices)));
    await postMessage(chatId, "It is.", { token: desk.token });
    const [mail] = await toVisitor(chatId);
    expect(mail?.text).toContain(words);
  });

  it("links to more products than a statement has parameters", async () => {
    const cards = [];
    for (let i = 0; i < 101; i++) cards.push({ type: "product" as const, productId: await addProduct() });
    const { db } = openDb(env.DB);
    const about = { subjectId: null, subjectColor: null, subjectCount: 0 };
    const products = await readMailedProducts(db, { url: "https://shop.test" }, about, [{ cards }]);
    expect(products.ofMessage({ cards })).toHaveLength(101);
  });

  it("shows the answer beside the subject in a list of mails, and reads a reply that repeats it", async () => {
    const { chatId } = await startChat(VISITOR);
    await postMessage(chatId, "We have it in oak.", { token: desk.token });
    const [sent] = (await mailsOf(chatId, desk.sent)).filter(({ to }) => to === VISITOR.userEmail);
    const mail = await PostalMime.parse(sent?.raw ?? "");
    const [, first = ""] =
      /<body[^>]*>[\s\S]*?<div style="display:none[^>]*>([^<]+)</.exec(mail.html ?? "") ?? [];
    expect(first).toBe("We have it in oak.");
    const [, body = ""] = (mail.html ?? "").split(/<body[^>]*>/);
    await deliver(rawMail(html(`<p>I take it.</p>${body}`)), { to: sent?.replyTo ?? "" });
    expect(await textsOf(chatId)).toEqual(["I take it."]);
  });
});

describe("a mail to staff", () => {
  it("names the product that the visitor waits for", async () => {
    const { email } = await admin();
    const id = await board();
    const { chatId } = await startChat(about(id));
    const mails = await mailsOf(chatId, desk.sent);
    const mail = await PostalMime.parse(mails.find(({ to }) => to === email)?.raw ?? "");
    expect(mail.subject).toBe("Ines is waiting in the chat: Oak cheese board");
    expect(mail.text).toContain("Oak cheese board, $48.50");
  });

  it("is written to all of them with one read of the product", async () => {
    const staff = [await admin(), await manager(), await manager()];
    const { chatId } = await startChat(about(await board()));
    const real = { withSession: env.DB.withSession.bind(env.DB) } as D1Database;
    const { database, statements } = recordedD1(real);
    const opened = vi.spyOn(env.DB, "withSession").mockImplementation(database.withSession);
    const addresses = (await mailsOf(chatId, desk.sent)).map(({ to }) => to);
    opened.mockRestore();
    expect(addresses).toEqual(expect.arrayContaining(staff.map(({ email }) => email)));
    expect(statements.filter(({ sql }) => sql.includes('"option_label"'))).toHaveLength(1);
  });
});

describe("the mail of a hold", () => {
  it("says what it costs, until when it is kept, and where to collect it", async () => {
    const id = await board();
    const { chatId } = await startChat(about(id));
    await setAside(chatId, id, 2);
    const [mail] = await toVisitor(chatId);
    for (const words of [
      "- 2 × Oak cheese board: $97.00",
      "Kept for you until",
      "you pay when you collect",
      PLACE,
    ])
      expect(mail?.text).toContain(words);
    expect(mail?.html).toContain(PLACE);
  });

  it("says which tax the sale will add, after the sum", async () => {
    const [id, other] = [await board(), await addProduct({ name: "Engraved pen", category: "ENGRAVING" })];
    const { chatId } = await startChat(VISITOR);
    await registerForTax("EMPORIA", false);
    await setAside(chatId, id, 2);
    expect((await toVisitor(chatId))[0]?.text).toContain("- 2 × Oak cheese board: $97.00 before HST\n");
    const lines = [id, other].map((productId) => ({ productId, quantity: 1 }));
    await hold(desk.token, { chatId, lines });
    expect((await toVisitor(chatId))[0]?.text).toContain(
      "- 1 × Oak cheese board: $48.50\n- 1 × Engraved pen: $10.00\n- Together: $58.50 before HST\n",
    );
  });

  it.each([
    ["its business includes", "EMPORIA", true],
    ["another business adds", "LASER", false],
  ])("says nothing of a tax that %s", async (_, business, isIncluded) => {
    const id = await board();
    const { chatId } = await startChat(VISITOR);
    await registerForTax(business, isIncluded);
    await setAside(chatId, id, 2);
    expect((await toVisitor(chatId))[0]?.text).toContain("- 2 × Oak cheese board: $97.00\n");
  });

  it("says the new end of one that is kept longer, and no place for one that was let go", async () => {
    const id = await board();
    const { chatId } = await startChat(about(id));
    const held = await setAside(chatId, id, 1);
    await toVisitor(chatId);
    const until = Math.floor(Date.now() / 1000) + 5 * 86_400;
    await call(`/api/hold/${held}`, { method: "PATCH", json: { until }, token: desk.token });
    const [longer] = await toVisitor(chatId);
    expect(longer?.text).toContain("1 × Oak cheese board: $48.50");
    expect(longer?.text).toContain(PLACE);
    await call(`/api/hold/${held}`, { method: "DELETE", token: desk.token });
    const [released] = await toVisitor(chatId);
    expect(released?.text).toContain("No longer set aside");
    expect(released?.text).not.toContain(PLACE);
  });
});

describe("the mail of a receipt", () => {
  it("has a link that opens it without an account", async () => {
    const id = await board();
    const { chatId } = await startChat(about(id));
    await sold(desk.token, { chatId, lines: [{ productId: id, quantity: 1, amount: 48.5 }] });
    const [mail] = await toVisitor(chatId);
    const [, link = ""] = /Open the receipt: http:\/\/localhost:8787(\S+)/.exec(mail?.text ?? "") ?? [];
    expect(await (await call(link)).text()).toContain("Oak cheese board");
    expect(mail?.text).toMatch(
      /Open the receipt: \S+\n\nThe link shows the receipt until \d+\w\w \w+ \d{4}; anyone who has it can read it\./,
    );
  });
});

describe("the mail of a picture", () => {
  it("leads to the conversation that has it", async () => {
    const { chatId } = await startChat(VISITOR);
    await postFiles({ chatId, token: desk.token }, [pdfFile("proof.pdf")]);
    const [mail] = await toVisitor(chatId);
    expect(mail?.text).toMatch(/Attached: proof\.pdf[\s\S]+See it in the conversation: http\S+\/chat\//);
  });
});

describe("the mail of a quote", () => {
  it("has its lines, the total, the note and the days", async () => {
    const { chatId } = await startChat(VISITOR);
    await sendQuote(desk.token, chatId);
    const [mail] = await toVisitor(chatId);
    for (const words of [
      "4 × Coaster, Slate: $36.00",
      "Together: $36.00",
      "> With felt",
      "if you accept",
      PLACE,
    ])
      expect(mail?.text).toContain(words);
    expect(mail?.text).toMatch(/Accept or decline it in the conversation until \d+\w\w \w+( \d{4})?\./);
  });

  it.each([
    ["the sale will add", "LASER", "Together: $36.00 before HST\n"],
    ["another business adds", "EMPORIA", "Together: $36.00\n"],
  ])("knows a tax that %s", async (_, business, words) => {
    const { chatId } = await startChat(VISITOR);
    await registerForTax(business, false);
    await sendQuote(desk.token, chatId);
    expect((await toVisitor(chatId))[0]?.text).toContain(words);
  });
});
