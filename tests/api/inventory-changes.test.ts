import { beforeAll, describe, expect, it } from "vitest";
import { formWith } from "../support/forms";
import { dataUrl, loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { hold, json, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

const PAGE = "/admin/inventory-management";
let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

interface Failure {
  failure: string;
  lastResult: { error: Record<string, string[]>; initialValue: Record<string, string> };
}

/** Sends the form of a row as its script does. */
const change = (fields: Record<string, string>) =>
  call(dataUrl(PAGE), {
    method: "POST",
    body: new URLSearchParams({ intent: "setStock", quietly: "1", ...fields }),
    token,
  });
const html = async (path: string) => (await call(path, { token })).text();
const inAnHour = () => ({ seconds: Math.floor(Date.now() / 1000) + 3600 });
const inTwoHours = () => ({ seconds: Math.floor(Date.now() / 1000) + 7200 });

describe("a relative stock", () => {
  it.each([
    ["+12", 16],
    ["-2", 2],
    ["−4", 0],
    ["+ 1", 5],
    ["+0", 4],
    ["40", 40],
  ])("%s from 4 leads to %i", async (stock, after) => {
    const id = await addProduct({ stock: 4 });
    expect((await change({ id, stock, was: "4" })).status).toBe(200);
    expect(await stockOf(id)).toEqual({ stock: after, held: 0, moved: after });
  });

  it("needs no stock that the caller saw, unlike an absolute one", async () => {
    const id = await addProduct({ stock: 4 });
    expect((await change({ id, stock: "+1", was: "99" })).status).toBe(200);
    expect((await change({ id, stock: "9", was: "99" })).status).toBe(409);
    expect(await stockOf(id)).toMatchObject({ stock: 5 });
  });

  it("is refused below 0 and above the limit, with the reason, and changes nothing", async () => {
    const id = await addProduct({ stock: 4 });
    const below = await change({ id, stock: "−5", was: "4" });
    expect(below.status).toBe(409);
    const { failure, lastResult } = (await below.json()) as Failure;
    expect(failure).toBe("Stock not saved: −5 of 4: more than there is");
    expect(lastResult.initialValue.stock).toBe("−5");
    expect((await change({ id, stock: "+999999", was: "4" })).status).toBe(409);
    expect(await stockOf(id)).toMatchObject({ stock: 4, moved: 4 });
  });

  it("adds up in parallel: 50 times +1 is +50, and 50 times −1 of 10 is −10", async () => {
    const id = await addProduct({ stock: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => change({ id, stock: "+1" })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await stockOf(id)).toMatchObject({ stock: 60, moved: 60 });
    const last = await addProduct({ stock: 10 });
    const taken = await Promise.all(Array.from({ length: 50 }, () => change({ id: last, stock: "-1" })));
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await stockOf(last)).toMatchObject({ stock: 0, moved: 0 });
  });

  it("changes the stock once when a request is repeated with its id", async () => {
    const id = await addProduct({ stock: 4 });
    const again = () => change({ id, stock: "-3", change: "lost-answer" });
    const answers = [await again(), await again(), ...(await Promise.all([again(), again()]))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await stockOf(id)).toMatchObject({ stock: 1, moved: 1 });
    expect((await change({ id, stock: "+3", change: "lost-answer" })).status).toBe(409);
    expect(await stockOf(id)).toMatchObject({ stock: 1 });
  });
});

describe("availability in the inventory", () => {
  it("stands beside the stock, and a product wholly on hold is not out", async () => {
    const id = await addProduct({ name: "Held umbrella", stock: 2 });
    const placed = await json<{ id: string }>(
      hold(token, { until: inAnHour(), lines: [{ productId: id, quantity: 2 }] }),
    );
    const page = await loaderData<{ rows: object[] }>(`${PAGE}?q=held+umbrella`, { token });
    expect(page.rows).toMatchObject([{ stock: 2, available: 0, held: 2 }]);
    expect(await html(`${PAGE}?q=held+umbrella`)).toContain("All on hold");
    const csv = await html(`${PAGE}.csv?q=held+umbrella`);
    expect(csv).toContain("Held umbrella,Others,10.00,0,2,All on hold");
    const form = new URLSearchParams({ intent: "release", id: placed.id });
    const released = await call(`${PAGE}?movements=${id}`, { method: "POST", body: form, token });
    expect([released.status, released.headers.get("Location")]).toEqual([303, `${PAGE}?movements=${id}`]);
    expect(await stockOf(id)).toMatchObject({ held: 0 });
  });
});

describe("a product on hold", () => {
  const held = async (pieces: number) => {
    const id = await addProduct({
      name: "Awaited umbrella",
      stock: 5,
      imageUrls: ["https://pictures.example/a.jpg"],
    });
    const lines = [{ productId: id, quantity: pieces }];
    expect((await hold(token, { until: inAnHour(), lines })).status).toBe(201);
    return id;
  };
  /** Reads the page that a form leads to, with its toast. */
  const followed = async (answer: Response) => {
    const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    return (await call(answer.headers.get("Location") ?? "", { token, cookie: cookie.join("; ") })).text();
  };
  /** Presses the button of a product's form. */
  const update = (page: string, typed: Record<string, string>) => {
    const { action, fields } = formWith(page, /^Update Product/);
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...typed, intent: "update" }))
      body.append(name, value);
    return call(action, { method: "POST", body, token });
  };
  const list = "/admin/products-management";

  const put = (id: string, changes: object) =>
    call(`/api/product/${id}`, { method: "PUT", json: changes, token });

  it("may be set below that, as goods break, and the answers say so", async () => {
    const id = await held(3);
    const body = new URLSearchParams({ intent: "setStock", id, stock: "2", held: "3" });
    const saved = await call(`${PAGE}?q=awaited`, { method: "POST", body, token });
    expect(await followed(saved)).toContain("Awaited umbrella: stock set to 2. More are on hold: 3");
    expect(await json(put(id, { stock: 1 }))).toMatchObject({ stock: 1, available: 0 });
    const enough = new URLSearchParams({ intent: "setStock", id, stock: "3" });
    const plain = await call(`${PAGE}?q=awaited`, { method: "POST", body: enough, token });
    expect(await followed(plain)).not.toContain("More are on hold");
  });

  it("keeps its stock for one who saw fewer on hold: forms, cells and the API", async () => {
    const id = await held(3);
    const refused = await put(id, { stock: 2, heldWas: 2 });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({
        details: [
          { path: "stock", message: "3 on hold, more than 2. Save again to set it anyway." },
          { path: "heldWas", message: "3" },
        ],
      }),
    ]);
    expect((await put(id, { stock: 2, stockWas: 5, heldWas: 2 })).status).toBe(409);
    const changes: Record<string, string>[] = [
      { stock: "2", was: "5", held: "2" },
      { stock: "-3", held: "2" },
      { stock: "2", held: "2" },
    ];
    for (const change of changes) {
      const body = new URLSearchParams({ intent: "setStock", quietly: "1", id, ...change });
      const answer = await call(PAGE, { method: "POST", body, token });
      expect([answer.status, await answer.text()]).toEqual([
        409,
        expect.stringContaining("3 on hold, more than 2."),
      ]);
    }
    // Pieces that were set aside after the form was opened.
    const opened = await html(`${list}?edit=${id}`);
    const more = { until: inAnHour(), lines: [{ productId: id, quantity: 1 }] };
    expect((await hold(token, more)).status).toBe(201);
    const late = await update(opened, { stock: "3" });
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining("4 on hold, more than 3."),
    ]);
    expect(await stockOf(id)).toMatchObject({ stock: 5, held: 4 });
    expect((await put(id, { stock: 4 })).status).toBe(200);
    expect((await put(id, { name: "Awaited umbrella", stock: 4 })).status).toBe(200);
    expect((await put(id, { stock: 3, heldWas: 4 })).status).toBe(200);
    // A stock that rises is no question, though it stays below.
    expect((await put(id, { stock: 2, heldWas: 4 })).status).toBe(200);
    expect((await put(id, { stock: 3 })).status).toBe(200);
  });

  it("is asked about once by its form before a stock below that, without JavaScript", async () => {
    const id = await held(3);
    const path = `${list}?edit=${id}`;
    const asked = await update(await html(path), { stock: "2" });
    const page = await asked.text();
    expect(asked.status).toBe(400);
    expect(page).toContain("Stock: 3 on hold, more than 2. Press again to save it anyway.");
    expect(await stockOf(id)).toMatchObject({ stock: 5 });
    const other = await update(page, { stock: "1" });
    expect([other.status, await other.text()]).toEqual([
      400,
      expect.stringContaining("Stock: 3 on hold, more than 1."),
    ]);
    expect((await update(page, {})).status).toBe(303);
    expect(await stockOf(id)).toMatchObject({ stock: 2, held: 3 });
    // Its other fields raise no question.
    expect((await update(await html(path), { price: "12.00" })).status).toBe(303);
  });

  it("is asked about once by its form before a tenfold stock, without JavaScript", async () => {
    const id = await held(3);
    const asked = await update(await html(`${list}?edit=${id}`), { stock: "50" });
    const page = await asked.text();
    expect(asked.status).toBe(400);
    expect(page).toContain("Stock: 5 → 50? Press again to save it anyway.");
    expect(await stockOf(id)).toMatchObject({ stock: 5 });
    expect((await update(page, {})).status).toBe(303);
    expect(await stockOf(id)).toMatchObject({ stock: 50, held: 3 });
    expect((await update(await html(`${list}?edit=${id}`), { stock: "6" })).status).toBe(303);
  });

  it("can't be deleted: form and API say who holds it, and it goes once that is released", async () => {
    const [two, none] = [await held(2), await addProduct({ name: "Free umbrella" })];
    const customer = await call("/api/customer", { token, json: { name: "Ann Lee" } });
    const { id: customerId } = await json<{ id: string }>(customer);
    const lines = [{ productId: two, quantity: 1 }];
    const of = await json<{ id: string }>(hold(token, { customerId, until: inTwoHours(), lines }));
    const holders = "Awaited umbrella is on hold for a customer: 2, Ann Lee: 1. Release them first.";
    const asked = await html(`${list}?delete=${two}`);
    expect(asked).toContain("“Awaited umbrella” is on hold for a customer: 2, Ann Lee: 1.");
    expect(asked).toContain(`href="/admin/inventory-management?movements=${two}"`);
    expect(asked).not.toContain("This action cannot be undone.");
    expect(await html(`${list}?delete=${none}`)).not.toContain("on hold");
    const remove = async (id: string) => {
      const answer = await call(`/api/product/${id}`, { method: "DELETE", token });
      return [answer.status, await answer.json()];
    };
    expect(await remove(two)).toEqual([409, expect.objectContaining({ message: holders })]);
    const form = new URLSearchParams({ intent: "delete", id: two });
    const byForm = await call(list, { method: "POST", body: form, token });
    expect([byForm.status, await byForm.text()]).toEqual([
      409,
      expect.stringContaining(`Failed to delete product: ${holders}`),
    ]);
    expect(await stockOf(two)).toMatchObject({ stock: 5, held: 3, moved: 5 });
    await call(`/api/hold/${of.id}`, { method: "DELETE", token });
    expect(await remove(two)).toEqual([
      409,
      expect.objectContaining({
        message: "Awaited umbrella is on hold for a customer: 2. Release it first.",
      }),
    ]);
    expect(await remove(none)).toEqual([200, { message: "Product deleted successfully!" }]);
  });

  it("is held or deleted, never both, by parallel requests", async () => {
    for (let round = 0; round < 5; round++) {
      const id = await addProduct({ stock: 5 });
      const lines = [{ productId: id, quantity: 1 }];
      const [placed, deleted] = await Promise.all([
        hold(token, { until: inAnHour(), lines }),
        call(`/api/product/${id}`, { method: "DELETE", token }),
      ]);
      expect([placed.status, deleted.status].sort()).toEqual(
        placed.status === 201 ? [201, 409] : [200, expect.any(Number)],
      );
      expect(await stockOf(id)).toMatchObject(placed.status === 201 ? { stock: 5, held: 1 } : { stock: 0 });
    }
  });
});

it("the panel of a product lists ten holds, and says when there are more", async () => {
  const id = await addProduct({ stock: 20 });
  const more = "More are on hold. Listed is what ends first.";
  const place = () => hold(token, { until: inAnHour(), lines: [{ productId: id, quantity: 1 }] });
  for (let n = 0; n < 10; n++) await place();
  const ten = await html(`${PAGE}?movements=${id}`);
  expect(ten.match(/>Release</g)).toHaveLength(10);
  expect(ten).not.toContain(more);
  await place();
  const eleven = await html(`${PAGE}?movements=${id}`);
  expect(eleven.match(/>Release</g)).toHaveLength(10);
  expect(eleven).toContain(more);
});

describe("movements of a product", () => {
  it("name reason, actor and document, and add up to the stock", async () => {
    const id = await addProduct({ name: "Moved lamp", stock: 5 });
    const [sale] = await sold(token, { lines: [{ productId: id, quantity: 2, amount: 20 }] });
    await change({ id, stock: "+1" });
    const page = await html(`${PAGE}?movements=${id}`);
    for (const text of ["Opening", "Adjustment", sale?.number ?? "no number", "Pat Example", "−2", "+1"])
      expect(page, text).toContain(text);
    expect(page).toContain(`/admin/documents/${sale?.id}`);
    expect(page).toContain("The 3 movements add up to 4");
  });

  it("are shown 20 at a time with what came before", async () => {
    const id = await addProduct({ stock: 1 });
    for (let i = 0; i < 19; i++) await change({ id, stock: "+1" });
    const whole = await html(`${PAGE}?movements=${id}`);
    expect(whole).toContain("The 20 movements add up to 20");
    expect(whole).not.toContain("before=");
    for (let i = 0; i < 5; i++) await change({ id, stock: "+1" });
    const first = await html(`${PAGE}?movements=${id}`);
    expect(first).toContain("The 20 movements and the 5 before them add up to 25");
    const [, older = ""] = /href="([^"]*before=\d+)"/.exec(first) ?? [];
    expect(await html(older.replaceAll("&amp;", "&"))).toContain("The 5 movements add up to 5");
  });

  it("stay when the product is deleted; an unknown product opens nothing", async () => {
    const id = await addProduct({ name: "Gone lamp", stock: 2 });
    await call(`/api/product/${id}`, { method: "DELETE", token });
    const page = await html(`${PAGE}?movements=${id}`);
    expect(page).toContain("Deleted product");
    expect(page).toContain("The 2 movements add up to 0");
    expect(await html(`${PAGE}?movements=nobody`)).not.toContain("movements-title");
  });

  it("are for staff", async () => {
    const { token: customer } = await person();
    const answer = await call(`${PAGE}?movements=x`, { token: customer });
    expect(answer.headers.get("Location")).toBe("/unauthorized");
  });
});

describe("the product's form", () => {
  const api = (id: string, body: object) => call(`/api/product/${id}`, { method: "PUT", json: body, token });
  const form = (id: string, fields: Record<string, string>) => {
    const body = new FormData();
    const opened = { name: "Stale lamp", description: "", price: "10.00", stock: "5", category: "OTHERS" };
    const was = JSON.stringify({ ...opened, colors: [], imageUrls: [] });
    const all = {
      intent: "update",
      id,
      was,
      ...opened,
      addImages: "https://pictures.example/a.jpg",
      ...fields,
    };
    for (const [name, value] of Object.entries(all)) body.append(name, value);
    return call(`/admin/products-management?edit=${id}`, { method: "POST", body, token });
  };

  it("refuses a stock that a sale has changed since it was opened, with and without JavaScript", async () => {
    const id = await addProduct({ name: "Stale lamp", stock: 5 });
    await sold(token, { lines: [{ productId: id, quantity: 1, amount: 10 }] });
    const refused = await api(id, { stock: "8", stockWas: "5" });
    expect(refused.status).toBe(409);
    expect(await json(refused)).toMatchObject({
      details: [
        { path: "stock", message: "Now 4. Save again to overwrite it." },
        { path: "stockWas", message: "4" },
      ],
    });
    const stale = await form(id, { stock: "8" });
    expect(stale.status).toBe(409);
    const page = await stale.text();
    expect(page).toContain("Now 4. Save again to overwrite it.");
    expect(page).toMatch(/name="was" value="[^"]*&quot;stock&quot;:&quot;4&quot;/);
    expect(await stockOf(id)).toMatchObject({ stock: 4, moved: 4 });
  });

  it("keeps the stock when it was not touched", async () => {
    const id = await addProduct({ name: "Stale lamp", stock: 5 });
    await sold(token, { lines: [{ productId: id, quantity: 2, amount: 20 }] });
    expect((await form(id, { name: "Fresh lamp" })).status).toBe(303);
    expect(await stockOf(id)).toMatchObject({ stock: 3, moved: 3 });
  });
});
