import { beforeAll, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { formWith, press, submit } from "../support/forms";
import { manager } from "../support/people";
import { addProduct, call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const page = async (path: string) => (await call(path, { token })).text();
const lamp = (stock = 5) =>
  addProduct({ name: "Walnut lamp", priceCents: 6400, stock, category: "HOME_DECOR" });
const NEW = "/admin/sales/new";

it("reports wrong fields, shortages and deleted products at once, also in one line", async () => {
  const [scarce, other, gone] = [
    await lamp(2),
    await addProduct({ name: "Oat balm", stock: 1 }),
    await lamp(),
  ];
  const path = `${NEW}?products=${scarce},${other},${gone}`;
  const { fields } = formWith(await page(path), /^Record sale/);
  const record = (typed: Record<string, string>) =>
    submit(path, { ...fields, ...typed, intent: "record" }, { token });
  await call(`/api/product/${gone}`, { method: "DELETE", token });
  const line = (i: number, productId: string, quantity: string, price: string) => ({
    [`lines[${i}].unitId`]: productId,
    [`lines[${i}].businessType`]: "EMPORIA",
    [`lines[${i}].description`]: "",
    [`lines[${i}].quantity`]: quantity,
    [`lines[${i}].price`]: price,
  });
  const sale = {
    ...line(0, scarce, "3", "1.005"),
    ...line(1, other, "2", "5"),
    ...line(2, gone, "1", "5"),
  };
  const wrong = await record({ ...sale, createdAt: "2026-02-30" });
  const text = await wrong.text();
  expect(wrong.status).toBe(400);
  expect(text).toContain("There is no such day as 2026-02-30");
  expect(text).toMatch(/id="line-0-stock-error">(?:(?!<\/span>).)*2 left</);
  expect(text).toContain(
    'id="line-0-price-error">The point can mean thousands or cents: write it like 1005.00 or 1.01<',
  );
  expect(text).toContain("1 left");
  expect(text).toContain("This product was deleted.");
  expect(text).toContain("Please check the date and 3 lines.");
  expect(formWith(text, /^Record sale/).buttons.map((button) => button.text)).toEqual(
    expect.arrayContaining(["Sell 2", "Sell 1", "Sell as own line", "Leave out"]),
  );
  const detached = formWith(
    await (await press(text, /^Sell as own line/, {}, { token })).text(),
    /^Record sale/,
  );
  expect(detached.fields["lines[2].unitId"]).toBe("");
  expect(detached.fields["lines[0].unitId"]).toBe(scarce);
  const refused = await record({ ...sale, "lines[0].price": "1.00" });
  const left = await refused.text();
  expect(refused.status).toBe(409);
  for (const message of ["2 left", "1 left", "This product was deleted."]) expect(left).toContain(message);
});

it("reports a wrong time and a shortage of a hold at once, and offers to set aside what is left", async () => {
  const productId = await lamp(1);
  const path = `/admin/sales/hold?products=${productId}`;
  const { fields } = formWith(await page(path), /^Set aside/);
  const line = { "lines[0].unitId": productId, "lines[0].quantity": "3", "lines[0].description": "" };
  const typed = { ...fields, ...line, until: "2001-01-01T18:00", intent: "hold" };
  const refused = await submit(path, typed, { token });
  const html = await refused.text();
  expect(refused.status).toBe(400);
  expect(html).toContain(">1 left<");
  expect(html).toContain("Must be in the future");
  expect(html).toContain("Please check the time and line 1.");
  expect(html).toContain("Set aside 1</button>");
});

it.each([
  ["2026-13-45", "There is no such day as 2026-13-45"],
  ["0000-00-00", "There is no such day as 0000-00-00"],
  ["2026-02-30T10:00", "There is no such day as 2026-02-30"],
  ["2026-02-20T25:61", "Must be a day with a time"],
])("reports that the time of a hold or quote does not exist: %s", async (at, problem) => {
  const holdForm = await page(`/admin/sales/hold?products=${await lamp(5)}`);
  const held = await press(holdForm, /^Set aside/, { until: at }, { token });
  expect([held.status, await held.text()]).toEqual([400, expect.stringContaining(problem)]);
  const { chatId } = await startChat({ initialMessage: "Hello" });
  const quoteForm = await page(`/admin/sales/quote?chat=${chatId}`);
  const sent = await press(quoteForm, /^Send quote/, { title: "Sign", validUntil: at }, { token });
  expect([sent.status, await sent.text()]).toEqual([400, expect.stringContaining(problem)]);
});

it("asks once about the date of a sale in another month, without JavaScript", async () => {
  const path = `${NEW}?products=${await lamp()}`;
  const line = { "lines[0].description": "Gift wrap", "lines[0].quantity": "1", "lines[0].price": "2.50" };
  const far = { ...line, "lines[0].businessType": "EMPORIA", createdAt: "2062-01-05" };
  const asked = await press(await page(path), /^Record sale/, far, { token });
  expect(asked.status).toBe(400);
  const html = await asked.text();
  expect(html).toMatch(/Dated \d+ years ahead, Thursday 5th January 2062\. Press again if that is right\./);
  let still = html;
  for (const [price, problem] of [
    ["x", "Write it like 1850.00"],
    ["1,850", "The comma can mean thousands or cents: write it like 1850.00 or 1.85"],
    ["-4.80", "To give a discount, lower the price"],
  ] as const) {
    const wrong = await press(still, /^Record sale/, { "lines[0].price": price }, { token });
    still = await wrong.text();
    expect([wrong.status, still]).toEqual([400, expect.stringContaining(problem)]);
  }
  const done = await press(still, /^Record sale/, { "lines[0].price": "$1,850.00" }, { token });
  expect(done.status).toBe(303);
  const sales = (await (await call("/api/sale?q=Gift+wrap", { token })).json()) as { total: number }[];
  expect(sales.map(({ total }) => total)).toContain(1850);
});

it("asks once about a line that was typed but not added, without JavaScript", async () => {
  const path = `${NEW}?products=${await lamp()}`;
  const line = { "lines[0].description": "Lamp", "lines[0].quantity": "1", "lines[0].price": "2.50" };
  const form = { ...line, "lines[0].businessType": "EMPORIA", find: "Gift <wrap>" };
  const asked = await press(await page(path), /^Record sale/, form, { token });
  const html = await asked.text();
  expect(html).toContain("No line for “Gift &lt;wrap&gt;” yet. Press again if that is right.");
  expect(html).toContain('value="Gift &lt;wrap&gt;"');
  const { chatId } = await startChat({});
  const hold = await press(
    await page(`/admin/sales/hold?chat=${chatId}`),
    /^Set aside/,
    { find: "ring" },
    { token },
  );
  // Beside an error there is nothing to confirm.
  const refused = await hold.text();
  expect(refused).toContain("At least one line is required");
  expect(refused).not.toContain("No line for “ring”");
  expect((await press(html, /^Record sale/, {}, { token })).status).toBe(303);
});

it("asks nothing about a form that has errors, and records nothing", async () => {
  const productId = await lamp(2);
  const path = `${NEW}?products=${productId}`;
  const { fields } = formWith(await page(path), /^Record sale/);
  const line = { "lines[0].unitId": productId, "lines[0].quantity": "3", "lines[0].price": "64" };
  const far = { ...line, "lines[0].businessType": "EMPORIA", createdAt: "2062-01-05" };
  const record = async (typed: Record<string, string>) =>
    (await submit(path, { ...fields, ...far, ...typed, intent: "record" }, { token })).text();
  const short = await record({});
  for (const text of ["2 left", "Sell 2</button>"]) expect(short).toContain(text);
  const empty = await press(await page(NEW), /^Record sale/, { createdAt: "2019-03-05" }, { token });
  const noLines = await empty.text();
  expect([empty.status, noLines]).toEqual([400, expect.stringContaining("At least one line is required")]);
  for (const html of [short, noLines]) {
    expect(html).not.toContain("Press again");
    expect(html).not.toContain('name="confirmed"');
  }
  expect(await record({ "lines[0].price": "x" })).toMatch(/id="line-0-price-error">Write it like 1850\.00/);
  const noPieces = await record({ "lines[0].quantity": "x", "lines[0].price": "$1,850.00" });
  expect(noPieces).toContain('id="line-0-quantity-error"');
  expect(noPieces).not.toContain('id="line-0-price-error"');
  const hold = await page(`/admin/sales/hold?products=${productId}`);
  const typed = { ...line, find: "ring", until: "2001-01-01T18:00" };
  const held = await (await press(hold, /^Set aside/, typed, { token })).text();
  for (const text of ["Must be in the future", "2 left"]) expect(held).toContain(text);
  expect(held).not.toContain("Press again");
  expect(await (await call(`/api/product/id/${productId}`, { token })).json()).toMatchObject({ stock: 2 });
});

it("says each problem of an empty quote at its own field", async () => {
  const { chatId } = await startChat({});
  const form = await page(`/admin/sales/quote?chat=${chatId}`);
  const empty = { "lines[0].description": "", "lines[0].quantity": "", "lines[0].price": "" };
  const html = await (await press(form, /^Send quote/, empty, { token })).text();
  for (const [field, problem] of [
    ["description", "Description is required"],
    ["quantity", "Must be a whole number"],
    ["price", "Required"],
  ]) {
    expect(html).toMatch(new RegExp(`id="line-0-${field}-error">${problem}[^;<]*<`));
    expect(html).toMatch(
      new RegExp(`name="lines\\[0\\]\\.${field}"[^>]*aria-describedby="line-0-${field}-error`),
    );
  }
  expect(html).toContain("Title is required");
  expect(html).toContain("Please check the title and line 1.");
});

it.each([
  ["a sale", NEW, /^Record sale/, {}],
  ["a hold", "/admin/sales/hold", /^Set aside/, {}],
  ["a quote", "/admin/sales/quote", /^Send quote/, { title: "Coasters" }],
] as const)(
  "says once, where the lines belong, that %s has none, and names them in the foot",
  async (_, path, button, typed) => {
    const { chatId } = await startChat({});
    const form = await page(`${path}?chat=${chatId}`);
    const { fields } = formWith(form, button);
    const others = Object.entries(fields).filter(([name]) => !name.startsWith("lines["));
    const intent = { sale: "record", hold: "hold", quote: "quote" }[_.slice(2)] ?? "";
    const send = async (more: Record<string, string>) => {
      const body = { ...Object.fromEntries(others), ...more, intent };
      const answer = await submit(`${path}?chat=${chatId}`, body, { token });
      return [answer.status, await answer.text()] as const;
    };
    const [status, html] = await send(typed);
    expect(status).toBe(400);
    expect(html).toMatch(
      /<p class="sale-empty sale-problem"[^>]*>.*?At least one line is required\. Add what you/,
    );
    const visible = html.replace(/<script.*?<\/script>/gs, "");
    expect(visible.match(/At least one line is required/g)).toHaveLength(1);
    expect(html).toMatch(/<p class="error grow" role="status">(?:(?!<\/p>).)*Please check the lines\.<\/p>/);
  },
);

it("names fields and missing lines together", async () => {
  const { chatId } = await startChat({});
  const path = `/admin/sales/quote?chat=${chatId}`;
  const { fields } = formWith(await page(path), /^Send quote/);
  const others = Object.entries(fields).filter(([name]) => !name.startsWith("lines["));
  const refused = await submit(path, { ...Object.fromEntries(others), intent: "quote" }, { token });
  expect(await refused.text()).toContain("Please check the title and the lines.");
});

it("says that a line can’t be quoted", async () => {
  const { chatId } = await startChat({});
  const form = await page(`/admin/sales/quote?chat=${chatId}`);
  const line = { title: "Coasters", "lines[0].description": "Coaster" };
  const refused = await press(form, /^Send quote/, line, { token });
  expect(await refused.text()).toMatch(/Line 1: \w/);
});
