import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { postMessage, startChat } from "../support/chat";
import { customersScreen, CUSTOMERS as PATH } from "../support/customers-screen";
import { manager } from "../support/people";
import { credit, hold, json, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token: string;
const { names, html, send, add } = customersScreen(() => token);
const inHours = (hours: number) => ({ seconds: Math.floor(Date.now() / 1000) + hours * 3600 });

beforeAll(async () => {
  ({ token } = await manager());
});

const link = (chatId: string, customerId: string) =>
  call("/admin/chat", {
    token,
    body: new URLSearchParams({ intent: "linkCustomer", chatId, customerId }),
  });
const quote = (chatId: string) =>
  json<{ id: string }>(
    call("/api/quote", {
      token,
      json: { chatId, title: "Sign", lines: [{ description: "Sign", quantity: 1, amount: 50 }] },
    }),
  );

/** Reads the invariants of customers that do not hold. */
async function violations() {
  const found = await Promise.all(
    Object.entries(SALE_CHECKS).map(async ([name, sql]) => ({
      name,
      rows: (await env.DB.prepare(sql).all()).results,
    })),
  );
  return found.filter(({ rows }) => rows.length > 0);
}

/** Reads a customer's timeline: its types, newest first, and how many there are. */
async function timeline(id: string) {
  const answer = await call(`/api/customer/${id}/timeline?limit=50`, { token });
  const types = (await json<{ type: string }[]>(answer)).map(({ type }) => type);
  return { types: types.sort(), total: Number(answer.headers.get("X-Total-Count")) };
}

describe("what a customer has is counted through", () => {
  it("sales, credit notes, links, a new link, a merge, decisions and the deletion of a chat", async () => {
    const productId = await addProduct({ name: "Lamp", stock: 50 });
    const { chatId } = await startChat({ userName: "Elif" });
    const { id: openQuote } = await quote(chatId);
    const elif = await add({ name: "Elif Kaya", chatId });
    const other = await add({ name: "E. Kaya" });
    const { id: holdId } = await json<{ id: string }>(
      hold(token, { customerId: elif, until: inHours(2), lines: [{ productId, quantity: 1 }] }),
    );
    const [sale] = await sold(token, {
      customerId: elif,
      lines: [{ description: "Tray", quantity: 2, amount: 30 }],
    });
    await credit(token, sale?.id ?? "", { lines: [{ line: 1, quantity: 1 }] });
    expect(await violations()).toEqual([]);
    expect((await timeline(elif)).types).toEqual(["chat", "document", "document", "hold", "quote"]);
    expect(await names("open=held")).toEqual(["Elif Kaya"]);
    expect(await names("open=quote")).toEqual(["Elif Kaya"]);

    await link(chatId, other);
    await quote(chatId);
    expect(await violations()).toEqual([]);
    expect(await names("open=quote")).toEqual(["E. Kaya"]);

    await send(`${PATH}/${elif}`, { intent: "merge", other });
    await postMessage(chatId, "Is it ready?", { token }, { isFromAdmin: true });
    expect(await violations()).toEqual([]);
    expect((await timeline(elif)).types).toEqual(["chat", "document", "document", "hold", "quote", "quote"]);

    await call(`/api/hold/${holdId}`, { method: "DELETE", token, json: {} });
    await call(`/api/quote/${openQuote}`, { method: "PATCH", token, json: { state: "withdrawn" } });
    expect(await violations()).toEqual([]);
    expect(await names("open=held")).toEqual([]);

    await call(`/api/chat/${chatId}`, { method: "DELETE", token });
    expect(await violations()).toEqual([]);
  });
});

describe("a chat of a customer", () => {
  const lines = [{ description: "Tray", quantity: 1, amount: 30 }];

  it("names the customer's sales elsewhere, also at the counter, and no sale of its own", async () => {
    const { chatId } = await startChat({ userName: "Ida" });
    const id = await add({ name: "Ida Holm", chatId });
    const [here] = await sold(token, { chatId, lines });
    const [counter] = await sold(token, { customerId: id, lines });
    const column = await html(`/admin/chat?chat=${chatId}`);
    expect(column).toContain(`${counter?.number} · Tray`);
    expect(column).not.toContain(`${here?.number} · Tray`);
  });

  it("that is linked to another one leaves its sales and holds with the customer who had them", async () => {
    const productId = await addProduct({ name: "Bowl", stock: 5 });
    const { chatId } = await startChat({ userName: "Lena" });
    const buyer = await add({ name: "Lena Vogt", chatId });
    await sold(token, { chatId, lines });
    expect((await hold(token, { chatId, lines: [{ productId, quantity: 1 }] })).status).toBe(201);
    const other = await add({ name: "Lea Vogt" });
    await link(chatId, other);
    expect((await timeline(buyer)).types).toEqual(["document", "hold"]);
    expect((await timeline(other)).types).toEqual(["chat"]);
  });
});

describe("a customer with much that is open", () => {
  it("is listed with the pieces of the holds that end last, and shows what ends first", async () => {
    const productId = await addProduct({ name: "Vase", stock: 50 });
    const id = await add({ name: "Wei Chen" });
    for (let hour = 1; hour <= 12; hour++)
      await hold(token, { customerId: id, until: inHours(hour), lines: [{ productId, quantity: 1 }] });
    expect(await html(PATH)).toContain("10+ set aside until");
    const page = await html(`${PATH}/${id}`);
    expect(page).toContain("More are open.");
    expect(page.match(/>Release</g)).toHaveLength(8);
    expect(await violations()).toEqual([]);
  });
});
