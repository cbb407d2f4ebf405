import { beforeAll, describe, expect, it } from "vitest";
import { expenseMonths, saleMonths, saleTotals } from "~/features/ledger/operations/figures.server";
import { addEntry, ledgerContext } from "../support/ledger";
import { admin } from "../support/people";
import { call } from "../support/shop";

/** Toronto is at UTC-5 in winter, at UTC-4 from 8 March to 1 November 2026. */
const SALES: [at: string, amount: number, category: string, paymentMode: string][] = [
  ["2026-12-31T04:59:59Z", 1, "OTHERS", "CASH"], // 30 December, 23:59:59
  ["2026-12-31T05:00:00Z", 2, "ENGRAVING", "CASH"], // 31 December, 0:00
  ["2027-01-01T04:59:59Z", 4, "ENGRAVING", "CARD"], // 31 December, 23:59:59
  ["2027-01-01T05:00:00Z", 8, "OTHERS", "CARD"], // 1 January, 0:00
  ["2026-03-08T04:59:59Z", 16, "JEWELRY", "EMT"], // 7 March, 23:59:59
  ["2026-03-08T05:00:00Z", 32, "JEWELRY", "EMT"], // 8 March, 0:00, the day of 23 hours
  ["2026-03-09T03:59:59Z", 64, "ENGRAVING", "EMT"], // 8 March, 23:59:59
  ["2026-03-09T04:00:00Z", 128, "OTHERS", "EMT"], // 9 March, 0:00
  ["2026-11-01T03:59:59Z", 256, "OTHERS", "CASH"], // 31 October, 23:59:59
  ["2026-11-01T04:00:00Z", 512, "OTHERS", "CASH"], // 1 November, 0:00, the day of 25 hours
  ["2026-11-02T04:59:59Z", 1024, "OTHERS", "CASH"], // 1 November, 23:59:59
  ["2026-11-02T05:00:00Z", 2048, "OTHERS", "CASH"], // 2 November, 0:00
];

let token: string;

beforeAll(async () => {
  token = (await admin()).token;
  for (const [createdAt, amount, category, paymentMode] of SALES)
    await addEntry("invoice", { createdAt, amount, category, paymentMode }, token);
  await addEntry("expense", { createdAt: "2027-01-01T04:59:59Z", amount: 3 }, token);
  await addEntry("expense", { createdAt: "2027-01-01T05:00:00Z", amount: 5, businessType: "LASER" }, token);
});

describe("figures in the shop's time zone, computed by hand", () => {
  it.each([
    ["2027-01-01T04:59:59Z", { today: 6, yesterday: 1, month: 7, last: 3584 }],
    ["2027-01-01T05:00:00Z", { today: 8, yesterday: 6, month: 8, last: 7 }],
    ["2026-03-08T04:59:59Z", { today: 16, yesterday: 0, month: 240, last: 0 }],
    ["2026-03-08T12:00:00Z", { today: 96, yesterday: 16, month: 240, last: 0 }],
    ["2026-03-09T03:59:59Z", { today: 96, yesterday: 16, month: 240, last: 0 }],
    ["2026-03-09T04:00:00Z", { today: 128, yesterday: 96, month: 240, last: 0 }],
    ["2026-11-01T03:59:59Z", { today: 256, yesterday: 0, month: 256, last: 0 }],
    ["2026-11-01T04:00:00Z", { today: 1536, yesterday: 256, month: 3584, last: 256 }],
    ["2026-11-02T04:59:59Z", { today: 1536, yesterday: 256, month: 3584, last: 256 }],
    ["2026-11-02T05:00:00Z", { today: 2048, yesterday: 1536, month: 3584, last: 256 }],
  ])("at %s: %j dollars", async (now, { today, yesterday, month, last }) => {
    expect(await saleTotals(ledgerContext(Date.parse(now) / 1000))).toMatchObject({
      todayAmount: today * 100,
      yesterdayAmount: yesterday * 100,
      currentMonthAmount: month * 100,
      lastMonthAmount: last * 100,
    });
  });

  it("a year ends at the shop's midnight", async () => {
    expect(await saleMonths(ledgerContext(), 2027)).toEqual([{ month: 1, amount: 800 }]);
    expect(await saleMonths(ledgerContext(), 2026)).toEqual([
      { month: 3, amount: 24_000 },
      { month: 10, amount: 25_600 },
      { month: 11, amount: 358_400 },
      { month: 12, amount: 700 },
    ]);
    expect(await expenseMonths(ledgerContext(), 2026)).toEqual([{ month: 12, amount: 300 }]);
    expect(await expenseMonths(ledgerContext(), 2027)).toEqual([{ month: 1, amount: 500 }]);
  });
});

describe("figures of the API, in dollars", () => {
  const get = async (path: string) => (await call(path, { token })).json();

  it("GET sale/all", async () => {
    expect(await get("/api/sale/all")).toEqual({
      totalSales: {
        totalAmount: 4095,
        cashAmount: 3843,
        emtAmount: 240,
        cardAmount: 12,
        todayAmount: expect.any(Number),
        yesterdayAmount: expect.any(Number),
        currentMonthAmount: expect.any(Number),
        lastMonthAmount: expect.any(Number),
        engravingCardAmount: 4,
        engravingCashAmount: 2,
        engravingEmtAmount: 64,
        nonEngravingCardAmount: 8,
        nonEngravingCashAmount: 3841,
        nonEngravingEmtAmount: 176,
      },
    });
  });

  it("GET sale/category, sale/year and expense/year omit empty items", async () => {
    expect(await get("/api/sale/category")).toEqual([
      { category: "JEWELRY", amount: 48 },
      { category: "ENGRAVING", amount: 70 },
      { category: "OTHERS", amount: 3977 },
    ]);
    expect(await get("/api/sale/year/2027")).toEqual([{ month: 1, amount: 8 }]);
    expect(await get("/api/expense/year/2026")).toEqual([{ month: 12, amount: 3 }]);
    expect(await get("/api/sale/year/2031")).toEqual([]);
  });

  it("GET expense/totalExpensesAmount", async () => {
    const none = { purchase: 0, vendor: 0, import: 0, marketing: 0, advertisement: 0 };
    const rest = { ...none, platform: 0, taxi: 0, misc: 0, others: 0 };
    expect(await get("/api/expense/totalExpensesAmount")).toEqual({
      totalExpenses: {
        totalAmount: 8,
        emporia: { totalAmount: 3, shipping: 3, ...rest },
        laser: { totalAmount: 5, shipping: 5, ...rest },
      },
    });
  });

  it.each(["/api/sale/year/1999", "/api/sale/year/2100", "/api/expense/year/x", "/api/sale/year/2026.5"])(
    "rejects %s",
    async (path) => {
      expect((await call(path, { token })).status).toBe(400);
    },
  );
});
