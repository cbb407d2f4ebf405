import { env } from "cloudflare:workers";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { postMessage, startChat } from "../support/chat";
import { pdfFile, postFiles } from "../support/chat-files";
import { deliver, desk, html, mailsOf, rawMail, textsOf, VISITOR, withDesk } from "../support/mails";
import { admin } from "../support/people";
import { hold, json, sendQuote, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

withDesk();

const PLACE = "214 Queen Street West, Toronto";
const board = () => addProduct({ name: "Oak cheese board", priceCents: 4850, stock: 3 });
const about = (productId: string) => ({ ...VISITOR, productId });

/** Reads the mails to the visitor that are due now. */
async function toVisitor(chatId: string) {
  const mails = (await mailsOf(chatId, desk.sent)).filter(({ to }) => to === VISITOR.userEmail);
  return Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
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
    expect(mail?.text).toMatch(/Accept or decline it in the conversation until \d+\w\w \w+\./);
  });
});
