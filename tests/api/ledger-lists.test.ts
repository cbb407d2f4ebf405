import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import {
  expensesPage,
  invoicesPage,
  restoreExpense,
  restoreInvoice,
  updateInvoiceByForm,
} from "~/features/ledger/operations.server";
import { readExpensePlace, readInvoicePlace } from "~/features/ledger/place";
import type { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { addEntry, type Entry, ledgerContext } from "../support/ledger";
import { admin, told } from "../support/people";
import { call } from "../support/shop";

let token: string;
/** By what they are described as. */
const ids: Record<string, string> = {};

const ENTRIES = [
  {
    description: "Walnut board",
    category: "ENGRAVING",
    paymentMode: "CARD",
    businessType: "LASER",
    amount: 128,
    quantity: 1,
    createdAt: "2026-11-21",
  },
  {
    description: "iPhone case, clear",
    category: "PHONE_CASE",
    paymentMode: "CASH",
    businessType: "EMPORIA",
    amount: 59,
    quantity: 2,
    createdAt: "2026-11-20",
  },
  {
    description: "Étui en liège",
    category: "PHONE_CASE",
    paymentMode: "EMT",
    businessType: "EMPORIA",
    amount: 59,
    quantity: 3,
    createdAt: "2026-11-19",
  },
  {
    description: "=1+1",
    category: "OTHERS",
    paymentMode: "CASH",
    businessType: "EMPORIA",
    amount: 0,
    quantity: 10,
    createdAt: "2026-10-31",
  },
  {
    description: 'Sign "Larches", 5%',
    category: "ENGRAVING",
    paymentMode: "EMT",
    businessType: "LASER",
    amount: 1064.5,
    quantity: 1,
    createdAt: "2025-12-31",
  },
];

const context = () => ledgerContext();
const page = (query: string) => invoicesPage(context(), readInvoicePlace(new URLSearchParams(query)));
const described = async (query: string) => {
  const answer = await call(`/api/invoice/all${query}`, { token });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Entry[]).map(({ description }) => description.split(" ")[0]);
};

beforeAll(async () => {
  token = (await admin()).token;
  for (const entry of ENTRIES)
    ids[entry.description.split(" ")[0] ?? ""] = (await addEntry("invoice", entry, token)).id;
});

const NEWEST_FIRST = ["Walnut", "iPhone", "Étui", "=1+1", "Sign"];

describe("GET invoice/all", () => {
  it("answers a bare array, newest first, with the full count", async () => {
    expect(await described("")).toEqual(NEWEST_FIRST);
    const answer = await call("/api/invoice/all?limit=2&offset=1&_ts=1", { token });
    expect(answer.headers.get("X-Total-Count")).toBe("5");
    expect(((await answer.json()) as Entry[]).map(({ id }) => id)).toEqual([ids.iPhone, ids.Étui]);
  });

  it.each([
    ["createdAt", ["Sign", "=1+1", "Étui", "iPhone", "Walnut"]],
    ["amount", ["=1+1", "Étui", "iPhone", "Walnut", "Sign"]],
    ["quantity", ["Sign", "Walnut", "iPhone", "Étui", "=1+1"]],
    ["description", ["=1+1", "iPhone", "Sign", "Walnut", "Étui"]],
    ["category", ["Sign", "Walnut", "=1+1", "Étui", "iPhone"]],
    ["paymentMode", ["Walnut", "=1+1", "iPhone", "Sign", "Étui"]],
    ["businessType", ["=1+1", "Étui", "iPhone", "Sign", "Walnut"]],
  ])("sorts by %s, both ways", async (sort, expected) => {
    expect(await described(`?sort=${sort}`)).toEqual(expected);
    expect(await described(`?sort=${sort}&dir=desc`)).toEqual(expected.toReversed());
  });

  it.each([
    ["board", ["Walnut"]],
    ["OARD", ["Walnut"]],
    ["case, cl", ["iPhone"]],
    ["étui", ["Étui"]],
    ["ETUI EN", ["Étui"]],
    ['"larches"', ["Sign"]],
    [", 5%", ["Sign"]],
    ["1+1", ["=1+1"]],
    ["b", ["Walnut"]],
    ["wa", ["Walnut"]],
    ["ar", []],
    ["5%", ["Sign"]],
    ["%", []],
    ["#", []],
    ['"', []],
    ['""', []],
    ["*", []],
    ["nowhere", []],
    ["OR NOT", []],
    ["a\u0000b", []],
  ])("q=%j finds what contains it; one or two characters, what begins with it", async (q, expected) => {
    expect(await described(`?q=${encodeURIComponent(q)}`)).toEqual(expected);
    expect((await page(`q=${encodeURIComponent(q)}`)).total).toBe(expected.length);
  });

  it.each([
    ["category=phone-case", ["iPhone", "Étui"]],
    ["businessType=LASER&paymentMode=EMT", ["Sign"]],
    ["from=2026-11-20&to=2026-11-20", ["iPhone"]],
    ["from=2026-11-20", ["Walnut", "iPhone"]],
    ["to=2026-10-31", ["=1+1", "Sign"]],
    ["from=2026-11-21&to=2026-11-20", []],
    ["q=e&category=PHONE_CASE&from=2026-01-01", ["Étui"]],
    ["category=&businessType=&from=&to=&q=&sort=&dir=", NEWEST_FIRST],
  ])("filters by %s", async (query, expected) => {
    expect(await described(`?${query}`)).toEqual(expected);
  });

  it.each([
    "sort=id;DROP",
    "sort=row",
    "dir=sideways",
    "limit=0",
    "limit=1001",
    "limit=1e9",
    "offset=-1",
    "category=SHOES",
    "businessType=x",
    "paymentMode=x",
    "from=2026-02-30",
    "to=soon",
  ])("refuses ?%s", async (query) => {
    const answer = await call(`/api/invoice/all?${query}`, { token });
    expect(answer.status).toBe(400);
    expect((await told(answer)).ERR_MSG).toMatch(/^Validation error: /);
  });
});

describe("a page of the screen", () => {
  it("tells rows, sums of all that match, and pages", async () => {
    const found = await page("businessType=EMPORIA&size=5&sort=amount&dir=desc");
    expect(found.rows.map(({ amountCents }) => amountCents)).toEqual([5900, 5900, 0]);
    expect(found).toMatchObject({ total: 3, page: 1, pages: 1, sums: { amountCents: 11_800, quantity: 15 } });
    expect(found.rows[0]).toEqual({
      id: ids.iPhone,
      description: "iPhone case, clear",
      category: "PHONE_CASE",
      quantity: 2,
      paymentMode: "CASH",
      businessType: "EMPORIA",
      amountCents: 5900,
      createdAt: Date.UTC(2026, 10, 20, 17) / 1000,
      day: "2026-11-20",
      version: 1,
    });
  });

  it.each([
    "page=-1",
    "page=0",
    "page=1.5",
    "page=x",
    "page=1e9",
    "page=1e300",
    "size=1e9",
    "size=-5",
    "sort=id;DROP",
    "dir=x",
    "category=x",
    "from=x&to=2026-99-99",
    `q=${"x".repeat(5000)}`,
  ])("?%s is harmless", async (query) => {
    const found = await page(query);
    expect(found).toMatchObject({ page: 1, pages: 1 });
    expect(found.total).toBe(query.startsWith("q=") ? 0 : 5);
    expect(found.rows).toHaveLength(found.total);
  });

  it("an empty list has one page", async () => {
    const found = await expensesPage(context(), readExpensePlace(new URLSearchParams("page=7")));
    expect(found).toEqual({ rows: [], total: 0, page: 1, pages: 1, sums: { amountCents: 0, quantity: 0 } });
  });
});

describe("two people editing one row", () => {
  const form = async (fields: Record<string, unknown>) => {
    const base = { ...ENTRIES[0], id: ids.Walnut, amount: "128.00", quantity: "1", createdAt: "2026-11-21" };
    const signed = {
      ...context(),
      caller: { user: async () => ({ isAdmin: true }) },
    } as unknown as RequestContext;
    return updateInvoiceByForm.execute(signed, { ...base, ...fields });
  };

  it("the second is told, field by field, what stands there now, and nothing is overwritten", async () => {
    await form({ version: "1", amount: "130", paymentMode: "EMT" });
    const late = await form({ version: "1", description: "Walnut board, large" }).catch(
      (error: AppError) => error,
    );
    expect(late).toMatchObject({
      code: "conflict",
      message: "Somebody else has just changed this invoice.",
      details: [
        { path: "description", message: "Now Walnut board" },
        { path: "amount", message: "Now $130.00" },
        { path: "paymentMode", message: "Now EMT" },
      ],
    });
    expect((await page("q=walnut")).rows[0]).toMatchObject({
      amountCents: 13_000,
      paymentMode: "EMT",
      version: 2,
    });
    await form({ version: "2", description: "Walnut board, large" });
    expect((await page("q=walnut board, large")).rows[0]).toMatchObject({ amountCents: 12_800, version: 3 });
    expect((await page("q=rd, la")).total).toBe(1);
  });

  it("a form must be whole", async () => {
    const bare = await form({ version: "3", amount: "", createdAt: "", quantity: "" }).catch(
      (error: AppError) => error,
    );
    expect((bare as AppError).details?.map(({ path }) => path)).toEqual(["quantity", "amount", "createdAt"]);
  });
});

describe.each([
  ["invoice" as const, restoreInvoice],
  ["expense" as const, restoreExpense],
])("Undo of a deleted %s", (kind, operation) => {
  const restore = (id: string) => {
    const signed = {
      ...context(),
      caller: { user: async () => ({ isManager: true }) },
    } as unknown as RequestContext;
    return operation.execute(signed, { id });
  };
  const stored = (id: string) => env.DB.prepare(`SELECT * FROM ${kind}s WHERE id = ?`).bind(id).first();

  it("puts the very row back; pressed twice, it stays", async () => {
    const entry = await addEntry(kind, { description: "Back again", createdAt: "2026-11-21" }, token);
    const before = await stored(entry.id);
    await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token });
    await addEntry(kind, { description: "Meanwhile", createdAt: "2026-11-21" }, token);
    expect(await stored(entry.id)).toBeNull();
    expect(await restore(entry.id)).toEqual(entry);
    expect(await stored(entry.id)).toEqual(before);
    expect(await restore(entry.id)).toEqual(entry);
    const answer = await call(`/api/${kind}/all?q=back again`, { token });
    expect(((await answer.json()) as Entry[]).map(({ id }) => id)).toEqual([entry.id]);
    expect((await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token })).status).toBe(200);
    expect((await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token })).status).toBe(404);
    await restore(entry.id);
  });

  it("is a 404 for what never was", async () => {
    await expect(restore("never")).rejects.toMatchObject({ code: "notFound" });
  });
});

describe("CSV of what is filtered", () => {
  const csv = async (path: string) => {
    const answer = await call(path, { token });
    expect(answer.status).toBe(200);
    return { answer, lines: (await answer.text()).split("\r\n") };
  };

  it("is a file with the day in its name, for spreadsheets, without formulas", async () => {
    const { answer, lines } = await csv("/admin/invoices-management.csv?to=2026-10-31&sort=amount");
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="invoices-20\d\d-\d\d-\d\d\.csv"$/,
    );
    expect(lines[0]).toMatch(/Description,Category,Business,Quantity,Payment Mode,Amount,Billing Date$/);
    expect(lines.slice(1)).toEqual([
      '"\'=1+1",Others,Emporia,10,Cash,0.00,2026-10-31',
      '"Sign ""Larches"", 5%",Engraving,Laser Craft,1,EMT,1064.50,2025-12-31',
      "",
    ]);
  });

  it("begins with the mark of UTF-8", async () => {
    const bytes = new Uint8Array(
      await (await call("/admin/expenses-management.csv", { token })).arrayBuffer(),
    );
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it.each(["+1", "-1", "@x", "=x"])("puts an apostrophe before %j", async (description) => {
    await addEntry("expense", { description: `${description} cell`, amount: 5 }, token);
    const { lines } = await csv(
      `/admin/expenses-management.csv?q=${encodeURIComponent(`${description} cell`)}`,
    );
    expect(lines[1]).toBe(`Shipping,"'${description} cell",Emporia,5.00,2026-09-21`);
  });

  it("leads strangers to /login", async () => {
    const answer = await call("/admin/invoices-management.csv?q=x");
    expect(answer.headers.get("Location")).toMatch(/^\/login\?/);
  });
});
