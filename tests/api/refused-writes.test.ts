import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { manager, person } from "../support/people";
import { credit, hold, json, type Refusal, sell, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const until = () => (Math.floor(Date.now() / 1000) + 3600) * 1000;
const roundTrips = (answer: Response) =>
  Number(/(\d+) round trips/.exec(answer.headers.get("Server-Timing") ?? "")?.[1] ?? 1);
const tray = (businessType: string) => ({ description: "Tray", businessType, quantity: 1, amount: 10 });
const addCustomer = async (fields: Record<string, unknown>) =>
  (await json<{ id: string }>(call("/api/customer", { token, json: fields }))).id;

describe("a refusal whose reason is gone", () => {
  it("is never an error: 50 rounds of release, sale and hold of the last piece at once", async () => {
    for (let round = 0; round < 50; round += 1) {
      const productId = await addProduct({ stock: 1 });
      const lines = [{ productId, quantity: 1 }];
      const { id } = await json<{ id: string }>(hold(token, { until: until(), lines }));
      const answers = await Promise.all([
        call(`/api/hold/${id}`, { method: "DELETE", token, json: {} }),
        sell(token, { lines: [{ productId, quantity: 1, amount: 10 }] }),
        hold(token, { until: until(), lines }),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses[0]).toBe(200);
      for (const status of statuses.slice(1)) expect([201, 409], statuses.join()).toContain(status);
      const { stock, held } = await stockOf(productId);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1 - stock + held);
    }
  });
});

describe("an id that another document has", () => {
  it("is a conflict for a sale whose second document would have it", async () => {
    await sold(token, { id: "derived-2", lines: [tray("EMPORIA")] });
    const refused = await sell(token, { id: "derived", lines: [tray("EMPORIA"), tray("LASER")] });
    expect([refused.status, roundTrips(refused) <= 6]).toEqual([409, true]);
    await sold(token, { id: "derived", lines: [tray("LASER")] });
  });

  it("is a conflict for a sale and a credit note with a second document's id", async () => {
    const [first] = await sold(token, { id: "pair", lines: [tray("EMPORIA"), tray("LASER")] });
    const sale = await sell(token, { id: "pair-2", lines: [tray("EMPORIA")] });
    expect([sale.status, roundTrips(sale) <= 6]).toEqual([409, true]);
    const note = await credit(token, first?.id ?? "", { id: "pair-2" });
    expect([note.status, roundTrips(note) <= 6]).toEqual([409, true]);
    expect((await credit(token, first?.id ?? "", { id: "pair-3" })).status).toBe(201);
  });

  it("is refused for a customer with the id of an account's customer", async () => {
    const answer = await call("/api/customer", { token, json: { id: "account-x", name: "Ada" } });
    expect((await json<Refusal>(answer)).details).toEqual([{ path: "id", message: "This id is reserved" }]);
  });
});

describe("what an act derives", () => {
  it("keeps a returned product's stock within what its form accepts", async () => {
    const productId = await addProduct({ name: "Pebble", stock: 1_000_000 });
    const [sale] = await sold(token, { lines: [{ productId, quantity: 2, amount: 10 }] });
    await env.DB.prepare(
      `UPDATE products SET stock = 999999, stock_change = json_object('id', 'pebble', 'reason', 'adjustment', 'actor', '')
       WHERE id = ?`,
    )
      .bind(productId)
      .run();
    const refused = await credit(token, sale?.id ?? "", { restock: true });
    expect(refused.status).toBe(409);
    expect((await json<Refusal>(refused)).message).toBe(
      "Pebble: the stock would be above 1,000,000. Take it back without returning it to stock.",
    );
    expect((await stockOf(productId)).stock).toBe(999_999);
    const one = { lines: [{ line: 1, quantity: 1 }], restock: true };
    expect((await credit(token, sale?.id ?? "", one)).status).toBe(201);
    expect((await stockOf(productId)).stock).toBe(1_000_000);
    expect((await credit(token, sale?.id ?? "", { restock: false })).status).toBe(201);
  });

  it("refuses to join notes that no form could save, and loses none", async () => {
    const [kept, other] = [
      await addCustomer({ name: "A", notes: "a".repeat(3000) }),
      await addCustomer({ name: "B", notes: "b".repeat(2500) }),
    ];
    const merge = (fields: Record<string, string>) =>
      call(`/api/customer/${kept}/merge`, { token, json: { id: other, fields } });
    const refused = await merge({});
    expect(refused.status).toBe(409);
    expect((await json<Refusal>(refused)).message).toContain("5,501 characters");
    expect((await call(`/api/customer/${other}`, { token })).status).toBe(200);
    expect((await merge({ notes: "own" })).status).toBe(200);
  });

  it("takes the name and phone number of an account into a customer that can be saved", async () => {
    const [firstName, lastName] = ["F".repeat(50), "L".repeat(50)];
    const ada = await person({ firstName, lastName });
    const phoneNumber = "+1 (416) 555 - 0199, mornings only, pls";
    const profile = { firstName, lastName, email: ada.email, phoneNumber };
    await json(call(`/api/user/${ada.id}`, { method: "PUT", token: ada.token, json: profile }));
    const { chatId } = await startChat({ initialMessage: "Hello" }, ada);
    const [sale] = await sold(token, { chatId, lines: [tray("EMPORIA")] });
    const path = `/api/customer/${sale?.customerId}`;
    const {
      name,
      email,
      phoneNumber: phone,
      notes,
    } = await json<Record<string, string>>(call(path, { token }));
    expect([name, phone]).toEqual([`${firstName} ${lastName}`, phoneNumber]);
    const saved = await call(path, {
      method: "PATCH",
      token,
      json: { name, email, phoneNumber: phone, notes },
    });
    expect(saved.status).toBe(200);
  });

  it.each([
    [13.02, "CASH", "CARD", -13],
    [13.03, "CASH", "EMT", -13.05],
    [13.03, "CARD", "CASH", -13],
    [13.02, "EMT", "CARD", -13.02],
  ])("gives back what was paid for %d by %s in %s", async (amount, paymentMode, back, total) => {
    const [sale] = await sold(token, { paymentMode, lines: [{ description: "Tray", quantity: 1, amount }] });
    expect(await json(credit(token, sale?.id ?? "", { paymentMode: back }))).toMatchObject({ total });
  });
});
