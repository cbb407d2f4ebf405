import { beforeAll, expect, it } from "vitest";
import { manager } from "../support/people";
import { hold, json, type Refusal, sell } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;
const ids = { ribbed: "ribbed-case", lamp: "", gone: "unit-that-is-not-there", moss: "" };

beforeAll(async () => {
  ({ token } = await manager());
  const options = [{ name: "Colour", values: ["Moss", "Sand"] }];
  const fields = { name: "Ribbed case", price: 20, category: "PHONE_CASE", description: "" };
  const units = ["Moss", "Sand"].map((Colour) => ({ options: { Colour }, stock: 3 }));
  await call("/api/product", { json: { id: ids.ribbed, ...fields, options, units }, token });
  const stored = await json<{ units: { id: string }[] }>(call(`/api/product/id/${ids.ribbed}`, { token }));
  ids.moss = stored.units[0]?.id ?? "";
  ids.lamp = await addProduct({ name: "Walnut lamp" });
});

it.each([
  ["another product's choice", "lamp", "moss", "Ribbed case (Moss) is no choice of Walnut lamp."],
  [
    "another product in place of a choice",
    "ribbed",
    "lamp",
    "Walnut lamp is no choice of Ribbed case: choose one of Moss, Sand",
  ],
  ["an unknown choice", "ribbed", "gone", "Ribbed case has no such choice: choose one of Moss, Sand"],
  ["a choice of what has none", "lamp", "gone", "Walnut lamp has no such choice."],
  ["no choice", "ribbed", "ribbed", "Ribbed case: choose one of Moss, Sand"],
] as const)("a sale and a hold of %s say so: nothing was deleted", async (_, product, unit, message) => {
  const named = { productId: ids[product], unitId: ids[unit], quantity: 1 };
  const answers = [
    await sell(token, { lines: [{ ...named, amount: 20 }] }),
    await hold(token, { lines: [named] }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(409);
    expect((await json<Refusal>(answer)).message).toBe(message);
  }
});

it("a product that was deleted is called so", async () => {
  const productId = await addProduct({ name: "Short-lived" });
  await call(`/api/product/${productId}`, { method: "DELETE", token });
  const answer = await hold(token, { lines: [{ productId, quantity: 1 }] });
  expect((await json<Refusal>(answer)).message).toBe("This product was deleted.");
});
