import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { addEntry, EXPENSE, KINDS } from "../support/ledger";
import { admin, problems } from "../support/people";
import { call } from "../support/shop";

let token: string;

beforeAll(async () => {
  token = (await admin()).token;
});

describe.each(KINDS)("input of POST $kind", ({ kind, base }) => {
  const below = kind === "expense" ? "amount: Must be more than 0" : "amount: Must be 0 or more";
  const above = "amount: Must be at most 99,999,999.99";
  const decimals = "amount: Must have at most 2 decimals";
  it.each([
    ["1e309", "amount: Write it like 1850.00"],
    [0.001, decimals],
    ["0.001", decimals],
    [-5, below],
    ["-5", below],
    ["1,50", "amount: Cents follow a point, not a comma: write it like 1.50"],
    ["1850,00", "amount: Cents follow a point, not a comma: write it like 1850.00"],
    ["1,850", "amount: The comma can mean thousands or cents: write it like 1850.00 or 1.85"],
    ["1,850.00", "amount: Write it without currency sign and separators: 1850.00"],
    ["$12.50", "amount: Write it without currency sign and separators: 12.50"],
    ["1 850", "amount: Write it without currency sign and separators: 1850.00"],
    ["", "amount: Amount is required"],
    [null, "amount: Amount is required"],
    [100_000_000, above],
    [1e9, above],
    ["0x10", "amount: Write it like 1850.00"],
    ["twelve", "amount: Write it like 1850.00"],
    ["100,000,000", above],
    ["12.3456", decimals],
    ["12.345", "amount: The point can mean thousands or cents: write it like 12345.00 or 12.35"],
    [12.345, decimals],
    [true, "amount: Must be an amount"],
    [{}, "amount: Must be an amount"],
  ])("rejects the amount %j", async (amount, problem) => {
    const answer = await call(`/api/${kind}`, { json: { ...base, amount }, token });
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual([problem]);
  });

  it("rejects 1e309 as a bare number, which JSON reads as infinite", async () => {
    const body = JSON.stringify(base).replace(/"amount":[\d.]+/, '"amount":1e309');
    const headers = { "Content-Type": "application/json" };
    const answer = await call(`/api/${kind}`, { method: "POST", body, headers, token });
    expect(answer.status).toBe(400);
  });

  it.each([
    ["12.5", 12.5],
    [" 12.50 ", 12.5],
    [12.5, 12.5],
    [99_999_999.99, 99_999_999.99],
    [0.01, 0.01],
  ])("accepts the amount %j", async (amount, stored) => {
    expect((await addEntry(kind, { amount }, token)).amount).toBe(stored);
  });

  const date = "createdAt: Must be a date from 2000 to 2099";
  it.each([
    { seconds: -1 },
    { seconds: 1.5 },
    { seconds: 1_790_000_000, nanoseconds: -1 },
    { seconds: 1_790_000_000, nanoseconds: 1e9 },
    { seconds: "1790000000" },
    { seconds: 253_402_300_800 },
    {},
    [],
    "0000-01-01",
    "9999-12-31",
    "1999-12-31",
    "2100-01-01",
    "2026-01-01T24:00:00Z",
    "yesterday",
    "12/31/2026",
    1e18,
    -1e15,
    { seconds: 946_684_800 },
    "2000-01-01T04:59:59Z",
    "2099-12-31T24:00:00-05:00",
    "2100-01-01T05:00:00Z",
  ])("rejects the date %j", async (createdAt) => {
    const answer = await call(`/api/${kind}`, { json: { ...base, createdAt }, token });
    expect(await problems(answer)).toEqual([date]);
    expect(answer.status).toBe(400);
  });

  it.each(["2099-12-31", "2100-01-01T04:59:59Z", { seconds: 4_000_000_000 }])(
    "rejects the date %j, more than a year ahead, unless the entry has it",
    async (createdAt) => {
      const far = ["createdAt: Must not be more than a year ahead"];
      const answer = await call(`/api/${kind}`, { json: { ...base, createdAt }, token });
      expect([answer.status, await problems(answer)]).toEqual([400, far]);
      const { id } = await addEntry(kind, {}, token);
      const change = (json: unknown) => call(`/api/${kind}/${id}`, { method: "PUT", json, token });
      const refused = await change({ createdAt });
      expect([refused.status, await problems(refused)]).toEqual([400, far]);
      const table = kind === "invoice" ? "invoices" : "expenses";
      await env.DB.prepare(`UPDATE ${table} SET day = '2099-12-31', created_at = 4102420000 WHERE id = ?`)
        .bind(id)
        .run();
      expect((await change({ createdAt: "2099-12-31", description: "Kept" })).status).toBe(200);
    },
  );

  it("takes a date within the year ahead", async () => {
    const seconds = Math.floor(Date.now() / 1000) + 360 * 86_400;
    expect((await addEntry(kind, { createdAt: { seconds } }, token)).createdAt).toMatchObject({ seconds });
  });

  it("asks for a date that is empty", async () => {
    const answer = await call(`/api/${kind}`, { json: { ...base, createdAt: "" }, token });
    expect([answer.status, await problems(answer)]).toEqual([400, ["createdAt: Enter a date"]]);
  });

  it.each(["2026-02-29", "2026-13-01", "2026-02-30T10:00:00Z"])(
    "rejects the day %s, which does not exist",
    async (createdAt) => {
      const answer = await call(`/api/${kind}`, { json: { ...base, createdAt }, token });
      expect(await problems(answer)).toEqual([
        `createdAt: There is no such day as ${createdAt.slice(0, 10)}`,
      ]);
      expect(answer.status).toBe(400);
    },
  );

  it.each([
    [{ seconds: 1_790_000_000, nanoseconds: 5 }, 1_790_000_000],
    [{ _seconds: 1_790_000_000, _nanoseconds: 0 }, 1_790_000_000],
    [1_790_000_000_999, 1_790_000_000],
    [1_790_000_000, 1_790_000_000],
    ["2026-09-21T14:13:20.000Z", 1_790_000_000],
    ["2026-09-21T10:13:20-04:00", 1_790_000_000],
    ["2026-09-21T10:13:20", 1_790_000_000],
    ["2026-09-21", Date.UTC(2026, 8, 21, 16) / 1000],
    ["2026-01-21", Date.UTC(2026, 0, 21, 17) / 1000],
    ["2000-01-01", Date.UTC(2000, 0, 1, 17) / 1000],
    // Summer time skips 2:30 on 8 March 2026 and repeats 1:30 on 1 November.
    ["2026-03-08T02:30", Date.UTC(2026, 2, 8, 7, 30) / 1000],
    ["2026-11-01T01:30:00", Date.UTC(2026, 10, 1, 5, 30) / 1000],
  ])("accepts the date %j", async (createdAt, seconds) => {
    const { createdAt: stored } = await addEntry(kind, { createdAt }, token);
    expect(stored).toEqual({ seconds, nanoseconds: 0 });
  });

  it("reports every invalid field", async () => {
    const json = { description: "x".repeat(501), businessType: "SHOE", amount: -1, createdAt: "soon" };
    const found = await problems(await call(`/api/${kind}`, { json, token }));
    expect(found).toEqual(
      expect.arrayContaining([
        "description: Must be at most 500 characters",
        "businessType: Must be one of EMPORIA, LASER",
        below,
        date,
      ]),
    );
  });

  it.each(["a\u0000b", "a\nb", "\ud800", 5])("rejects the description %j", async (description) => {
    expect((await call(`/api/${kind}`, { json: { ...base, description }, token })).status).toBe(400);
  });

  it("rejects an invalid id", async () => {
    const answer = await call(`/api/${kind}`, { json: { ...base, id: "a b" }, token });
    expect(await problems(answer)).toEqual(["id: Must be 1 to 64 of A-Z, a-z, 0-9, _ and -"]);
    for (const id of ["all", "ALL", "totalexpensesamount"]) {
      const word = await call(`/api/${kind}`, { json: { ...base, id }, token });
      expect(await problems(word)).toEqual(["id: This id is reserved"]);
    }
  });
});

describe("a required description", () => {
  it("rejects a description of invisible characters", async () => {
    const answer = await call("/api/expense", { json: { ...EXPENSE, description: "\u200b \u2060" }, token });
    expect(await problems(answer)).toEqual(["description: Description is required"]);
  });
});
