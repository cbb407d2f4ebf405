import { beforeAll, describe, expect, it } from "vitest";
import { messagesOf, startChat } from "../support/chat";
import { formWith, press, submit } from "../support/forms";
import { manager } from "../support/people";
import { hold, json, registerForTax, type SaleAnswer, sendQuote, sold, stockOf } from "../support/sales";
import { addProduct, addUser, call, cookiesOf, openSession } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
  await registerForTax("EMPORIA");
});

const soon = () => Math.floor(Date.now() / 1000) + 3600;
const page = async (path: string) => (await call(path, { token })).text();
const documents = () => json<SaleAnswer[]>(call("/api/sale", { token }));
const lamp = (stock = 5) =>
  addProduct({ name: "Walnut lamp", priceCents: 6400, stock, category: "HOME_DECOR" });
const NEW = "/admin/sales/new";

describe("Record sale", () => {
  it("is filled from the chat's cart and recorded without JavaScript by one form", async () => {
    const productId = await lamp();
    const cart = cookiesOf(await submit("/cart", { intent: "add", id: productId, quantity: "2" }));
    const started = await submit("/cart", { intent: "chat" }, { cookie: cart });
    const chatId = started.headers.get("Location")?.replace(/^\/chat\//, "") ?? "";
    const html = await page(`${NEW}?chat=${chatId}`);
    expect(await page(`/admin/chat?chat=${chatId}`)).toContain("as it was asked for");
    expect(html).toContain("HST 13%, included");
    expect(formWith(html, /^Record sale/).fields).toMatchObject({
      chatId,
      "lines[0].unitId": productId,
      "lines[0].quantity": "2",
      "lines[0].price": "64.00",
      "lines[0].businessType": "EMPORIA",
      paymentMode: "CASH",
    });
    const done = await press(html, /^Record sale/, {}, { token });
    expect([done.status, done.headers.get("Location")]).toEqual([303, `/admin/chat?chat=${chatId}`]);
    expect(await stockOf(productId)).toMatchObject({ stock: 3 });
    const [document] = await documents();
    expect(document).toMatchObject({ chatId, source: "chat", total: 128 });
    const messages = await messagesOf(chatId, { token });
    expect(messages.at(-1)?.cards).toEqual([{ type: "receipt", documentId: document?.id }]);
    const toast = await call(`/admin/chat?chat=${chatId}`, { token, cookie: cookiesOf(done) });
    const shown = await toast.text();
    expect(shown).toContain(`Sale recorded: ${document?.number}`);
    expect(shown).toContain(`href="/receipts/${document?.id}.pdf"`);
    // What was sold is not offered again.
    expect(shown).not.toContain("as it was asked for");
    expect(await page(`${NEW}?chat=${chatId}`)).not.toContain("lines[0].unitId");
  });

  it("has a line for each product that its address names, and none twice", async () => {
    const [first, second] = [await lamp(), await addProduct({ name: "Oat balm", priceCents: 850 })];
    await hold(token, { until: soon(), lines: [{ productId: first, quantity: 2 }] });
    const linesAt = async (path: string) => {
      const { fields } = formWith(await page(path), /^(Record sale|Set aside)/);
      return [0, 1, 2, 3].flatMap((i) => {
        const of = (name: string) => fields[`lines[${i}].${name}`];
        return of("unitId") ? [[of("unitId"), of("quantity"), of("price")]] : [];
      });
    };
    const [balm, board] = [
      [second, "1", "8.50"],
      [first, "1", "64.00"],
    ];
    expect(await linesAt(`${NEW}?products=${second},${first},nobody,${second}`)).toEqual([balm, board]);
    const { chatId } = await startChat({});
    const held = await json<{ id: string }>(
      hold(token, { chatId, until: soon(), lines: [{ productId: first, quantity: 2 }] }),
    );
    expect(await linesAt(`${NEW}?hold=${held.id}&products=${first},${second}`)).toEqual([
      [first, "2", "64.00"],
      balm,
    ]);
    const gone = await lamp(0);
    expect(await linesAt(`/admin/sales/hold?products=${gone},${second}`)).toEqual([[second, "1", undefined]]);
  });

  it("sent twice records once", async () => {
    const productId = await lamp();
    const html = await page(`${NEW}?products=${productId}`);
    const fields = {
      "lines[0].unitId": productId,
      "lines[0].quantity": "1",
      "lines[0].price": "60.00",
      "lines[0].businessType": "EMPORIA",
    };
    for (let i = 0; i < 2; i++)
      expect((await press(html, /^Record sale/, fields, { token })).status).toBe(303);
    expect(await stockOf(productId)).toMatchObject({ stock: 4 });
  });

  it("shows a shortage at its line with the act that solves it, and keeps what was typed", async () => {
    const [scarce, other] = [await lamp(2), await addProduct({ name: "Oat balm", stock: 9 })];
    await hold(token, { until: soon(), lines: [{ productId: scarce, quantity: 1 }] });
    const html = await page(NEW);
    const line = (i: number, unitId: string, fields: Record<string, string>) =>
      Object.fromEntries(
        Object.entries({ unitId, businessType: "EMPORIA", ...fields }).map(([name, value]) => [
          `lines[${i}].${name}`,
          value,
        ]),
      );
    const form = formWith(html, /^Record sale/);
    const typed: Record<string, string> = {
      ...form.fields,
      ...line(0, other, { description: "Oat balm", quantity: "3", price: "17.50" }),
      ...line(1, scarce, { description: "Walnut lamp", quantity: "2", price: "55.00" }),
      customerName: "Ines <Carvalho>",
      paymentMode: "CARD",
      intent: "record",
    };
    const refused = await submit(`${NEW}?products=${other},${scarce}`, typed, { token });
    const again = await refused.text();
    expect(refused.status).toBe(409);
    expect(again).toMatch(/2 left, 1 of them on hold until \w+day \d\d:\d\d/);
    expect(again).toMatch(/Line 2: Walnut lamp: 2 left, 1 of them on hold/);
    const kept = formWith(again, /^Record sale/);
    expect(kept.fields).toMatchObject({
      id: typed.id,
      "lines[0].price": "17.50",
      "lines[1].quantity": "2",
      "lines[1].price": "55.00",
      customerName: "Ines <Carvalho>",
      createdAt: typed.createdAt,
      paymentMode: "CARD",
    });
    const mended = await (await press(again, /^Sell 1$/, {}, { token })).text();
    expect(formWith(mended, /^Record sale/).fields).toMatchObject({
      id: typed.id,
      "lines[1].quantity": "1",
      customerName: "Ines <Carvalho>",
      paymentMode: "CARD",
    });
    expect((await press(mended, /^Record sale/, {}, { token })).status).toBe(303);
    const recorded = (await documents()).find(({ customerName }) => customerName === "Ines <Carvalho>");
    expect(recorded).toMatchObject({ total: 107.5 });
  });

  it("adds a new customer with the sale: once for a form, none for a sale that is refused", async () => {
    const productId = await lamp(1);
    const form = {
      ...formWith(await page(`${NEW}?products=${productId}`), /^Record sale/).fields,
      ...{
        intent: "record",
        newCustomer: "on",
        customerName: "Berit Till",
        customerEmail: "berit@mail.example",
      },
    };
    const send = (typed: Record<string, string>) => submit(NEW, { ...form, ...typed }, { token });
    const customers = () =>
      json<{ id: string; name: string }[]>(call("/api/customer?q=berit+till", { token }));
    const refusals = [
      [{ customerEmail: "nonsense" }, "Please check the email of the customer."],
      [{ customerName: "" }, "Please check the name on the receipt."],
      [{ "lines[0].quantity": "2" }, "Line 1: Walnut lamp: 1 left"],
    ] as const;
    for (const [typed, message] of refusals) {
      const refused = await send(typed);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(await refused.text()).toContain(message);
    }
    expect(await customers()).toEqual([]);
    const answers = await Promise.all([send({}), send({}), send({})]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const [customer, ...others] = await customers();
    expect(others).toEqual([]);
    const recorded = (await documents()).filter(({ customerId }) => customerId === customer?.id);
    expect(recorded).toMatchObject([{ customerName: "Berit Till", total: 64 }]);
  });

  it("adds found products and free lines, and removes lines, without JavaScript", async () => {
    const productId = await addProduct({ name: "Zebrawood tray", priceCents: 3300, stock: 4 });
    let html = await page(NEW);
    // Enter in the field presses the form's first button.
    const entered = await (await press(html, /^Update$/, { find: "zebrawood" }, { token })).text();
    expect(formWith(entered, /^Record sale/).fields).toMatchObject({ "lines[0].unitId": productId });
    html = await (await press(html, /^Search products/, { find: "zebrawood" }, { token })).text();
    html = await (await press(html, /^Add Zebrawood tray, \$33\.00, 4 free$/, {}, { token })).text();
    html = await (await press(html, /^Add own line/, { find: "Gift wrap" }, { token })).text();
    expect(formWith(html, /^Record sale/).fields).toMatchObject({
      "lines[0].unitId": productId,
      "lines[1].description": "Gift wrap",
    });
    html = await (await press(html, /^Update totals/, { "lines[1].price": "2.50" }, { token })).text();
    expect(html).toContain("$35.50");
    const { fields, action } = formWith(html, /^Record sale/);
    const left = await (await submit(action, { ...fields, edit: "remove.0" }, { token })).text();
    expect(formWith(left, /^Record sale/).fields).toMatchObject({ "lines[0].description": "Gift wrap" });
    expect(left).not.toContain("lines[1].price");
  });

  it("records an own line in the category of its business", async () => {
    for (const [businessType, category] of [
      ["EMPORIA", "OTHERS"],
      ["LASER", "ENGRAVING"],
    ]) {
      const html = await (
        await press(await page(NEW), /^Add own line/, { find: "By hand" }, { token })
      ).text();
      const typed = { "lines[0].businessType": businessType ?? "", "lines[0].price": "21.00" };
      expect((await press(html, /^Record sale/, typed, { token })).status).toBe(303);
      const [invoice] = await json<{ description: string; category: string }[]>(
        call("/api/invoice/all", { token }),
      );
      expect(invoice).toMatchObject({ description: "By hand", businessType, category });
    }
  });

  it.each([
    ["no lines", {}, "At least one line is required"],
    ["a quantity of 0", { quantity: "0" }, "Must be a whole number"],
    ["a quantity of 1.5", { quantity: "1.5" }, "Must be a whole number"],
    ["three decimals", { price: "1.005" }, "The point can mean thousands or cents"],
    ["no price", { price: "" }, "Required"],
    ["no description", { description: " " }, "Description is required"],
  ])("rejects %s", async (_, wrong: Record<string, string>, message) => {
    const html = await page(NEW);
    const line = {
      description: "Gift wrap",
      quantity: "1",
      price: "2.50",
      businessType: "EMPORIA",
      ...wrong,
    };
    const lines = Object.entries(line).map(([name, value]) => [`lines[0].${name}`, value]);
    const typed = Object.keys(wrong).length > 0 ? Object.fromEntries(lines) : {};
    const answer = await press(html, /^Record sale/, typed, { token });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(message);
  });

  it("refuses names of fields that no form has", async () => {
    for (const name of ["lines", "lines[100].price", "lines[0].price.x", "lines[0].__proto__"])
      expect((await submit(NEW, { intent: "record", [name]: "1" }, { token })).status).toBe(400);
  });

  it("is for staff; an unknown chat is a 404", async () => {
    const { chatId, cookie } = await startChat({});
    const visitor = await call(`${NEW}?chat=${chatId}`, { cookie });
    expect(visitor.headers.get("Location")).toContain("/login?redirectTo=");
    const customer = await openSession((await addUser()).id);
    expect((await call(NEW, { token: customer })).headers.get("Location")).toBe("/unauthorized");
    const answer = await submit(NEW, { intent: "record" }, { token: customer });
    expect(answer.headers.get("Location")).toBe("/unauthorized");
    expect((await call(`${NEW}?chat=unknown`, { token })).status).toBe(404);
  });

  it("refuses a hold or a quote that does not exist, also of no line", async () => {
    const html = await page(`${NEW}?products=${await lamp()}`);
    const before = (await documents()).length;
    for (const [name, message] of [
      ["holdId", "Hold not found"],
      ["quoteId", "Quote not found"],
    ] as const)
      for (const [field, value] of [
        ["customerName", ""],
        ["lines[0].from", name.slice(0, -2)],
        ["createdAt", "2019-03-05"],
      ] as const) {
        const answer = await press(html, /^Record sale/, { [name]: "nope", [field]: value }, { token });
        expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(message)]);
      }
    expect(await documents()).toHaveLength(before);
    for (const query of ["hold=nope", "quote=nope"])
      expect((await call(`${NEW}?${query}`, { token })).status).toBe(404);
  });

  it("says that a quote of the conversation waits for an answer, until it has one", async () => {
    const { chatId, cookie } = await startChat({});
    const address = `${NEW}?chat=${chatId}`;
    expect(await page(address)).not.toContain("not answered");
    await sendQuote(token, chatId, "Harbour coasters");
    const html = (await page(address)).replace(/<!-- -->/g, "");
    const [, link = ""] =
      /not answered the quote <a[^>]* href="([^"]+)">“Harbour coasters”, \$36\.00<\/a>/.exec(html) ?? [];
    const [path = "", id = ""] = link.split("#");
    expect(await page(path.replaceAll("&amp;", "&"))).toContain(`id="${id}"`);
    const visitors = await (await call(`/chat/${chatId}`, { cookie })).text();
    expect((await press(visitors, /^Accept$/, {}, { cookie })).status).toBe(303);
    const accepted = await page(address);
    expect(accepted).toContain("quote “Harbour coasters”");
    expect(accepted).not.toContain("not answered");
  });

  it("ends its hold", async () => {
    const productId = await lamp(2);
    const { chatId } = await startChat({});
    const placed = await json<{ id: string }>(
      hold(token, { chatId, until: soon(), lines: [{ productId, quantity: 2 }] }),
    );
    const html = await page(`${NEW}?chat=${chatId}&hold=${placed.id}`);
    expect(html).toContain("2 set aside here, 0 more free");
    expect((await press(html, /^Record sale/, {}, { token })).status).toBe(303);
    expect(await stockOf(productId)).toMatchObject({ stock: 0, held: 0 });
    await expect(sold(token, { lines: [{ productId, quantity: 1, amount: 1 }] })).rejects.toThrow("409");
  });
});
