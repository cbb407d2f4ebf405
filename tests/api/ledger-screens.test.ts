import { beforeAll, describe, expect, it } from "vitest";
import { formatDay } from "~/domain/day-text";
import { localDay } from "~/domain/days";
import { formWith, press } from "../support/forms";
import { manager } from "../support/people";
import { call, cookiesOf } from "../support/shop";

const INVOICES = "/admin/invoices-management";
const EXPENSES = "/admin/expenses-management";
const TODAY = localDay(Date.now() / 1000, "America/Toronto");
let token: string;
let cookie: string;

beforeAll(async () => {
  const { email, password, token: bearer } = await manager();
  token = bearer;
  const headers = { "CF-Connecting-IP": "10.8.8.8" };
  cookie = cookiesOf(await call("/api/auth/login", { json: { email, password }, headers }));
});

/** Submits a form as a browser without JavaScript does. */
const send = (path: string, fields: Record<string, string>) =>
  call(path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    cookie,
  });
const page = async (path: string, cookies = cookie) => (await call(path, { cookie: cookies })).text();
const plain = (html: string) => html.replace(/<!-- -->/g, "");

interface Entry {
  id: string;
}
const make = async (path: string, json: Record<string, unknown>) =>
  (await (await call(`/api/${path}`, { json, token })).json()) as Entry;

const NEW = {
  intent: "add",
  description: "Mug",
  category: "ENGRAVING",
  quantity: "2",
  paymentMode: "CARD",
  businessType: "LASER",
  amount: "36.50",
  createdAt: TODAY,
};

describe("invoices screen without JavaScript", () => {
  it("adds an invoice and redirects to the same filtered list", async () => {
    const answer = await send(`${INVOICES}?q=mug&paymentMode=CARD&dialog=new`, NEW);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`${INVOICES}?q=mug&paymentMode=CARD`);
    const html = plain(await page(`${INVOICES}?q=mug&paymentMode=CARD`, `${cookie}; ${cookiesOf(answer)}`));
    for (const text of ["Invoice added successfully", "$36.50", formatDay(TODAY), "Laser Craft", "Engraving"])
      expect(html).toContain(text);
  });

  it("asks once about an invoice without a description or an amount, dated years ahead, and sends the answer along", async () => {
    const odd = { ...NEW, description: "", amount: "0", createdAt: "2098-02-01" };
    const asked = await send(`${INVOICES}?dialog=new`, odd);
    expect(asked.status).toBe(400);
    const html = await asked.text();
    const words = String.raw`No description\. Amount \$0\.00\. Dated \d+ years ahead, Saturday 1st February 2098\.`;
    const question = new RegExp(`${words} Press again if that is right\\.`).exec(html)?.[0] ?? "";
    expect(question).not.toBe("");
    expect(formWith(html, /^Add$/).fields).toMatchObject({
      confirmed: question,
      createdAt: "2098-02-01",
    });
    const other = await send(`${INVOICES}?dialog=new`, { ...odd, amount: "5", confirmed: question });
    expect(other.status).toBe(400);
    expect((await send(`${INVOICES}?dialog=new`, { ...odd, confirmed: question })).status).toBe(303);
  });

  it("asks no API client", async () => {
    const json = { amount: 0, createdAt: "2019-02-02" };
    expect((await call("/api/invoice", { json, token })).status).toBe(201);
  });

  it("fills a new form with the defaults", async () => {
    const html = await page(`${INVOICES}?dialog=new`);
    expect(html).toMatch(/name="quantity"[^>]*value="1"/);
    expect(html).toMatch(/name="paymentMode"[^>]*checked=""[^>]*value="CASH"/);
    expect(html).toMatch(/name="businessType"[^>]*checked=""[^>]*value="EMPORIA"/);
    expect(html).toMatch(/name="amount"[^>]*value="0"/);
    expect(html).toContain('<option value="PHONE_CASE" selected="">');
  });

  it.each([
    [{ quantity: "0" }, "Must be a whole number from 1 to 1,000,000"],
    [{ quantity: "1.5" }, "Must be a whole number from 1 to 1,000,000"],
    [{ amount: "1e309" }, "Write it like 1850.00"],
    [{ amount: "1,50" }, "Cents follow a point, not a comma: write it like 1.50"],
    [{ amount: "-5" }, "Must be 0 or more"],
    [{ amount: "1000000000" }, "Must be at most 99,999,999.99"],
    [{ amount: "" }, "Amount is required"],
    [{ createdAt: "0001-01-01" }, "Must be a date from 2000 to 2099"],
    [{ createdAt: "" }, "Enter a date"],
    [{ createdAt: "2026-02-30" }, "There is no such day as 2026-02-30"],
  ])("refuses %o beside its field, with what was typed and why", async (wrong, why) => {
    const answer = await send(`${INVOICES}?dialog=new`, { ...NEW, description: "Kept & typed", ...wrong });
    expect(answer.status).toBe(400);
    const html = plain(await answer.text());
    expect(html).toContain(why);
    expect(html).toContain("Failed to add invoice: Validation error: ");
    expect(html).toContain('value="Kept &amp; typed"');
    expect(html).toContain('aria-invalid="true"');
  });

  it("deletes with Undo in the status region and restores; a second delete is a 404", async () => {
    const { id } = await make("invoice", { description: "Gone soon", amount: 5 });
    expect(await page(`${INVOICES}?delete=${id}`)).toContain("Confirm Delete");
    const deleted = await send(`${INVOICES}?q=gone`, { intent: "delete", id });
    const html = await page(`${INVOICES}?q=gone`, `${cookie}; ${cookiesOf(deleted)}`);
    expect(html).toContain("Invoice deleted successfully");
    expect(html).toContain("No records found");
    expect(html).toMatch(
      new RegExp(`action="/admin/invoices-management\\?q=gone".*value="${id}".*value="restore"`),
    );
    const again = await send(INVOICES, { intent: "delete", id });
    expect(again.status).toBe(404);
    expect(await again.text()).toContain("Failed to delete invoice: Invoice not found");
    expect((await send(`${INVOICES}?q=gone`, { intent: "restore", id })).status).toBe(303);
    expect(await page(`${INVOICES}?q=gone`)).toContain("Gone soon");
    expect(plain(await page(`${INVOICES}?edit=nobody`))).toContain("Invoice not found");
  });

  it("keeps the typed values when somebody else has deleted the entry", async () => {
    const { id } = await make("invoice", { description: "Deleted under the hand", amount: 5 });
    await send(INVOICES, { intent: "delete", id });
    const { intent: _, ...typed } = NEW;
    const late = await send(`${INVOICES}?edit=${id}`, { intent: "update", id, version: "1", ...typed });
    expect(late.status).toBe(404);
    const html = plain(await late.text());
    for (const text of ["Failed to update invoice: Invoice not found", "Add Invoice", 'value="36.50"'])
      expect(html).toContain(text);
  });

  it("has the default sort in headers and rows", async () => {
    await make("invoice", { description: "Order A", amount: 5, createdAt: "2025-01-01" });
    await make("invoice", { description: "Order B", amount: 5, createdAt: "2025-01-02" });
    const html = plain(await page(`${INVOICES}?q=order`));
    expect(html).toMatch(/aria-sort="descending"[^>]*><a[^>]*>Billing date/);
    expect(html.indexOf("Order B")).toBeLessThan(html.indexOf("Order A"));
  });

  it("sums all matches, not the page", async () => {
    for (const amount of [1, 2, 3, 4, 5, 6, 7])
      await make("invoice", { description: "Summed", amount, quantity: 2 });
    const html = plain(await page(`${INVOICES}?q=summed&size=5`));
    expect(html).toContain("All 7 results");
    expect(html).toContain("$28.00");
    expect(html).toContain("this page 10 pieces, $25.00");
  });
});

describe("expenses screen without JavaScript", () => {
  const expense = {
    description: "Taxi",
    expenseType: "TAXI",
    businessType: "EMPORIA",
    createdAt: TODAY,
  };

  it("adds an expense and rejects an empty description and an amount of 0", async () => {
    const added = await send(`${EXPENSES}?dialog=new`, { intent: "add", ...expense, amount: "12.30" });
    expect(added.headers.get("Location")).toBe(EXPENSES);
    const refused = await send(EXPENSES, { intent: "add", ...expense, description: " ", amount: "0" });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    for (const text of ["Failed to add expense", "Description is required", "Must be more than 0"])
      expect(html).toContain(text);
  });

  it("asks once about a date in another month, when an expense is changed to it too", async () => {
    for (const [createdAt, words] of [
      ["2062-01-05", /Dated \d+ years ahead, Thursday 5th January 2062\. Press again if that is right\./],
      ["2019-03-05", /Dated \d+ years ago, Tuesday 5th March 2019\. Press again if that is right\./],
    ] as const) {
      const asked = await send(`${EXPENSES}?dialog=new`, {
        intent: "add",
        ...expense,
        amount: "9.00",
        createdAt,
      });
      expect(asked.status).toBe(400);
      const html = await asked.text();
      expect(html).toMatch(words);
      expect((await press(html, /^Add$/, {}, { cookie })).status).toBe(303);
    }
    const { id } = await make("expense", { ...expense, amount: 9 });
    const opened = await page(`${EXPENSES}?edit=${id}`);
    const edit = (html: string) => formWith(html, /^Update$/).fields;
    const update = (fields: Record<string, string>) =>
      send(`${EXPENSES}?edit=${id}`, { ...fields, intent: "update", createdAt: "2062-01-05" });
    const again = await update(edit(opened));
    expect(again.status).toBe(400);
    expect((await update(edit(await again.text()))).status).toBe(303);
    const old = await make("expense", { ...expense, amount: 9, createdAt: "2019-03-05" });
    const fields = edit(await page(`${EXPENSES}?edit=${old.id}`));
    const saved = await send(`${EXPENSES}?edit=${old.id}`, { ...fields, amount: "8.00", intent: "update" });
    expect(saved.status).toBe(303);
  });

  it("asks about the date once the tax is no more than the amount", async () => {
    const odd = { ...expense, amount: "9.00", taxAmount: "12.00", createdAt: "2062-01-05" };
    const html = await (await send(`${EXPENSES}?dialog=new`, { intent: "add", ...odd })).text();
    expect(html).not.toContain("Press again");
    expect(html).toContain("be more than the amount");
    const asked = await press(html, /^Add$/, { taxAmount: "1.00" }, { cookie });
    const question = await asked.text();
    expect([asked.status, question]).toEqual([400, expect.stringContaining("Press again if that is right.")]);
    expect((await press(question, /^Add$/, {}, { cookie })).status).toBe(303);
  });

  it("accepts 1,850.00 and names no second problem beside an amount that it can't read", async () => {
    const typed = { intent: "add", ...expense, description: "Oak boards", taxAmount: "240.00" };
    const refused = await send(`${EXPENSES}?dialog=new`, { ...typed, amount: "1,850" });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain("The comma can mean thousands or cents: write it like 1850.00");
    expect(html).not.toContain("be more than the amount");
    const saved = await send(`${EXPENSES}?dialog=new`, { ...typed, amount: "$1,850.00" });
    expect(saved.status).toBe(303);
    expect(plain(await page(`${EXPENSES}?q=Oak+boards`))).toContain("$1,850.00");
  });

  it("reports an edit conflict and lets a second save overwrite it", async () => {
    const { id } = await make("expense", { ...expense, amount: 10 });
    const opened = await page(`${EXPENSES}?edit=${id}`);
    const version = /name="version" value="(\d+)"/.exec(opened)?.[1] ?? "";
    await call(`/api/expense/${id}`, { method: "PUT", json: { amount: 64 }, token });
    const mine = { intent: "update", id, ...expense, amount: "12.00" };
    const refused = await send(`${EXPENSES}?edit=${id}`, { ...mine, version });
    expect(refused.status).toBe(409);
    const html = await refused.text();
    expect(html).toContain("Now $64.00");
    expect(html).toMatch(/name="amount"[^>]*value="12.00"/);
    const next = /name="version" value="(\d+)"/.exec(html)?.[1] ?? "";
    expect((await send(`${EXPENSES}?edit=${id}`, { ...mine, version: next })).status).toBe(303);
  });

  it("reports an edit conflict also when a field was refused in between", async () => {
    const { id } = await make("expense", { ...expense, amount: 10 });
    const opened = await page(`${EXPENSES}?edit=${id}`);
    await call(`/api/expense/${id}`, { method: "PUT", json: { amount: 64 }, token });
    const wrong = await press(opened, /^Update$/, { amount: "ten" }, { cookie });
    expect(wrong.status).toBe(400);
    const mended = await press(await wrong.text(), /^Update$/, { amount: "12.00" }, { cookie });
    expect([mended.status, plain(await mended.text()).includes("Now $64.00")]).toEqual([409, true]);
  });
});
