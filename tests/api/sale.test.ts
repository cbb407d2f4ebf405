import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { messagesOf, startChat } from "../support/chat";
import { manager, person } from "../support/people";
import { json, numberFrom, type Refusal, registerForTax, sell, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
  await registerForTax("EMPORIA");
});

const lamp = (stock = 5) =>
  addProduct({ name: "Walnut lamp", priceCents: 6400, stock, category: "HOME_DECOR" });
const line = (productId: string, quantity = 1, amount: number | string = 64) => ({
  productId,
  quantity,
  amount,
});

describe("recording a sale", () => {
  it("writes document, ledger row and movement, and lowers the stock", async () => {
    const productId = await lamp();
    const [document] = await sold(token, { lines: [line(productId, 2, 128)] });
    expect(document).toMatchObject({
      kind: "sale",
      businessType: "EMPORIA",
      source: "counter",
      taxName: "HST",
      taxAmount: 14.73,
      total: 128,
      lines: [
        {
          line: 1,
          productId,
          description: "Walnut lamp",
          quantity: 2,
          amount: 128,
          taxAmount: 14.73,
          returned: 0,
        },
      ],
    });
    expect(document?.number).toMatch(/^E-20\d\d-\d{6}$/);
    expect(await stockOf(productId)).toEqual({ stock: 3, held: 0, moved: 3 });
    const invoices = await json<{ id: string; amount: number }[]>(call("/api/invoice/all", { token }));
    expect(invoices.find(({ id }) => id === document?.lines[0]?.invoiceId)).toMatchObject({
      amount: 128,
      quantity: 2,
    });
    const movements = await json<Record<string, unknown>[]>(
      call(`/api/product/${productId}/movements`, { token }),
    );
    expect(movements).toMatchObject([
      { quantity: -2, reason: "sale", actor: "Pat Example", documentId: document?.id, stockAfter: 3 },
      { quantity: 5, reason: "opening" },
    ]);
  });

  it("makes one document for each business and rounds cash to 5 cents on a line of its own", async () => {
    const ring = await addProduct({ name: "Engraved ring", category: "ENGRAVING", stock: 2 });
    const [shop, laser] = await sold(token, {
      paymentMode: "CASH",
      lines: [line(await lamp(), 1, "10.02"), line(ring, 1, "20.03")],
    });
    expect(shop).toMatchObject({ businessType: "EMPORIA", rounding: -0.02, total: 10 });
    expect(laser).toMatchObject({
      businessType: "LASER",
      taxName: "",
      taxAmount: 0,
      rounding: 0.02,
      total: 20.05,
    });
    expect(laser?.number).toMatch(/^L-/);
    for (const each of [shop, laser]) {
      const rows = "SELECT sum(amount_cents) AS n FROM invoices WHERE document_id = ?";
      expect(await numberFrom(rows, each?.id)).toBe(Math.round((each?.total ?? 0) * 100));
    }
  });

  it("answers a repeated request with the same documents, 50 at once, and 409 with other content", async () => {
    const productId = await lamp();
    const sale = { id: "repeated-sale", lines: [line(productId)] };
    const answers = await Promise.all(Array.from({ length: 50 }, () => sold(token, sale)));
    expect(new Set(answers.map(([each]) => each?.number)).size).toBe(1);
    expect(await stockOf(productId)).toMatchObject({ stock: 4, moved: 4 });
    expect((await sell(token, { ...sale, lines: [line(productId, 2)] })).status).toBe(409);
  });

  it("sells 3 pieces exactly 3 times in 50 parallel sales and numbers them without gaps", async () => {
    const productId = await lamp(3);
    const before = await numberFrom("SELECT max(last) AS n FROM document_series WHERE series LIKE 'E-%'");
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => sell(token, { id: `race-${i}`, lines: [line(productId)] })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 409);
    expect(await json<Refusal>(refused as Response)).toMatchObject({
      details: [{ path: "lines.0", message: "Walnut lamp: none left" }],
    });
    const both = await sell(token, { lines: [line(productId), line(await lamp(1), 2)] });
    expect((await json<Refusal>(both)).message).toBe("Walnut lamp: none left; Walnut lamp: 1 left");
    expect(await stockOf(productId)).toEqual({ stock: 0, held: 0, moved: 0 });
    expect(await numberFrom("SELECT max(last) AS n FROM document_series WHERE series LIKE 'E-%'")).toBe(
      before + 3,
    );
  });

  it("counts one product on two lines together, in one movement", async () => {
    const productId = await lamp(3);
    const two = { lines: [line(productId, 2), line(productId, 2)] };
    expect((await sell(token, two)).status).toBe(409);
    await sold(token, { lines: [line(productId, 2), line(productId, 1)] });
    expect(
      await numberFrom("SELECT count(*) AS n FROM stock_movements WHERE product_id = ?", productId),
    ).toBe(2);
  });

  it.each([
    ["no lines", { lines: [] }],
    ["quantity 0", { lines: [{ description: "x", quantity: 0, amount: 1 }] }],
    ["quantity -1", { lines: [{ description: "x", quantity: -1, amount: 1 }] }],
    ["quantity 1.5", { lines: [{ description: "x", quantity: 1.5, amount: 1 }] }],
    ["quantity 2^53", { lines: [{ description: "x", quantity: 2 ** 53, amount: 1 }] }],
    ["three decimals", { lines: [{ description: "x", quantity: 1, amount: "1.005" }] }],
    ["no description", { lines: [{ quantity: 1, amount: 1 }] }],
    [
      "an unknown payment mode",
      { paymentMode: "GOLD", lines: [{ description: "x", quantity: 1, amount: 1 }] },
    ],
  ])("refuses %s", async (_, sale) => {
    expect((await sell(token, sale)).status).toBe(400);
  });

  it("refuses a deleted product with its line, an unknown chat, hold, quote and customer", async () => {
    const free = { lines: [{ description: "Tag", quantity: 1, amount: 5 }] };
    expect(await json<Refusal>(sell(token, { lines: [line("never-was")] }))).toMatchObject({
      details: [{ path: "lines.0" }],
    });
    for (const name of ["chatId", "holdId", "quoteId", "customerId"])
      expect((await sell(token, { ...free, [name]: "unknown" })).status, name).toBe(404);
  });

  it("is for staff alone", async () => {
    const customer = await person();
    expect((await sell(customer.token, { lines: [] })).status).toBe(403);
    expect((await call("/api/sale", { json: {} })).status).toBe(401);
  });

  it("shows the receipt in the chat once, also when the request is repeated", async () => {
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "Hello" });
    const sale = { id: "sale-of-a-chat", chatId, lines: [line(await lamp())] };
    const [document] = await sold(token, sale);
    await sold(token, sale);
    expect(document).toMatchObject({ chatId, source: "chat" });
    const receipts = (await messagesOf(chatId, { token })).filter(
      ({ cards }) => cards?.[0]?.type === "receipt",
    );
    expect(receipts).toMatchObject([{ message: `Receipt ${document?.number}: $64.00`, isFromAdmin: true }]);
  });

  it("makes the signed-in account of the chat its customer", async () => {
    const buyer = await person({ firstName: "Ines", lastName: "Carvalho" });
    const { chatId } = await startChat({ initialMessage: "Hello" }, { token: buyer.token });
    const [first] = await sold(token, { chatId, lines: [line(await lamp())] });
    const [second] = await sold(token, { chatId, lines: [line(await lamp())] });
    expect(second?.customerId).toBe(first?.customerId);
    expect(await json(call(`/api/customer/${first?.customerId}`, { token }))).toMatchObject({
      name: "Ines Carvalho",
      sales: 2,
      total: 128,
      chats: 1,
    });
  });

  it("of 20 lines takes 3 round trips to D1, that of the session included", async () => {
    const lines = await Promise.all(Array.from({ length: 20 }, async () => line(await lamp())));
    const answer = await sell(token, { lines });
    expect(answer.headers.get("Server-Timing")).toContain("3 round trips");
  });
});

describe("an issued document", () => {
  it("can't be changed: its ledger row answers 409 with the number, D1 refuses every write", async () => {
    const [document] = await sold(token, { lines: [line(await lamp())] });
    const path = `/api/invoice/${document?.lines[0]?.invoiceId}`;
    for (const method of ["PUT", "DELETE"]) {
      const answer = await call(path, { method, token, json: { amount: 1 } });
      expect(answer.status).toBe(409);
      expect((await json<Refusal>(answer)).message).toContain(
        `${document?.number}. Correct it with a credit note`,
      );
    }
    for (const statement of [
      "UPDATE documents SET total_cents = 1 WHERE id = ?",
      "DELETE FROM documents WHERE id = ?",
      "UPDATE document_lines SET quantity = 9 WHERE document_id = ?",
      "DELETE FROM document_lines WHERE document_id = ?",
      "DELETE FROM invoices WHERE document_id = ?",
    ])
      await expect(env.DB.prepare(statement).bind(document?.id).run()).rejects.toThrow("final");
  });
});
