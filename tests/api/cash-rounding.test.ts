import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { admin, manager, problems } from "../support/people";
import { json } from "../support/sales";
import { addProduct, call } from "../support/shop";

interface Sold {
  id: string;
  total: number;
  rounding: number;
  payments: { mode: string; amount: number }[];
}

let token = "";
let managerToken = "";
beforeAll(async () => {
  ({ token } = await admin());
  managerToken = (await manager()).token;
  await addProduct({ id: "lamp", stock: 1000 });
});

const round = (cashRounding: string, by = token) =>
  call("/api/settings", { method: "PATCH", json: { cashRounding }, token: by });
const post = (path: string, body: object) => call(path, { token, json: body });
const line = (amount: number) => [{ productId: "lamp", quantity: 1, amount }];
const sell = async (amount: number, paid: object = { paymentMode: "CASH" }) => {
  const answer = await post("/api/sale", { lines: line(amount), ...paid });
  expect(answer.status).toBe(201);
  const { documents } = (await answer.json()) as { documents: [Sold] };
  return documents[0];
};

describe("cash rounding", () => {
  it.each([
    ["none", 10.02, 0],
    ["0.05", 10, -0.02],
    ["0.10", 10, -0.02],
  ])(
    "to %s is of what is paid from then on, and documents before keep theirs",
    async (rounding, total, added) => {
      const before = await sell(13.03);
      expect((await round(rounding)).status).toBe(200);
      expect(await sell(10.02)).toMatchObject({ total, rounding: added });
      const again = await json<Sold>(call(`/api/sale/${before.id}`, { token }));
      expect(again).toMatchObject({ total: before.total, rounding: before.rounding });
    },
  );

  it("holds for parts, deposits and refunds, whose coins it names", async () => {
    await round("0.10");
    const parts = (cash: number) => ({
      payments: [
        { mode: "CARD", amount: 5 },
        { mode: "CASH", amount: cash },
      ],
    });
    const refused = await post("/api/sale", { lines: line(10.05), ...parts(5.05) });
    expect(refused.status).toBe(400);
    expect(await problems(refused)).toContain("payments.1.amount: Cash must be a multiple of $0.10");
    expect(await sell(10.06, parts(5.1))).toMatchObject({ rounding: 0.04 });
    await round("none");
    const sale = await sell(10.06, parts(5.06));
    expect(sale).toMatchObject({ rounding: 0, total: 10.06 });
    await round("0.10");
    const credit = await json<Sold>(
      post(`/api/sale/${sale.id}/credit`, { paymentMode: "CASH", reason: "Broken" }),
    );
    expect(credit).toMatchObject({ total: -10, rounding: 0.06 });
  });

  it("leaves deposits of an earlier rounding, which go back as they came", async () => {
    const quoted = async () => {
      const { chatId, cookie } = await startChat({ initialMessage: "A lamp?" });
      const { id } = await json<{ id: string }>(
        post("/api/quote", {
          chatId,
          title: "Lamp",
          lines: [{ description: "Lamp", quantity: 1, amount: 70 }],
        }),
      );
      await call(`/api/quote/${id}`, { method: "PATCH", json: { state: "accepted" }, cookie });
      return async (mode: string, amount: number) =>
        (await post(`/api/quote/${id}/payment`, { mode, amount })).status;
    };
    await round("0.05");
    const [mixed, cash] = [await quoted(), await quoted()];
    expect([await mixed("CASH", 5.05), await cash("CASH", 5.05)]).toEqual([201, 201]);
    await round("0.10");
    expect(await mixed("CARD", 20)).toBe(201);
    expect(await mixed("CARD", -1.02)).toBe(201);
    expect(await mixed("CASH", 1.05)).toBe(400);
    expect(await mixed("CASH", -1.02)).toBe(400);
    expect(await mixed("CASH", 0.1)).toBe(201);
    expect(await mixed("CASH", -5.15)).toBe(201);
    expect(await mixed("CASH", -0.05)).toBe(400);
    expect(await cash("CASH", -5.05)).toBe(201);
    await round("0.05");
  });

  it("is one of three, changed by admins alone", async () => {
    expect((await round("0.25")).status).toBe(400);
    expect((await round("none", managerToken)).status).toBe(403);
  });

  it("is what the sale's form computes with", async () => {
    await round("0.10");
    expect(await (await call("/admin/sales/record", { token })).text()).toContain('"cashStepCents":10');
  });
});
