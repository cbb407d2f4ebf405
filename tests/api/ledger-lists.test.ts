import { beforeAll, describe, expect, it } from "vitest";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { EXPENSE_RULES, INVOICE_RULES } from "~/features/ledger-pages/page.server";
import { parseListParams } from "~/ui/DataTable/list-params";
import { addEntry, type Entry, ledgerContext } from "../support/ledger";
import { admin, readAnswer } from "../support/people";
import { call } from "../support/shop";

let token: string;
/** Ids by the first word of the description. */
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
const page = (query: string) =>
  invoices.readPage(context(), parseListParams(new URLSearchParams(query), INVOICE_RULES));
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
  it("returns an array, newest first, and the total", async () => {
    expect(await described("")).toEqual(NEWEST_FIRST);
    const answer = await call("/api/invoice/all?limit=2&offset=1&_ts=1", { token });
    expect(answer.headers.get("X-Total-Count")).toBe("5");
    expect(((await answer.json()) as Entry[]).map(({ id }) => id)).toEqual([ids.iPhone, ids.Étui]);
  });

  it.each([
    ["createdAt", ["Sign", "=1+1", "Étui", "iPhone", "Walnut"]],
    ["amount", ["=1+1", "Étui", "iPhone", "Walnut", "Sign"]],
    ["quantity", ["Sign", "Walnut", "iPhone", "Étui", "=1+1"]],
    ["description", ["=1+1", "Étui", "iPhone", "Sign", "Walnut"]],
    ["category", ["Sign", "Walnut", "=1+1", "Étui", "iPhone"]],
    ["paymentMode", ["Walnut", "=1+1", "iPhone", "Sign", "Étui"]],
    ["businessType", ["=1+1", "Étui", "iPhone", "Sign", "Walnut"]],
  ])("sorts by %s in both directions", async (sort, expected) => {
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
    ["b,", []],
  ])("q=%j matches text anywhere, or word beginnings for one or two characters", async (q, expected) => {
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
  ])("rejects ?%s", async (query) => {
    const answer = await call(`/api/invoice/all?${query}`, { token });
    expect(answer.status).toBe(400);
    expect((await readAnswer(answer)).ERR_MSG).toMatch(/^Validation error: /);
  });
});

describe("page of the screen", () => {
  it("returns rows, total and sums of all matches", async () => {
    const found = await page("businessType=EMPORIA&size=5&sort=amount&dir=desc");
    expect(found.rows.map(({ amountCents }) => amountCents)).toEqual([5900, 5900, 0]);
    expect(found).toMatchObject({ total: 3, sums: { amountCents: 11_800, quantity: 15 } });
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

  it("takes a search of any length", async () => {
    expect(await page(`q=${"x".repeat(5000)}`)).toMatchObject({ rows: [], total: 0, params: { page: 1 } });
  });

  it("returns page 1 of an empty list", async () => {
    const found = await expenses.readPage(
      context(),
      parseListParams(new URLSearchParams("page=7"), EXPENSE_RULES),
    );
    expect(found).toMatchObject({
      rows: [],
      total: 0,
      params: { page: 1 },
      sums: { amountCents: 0, quantity: 0, taxCents: null },
    });
  });
});
