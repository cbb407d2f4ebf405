import { beforeAll, describe, expect, it } from "vitest";
import { beforeBatch } from "../support/failing-d1";
import { manager } from "../support/people";
import {
  credit,
  json,
  numberFrom,
  type Refusal,
  registerForTax,
  type SaleAnswer,
  sell,
  sold,
  stockOf,
  violations,
} from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
  await registerForTax("EMPORIA");
});

const lamp = (stock: number) => addProduct({ name: "Walnut lamp", stock, category: "HOME_DECOR" });

describe("a credit note", () => {
  const sale = async (quantity = 3, amount = 100) => {
    const productId = await lamp(5);
    const [document] = await sold(token, { lines: [{ productId, quantity, amount }] });
    return { productId, document: document as SaleAnswer };
  };

  it("takes pieces back, and its parts add up to the line", async () => {
    const { productId, document } = await sale();
    const parts: SaleAnswer[] = [];
    for (let i = 0; i < 3; i += 1)
      parts.push(
        await json<SaleAnswer>(
          credit(token, document.id, { lines: [{ line: 1, quantity: 1 }], restock: true }),
        ),
      );
    expect(parts.map(({ total }) => total)).toEqual([-33.33, -33.33, -33.34]);
    expect(parts[0]).toMatchObject({
      kind: "credit",
      originalId: document.id,
      originalNumber: document.number,
    });
    expect(parts[0]?.number).toMatch(/^EC-/);
    const tax = parts.reduce((sum, { taxAmount }) => sum + Math.round(taxAmount * 100), 0);
    expect(tax).toBe(-Math.round(document.taxAmount * 100));
    expect(await stockOf(productId)).toEqual({ stock: 5, held: 0, moved: 5 });
    expect((await credit(token, document.id)).status).toBe(409);
    expect(await json(call(`/api/sale/${document.id}`, { token }))).toMatchObject({
      lines: [{ returned: 3 }],
    });
  });

  it("never takes back more than was sold, with 50 credits at once", async () => {
    const { document } = await sale();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        credit(token, document.id, { id: `credit-race-${i}`, lines: [{ line: 1, quantity: 1 }] }),
      ),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(3);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const rows = "SELECT sum(total_cents) AS n FROM documents WHERE id = ?1 OR original_id = ?1";
    expect(await numberFrom(rows, document.id)).toBe(0);
  });

  it("leaves the stock alone without restock, and answers a repeated request as the first time", async () => {
    const { productId, document } = await sale();
    const input = { id: "credit-repeated", reason: "Broken" };
    const first = await json<SaleAnswer>(credit(token, document.id, input));
    expect(await json<SaleAnswer>(credit(token, document.id, input))).toEqual(first);
    expect((await credit(token, document.id, { ...input, reason: "Other" })).status).toBe(409);
    expect(await stockOf(productId)).toMatchObject({ stock: 2 });
    expect((await credit(token, first.id)).status).toBe(409);
    expect((await credit(token, "unknown")).status).toBe(404);
    const other = await sell(token, { id: first.id, lines: [{ productId, quantity: 1, amount: 100 }] });
    expect([other.status, (await json<Refusal>(other)).message]).toEqual([
      409,
      "Another document was issued with this id.",
    ]);
  });

  it("in cash gives back what was paid, also when another credit of the sale comes in between", async () => {
    const lines = ["Strap", "Clasp"].map((description) => ({ description, quantity: 1, amount: 1.03 }));
    const [document] = await sold(token, { paymentMode: "CASH", lines });
    expect(document?.total).toBe(2.05);
    const takeBack = (line: number) =>
      json<SaleAnswer>(
        credit(token, document?.id ?? "", { paymentMode: "CASH", lines: [{ line, quantity: 1 }] }),
      );
    const others: SaleAnswer[] = [];
    const between = beforeBatch(/INSERT INTO documents/, async () => others.push(await takeBack(2)));
    const last = await takeBack(1);
    between.mockRestore();
    expect(others.map(({ total }) => total)).toEqual([-1.05]);
    expect(last.total).toBe(-1);
  });

  it("says per line how much is left", async () => {
    const { document } = await sale();
    const answer = await credit(token, document.id, { lines: [{ line: 1, quantity: 4 }] });
    expect(await json<Refusal>(answer)).toMatchObject({
      details: [{ path: "lines.0", message: "Walnut lamp: 3 left to take back" }],
    });
    expect((await credit(token, document.id, { lines: [{ line: 9, quantity: 1 }] })).status).toBe(400);
  });
});

describe("a line that a request names twice", () => {
  const twice = (...quantities: number[]) => quantities.map((quantity) => ({ line: 1, quantity }));

  it("is credited by the sum, and refused where that is more than is left", async () => {
    const productId = await lamp(5);
    const [document] = await sold(token, { lines: [{ productId, quantity: 3, amount: 100 }] });
    const id = String(document?.id);
    const refused = await credit(token, id, { lines: twice(2, 2) });
    expect([refused.status, (await json<Refusal>(refused)).details]).toEqual([
      409,
      [{ path: "lines.0", message: "Walnut lamp: 3 left to take back" }],
    ]);
    const note = await json<SaleAnswer>(credit(token, id, { lines: twice(1, 2), restock: true }));
    expect(note.lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([[-3, -100]]);
    expect((await stockOf(productId)).stock).toBe(5);
    expect(await violations()).toEqual([]);
  });
});

describe("a sale of $0.00", () => {
  const gift = { description: "Gift", category: "OTHERS", quantity: 2, amount: 0 };
  const correct = (id: string, body: object) => call(`/api/sale/${id}/correct`, { token, json: body });

  it("is credited once, with nothing to pay back", async () => {
    const productId = await lamp(5);
    const lines = [{ ...gift, productId }];
    const [document] = await sold(token, { lines, payments: [] });
    const id = String(document?.id);
    const note = await json<SaleAnswer>(credit(token, id, { payments: [], restock: true }));
    expect(note).toMatchObject({ total: 0, payments: [], lines: [{ quantity: -2, amount: 0 }] });
    expect((await stockOf(productId)).stock).toBe(5);
    expect((await credit(token, id, { payments: [] })).status).toBe(409);
    expect((await credit(token, id, { lines: [{ line: 1, amount: 0.01 }] })).status).toBe(409);
    expect(await violations()).toEqual([]);
  });

  it("is corrected to a price, and back, by the difference", async () => {
    const [document] = await sold(token, { lines: [gift], paymentMode: "CASH" });
    const lines = [{ ...gift, amount: 7.52 }];
    const { sale } = await json<{ sale: SaleAnswer }>(
      correct(String(document?.id), { lines, paymentMode: "CASH" }),
    );
    expect(sale).toMatchObject({ total: 7.5, rounding: -0.02 });
    const back = await json<{ credit: SaleAnswer; sale: SaleAnswer; difference: number }>(
      correct(sale.id, { lines: [gift], paymentMode: "CASH" }),
    );
    expect(back).toMatchObject({
      difference: -7.5,
      credit: { total: -7.5 },
      sale: { total: 0, payments: [] },
    });
    expect(await violations()).toEqual([]);
  });

  it("is a discount of all of its price, of which nothing can be credited by amount", async () => {
    const lines = [{ ...gift, amount: 0.01, discount: { percent: 100 }, reason: "Given away" }];
    const [document] = await sold(token, { lines, payments: [] });
    expect(document).toMatchObject({ total: 0, discount: 0.01 });
    const over = [{ ...gift, amount: 0.01, discount: { amount: 0.02 } }];
    expect((await sell(token, { lines: over })).status).toBe(400);
    expect((await credit(token, String(document?.id), { lines: [{ line: 1, amount: 0.01 }] })).status).toBe(
      409,
    );
    expect(await violations()).toEqual([]);
  });
});
