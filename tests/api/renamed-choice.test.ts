import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { call } from "../support/shop";
import { visitor } from "../support/visitor";

let token: string;
/** Product, and its units. */
let id: string;
let units: { id: string }[];

beforeAll(async () => {
  ({ token } = await manager());
});

beforeEach(async () => {
  const json = {
    ...{ name: "Renamed case", price: 20, category: "JEWELRY" },
    options: [{ name: "Colour", values: ["Moss", "Sand"] }],
    units: [
      { options: { Colour: "Moss" }, stock: 3, price: 25 },
      { options: { Colour: "Sand" }, stock: 9 },
    ],
  };
  const created = await call("/api/product", { json, token });
  expect(created.status, await created.clone().text()).toBe(201);
  ({ id } = await created.json<{ id: string }>());
  ({ units } = await (await call(`/api/product/id/${id}`)).json<{ units: typeof units }>());
});

/** Gives the units other names, in their order. */
async function rename(...values: string[]) {
  const json = {
    options: [{ name: "Colour", values }],
    units: values.map((Colour, at) => ({ id: units[at]?.id, options: { Colour } })),
  };
  const answer = await call(`/api/product/${id}`, { method: "PUT", json, token });
  expect(answer.status, await answer.clone().text()).toBe(200);
}

async function withMoss(quantity = "2") {
  const shopper = visitor();
  const added = await shopper.send({ intent: "add", id, color: "Moss", quantity });
  expect(added.status).toBe(200);
  return shopper;
}

describe("a choice that is renamed while it lies in a cart", () => {
  it("stays chosen under its new name, with its price, stock and address", async () => {
    const { cart } = await withMoss();
    await rename("Forest", "Sand");
    const [line, ...others] = (await cart()).lines;
    expect(line).toMatchObject({
      ...{ color: "Forest", quantity: 2, priceCents: 2500, stock: 3, unitId: units[0]?.id },
      path: `/products/${id}?Colour=Forest`,
    });
    expect(line).not.toHaveProperty("unavailable");
    expect(others).toEqual([]);
  });

  it("is the unit that was chosen, also where another has its old name now", async () => {
    const { cart } = await withMoss();
    await rename("Sand", "Moss");
    expect((await cart()).lines).toMatchObject([{ color: "Sand", unitId: units[0]?.id, stock: 3 }]);
  });

  it("is changed and removed by a page of before", async () => {
    const { cart, send } = await withMoss();
    await rename("Forest", "Sand");
    expect(await send({ intent: "set", id, color: "Moss", engraving: "", quantity: "3" })).toMatchObject({
      status: 200,
    });
    expect((await cart()).lines).toMatchObject([{ color: "Forest", quantity: 3 }]);
    await rename("Fern", "Sand");
    await send({ intent: "remove", id, color: "Forest", engraving: "" });
    expect((await cart()).lines).toEqual([]);
  });

  it("comes back with its unit from a cart that was emptied", async () => {
    const { cart, send } = await withMoss();
    await send({ intent: "clear" });
    await rename("Forest", "Sand");
    await send({ intent: "restore" });
    expect((await cart()).lines).toMatchObject([{ color: "Forest", quantity: 2 }]);
  });

  it("comes back apart from another unit that has got its name since", async () => {
    const { cart, send } = await withMoss();
    await send({ intent: "clear" });
    await rename("Sand", "Moss");
    await send({ intent: "add", id, color: "Moss", quantity: "1" });
    await send({ intent: "restore" });
    expect((await cart()).lines).toMatchObject([
      { color: "Sand", unitId: units[0]?.id, quantity: 2 },
      { color: "Moss", unitId: units[1]?.id, quantity: 1 },
    ]);
  });

  it("comes back together with pieces that were added under its new name", async () => {
    const { cart, send } = await withMoss("1");
    await send({ intent: "clear" });
    await rename("Forest", "Sand");
    await send({ intent: "add", id, color: "Forest", quantity: "1" });
    await send({ intent: "restore" });
    expect((await cart()).lines).toMatchObject([{ color: "Forest", quantity: 2 }]);
  });

  it("is no longer chosen once its unit is gone", async () => {
    const { cart } = await withMoss();
    const json = {
      options: [{ name: "Colour", values: ["Sand"] }],
      units: [{ id: units[1]?.id, options: { Colour: "Sand" }, stock: 12 }],
    };
    await call(`/api/product/${id}`, { method: "PUT", json, token });
    expect((await cart()).lines).toMatchObject([{ unavailable: ["Moss"] }]);
  });

  it("is asked for in the chat as it is called now, and shown so after another change", async () => {
    const { send, page } = await withMoss();
    await rename("Forest", "Sand");
    const { to = "" } = await send({ intent: "chat" });
    const textOf = async () =>
      (await page(to)).replaceAll("<!-- -->", "").split("chat-cart-snapshot")[1] ?? "";
    expect(await textOf()).toContain(`href="/products/${id}?Colour=Forest"`);
    await rename("Fern", "Sand");
    const text = await textOf();
    expect(text).toContain(`href="/products/${id}?Colour=Fern"`);
    expect(text).toContain("Fern");
    const lines = await env.CHAT_ROOM.getByName(to.replace("/chat/", "")).lines();
    expect(lines).toMatchObject([{ unitId: units[0]?.id, color: "Forest" }]);
  });
});
