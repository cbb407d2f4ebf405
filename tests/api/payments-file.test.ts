import { env } from "cloudflare:workers";
import fc from "fast-check";
import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { costOf } from "../support/cost";
import { admin, manager, seller } from "../support/people";
import { credit, json, registerForTax, type SaleAnswer, sold, violations } from "../support/sales";
import { addProduct, call, insert } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
  await registerForTax("EMPORIA");
});

type Row = Record<string, string>;
/** Reads the rows of a file; formula guards are not part of a number. */
async function file(path: string): Promise<Row[]> {
  const answer = await call(path, { token });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return Papa.parse<Row>((await answer.text()).replaceAll("'-", "-"), { header: true, skipEmptyLines: true })
    .data;
}
/** Reads a page's HTML without React's marks between texts. */
const text = async (path: string, as = token) =>
  (await (await call(path, { token: as })).text()).replaceAll("<!-- -->", "");
/** Deposits of a row of the tax summary: held, and taken later. */
const heldOf = (row: Row) => Object.values(row).slice(-2);
const cents = (text = "") => Math.round(Number(text) * 100);
const payments = (query = "") => file(`/admin/bookkeeping-payments.csv${query}`);

/** Adds up rows by business, day and mode. */
function sums(rows: { business: string; day: string; mode: string; amount: number }[]) {
  const all: Record<string, number> = {};
  for (const { business, day, mode, amount } of rows) {
    const key = `${business} ${day} ${mode}`;
    all[key] = (all[key] ?? 0) + amount;
  }
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0));
}

interface Taken {
  quoteId: string;
  number: string;
  id: string;
}

/** Takes a deposit on an accepted quote of $70.00. */
async function deposit(amount: number, mode: string, createdAt?: string): Promise<Taken> {
  const { chatId, cookie } = await startChat({ initialMessage: "A pen, engraved?" });
  const quote = { chatId, title: "Engraved pen", lines: [{ description: "Pen", quantity: 1, amount: 70 }] };
  const { id: quoteId } = await json<{ id: string }>(call("/api/quote", { token, json: quote }));
  await call(`/api/quote/${quoteId}`, { method: "PATCH", json: { state: "accepted" }, cookie });
  const taken = await json<Taken>(
    call(`/api/quote/${quoteId}/payment`, { token, json: { amount, mode, ...(createdAt && { createdAt }) } }),
  );
  return { quoteId, number: taken.number, id: taken.id };
}

const sale = (quoteId: string, more: object = {}) =>
  sold(token, {
    quoteId,
    lines: [{ description: "Pen", businessType: "LASER", quantity: 1, amount: 70 }],
    paymentMode: "CASH",
    ...more,
  });

describe("the payments file", () => {
  it("has each payment that moved money once, and names the document towards which a deposit counts", async () => {
    const { quoteId, number } = await deposit(30, "EMT", "2026-03-02");
    const [document] = (await sale(quoteId, { createdAt: "2026-04-06" })) as [SaleAnswer];
    const note = await json<SaleAnswer>(credit(token, document.id, { paymentMode: "CARD" }));
    const open = await deposit(20, "CASH", "2026-03-03");
    const back = { amount: -20, mode: "CASH", createdAt: "2026-03-04" };
    expect((await call(`/api/quote/${open.quoteId}/payment`, { token, json: back })).status).toBe(201);
    const rows = await payments("?from=2026-03-01&to=2026-04-30");
    expect(rows.map((row) => [row.Number, row.Type, row.Date, row.Payment, row.Amount])).toEqual([
      [number, "Deposit", "2026-03-02", "EMT", "30.00"],
      [open.number, "Deposit", "2026-03-03", "Cash", "20.00"],
      [expect.stringMatching(/^LD-/), "Deposit paid back", "2026-03-04", "Cash", "-20.00"],
      [document.number, "Sale", "2026-04-06", "Cash", "40.00"],
    ]);
    expect(rows[0]).toMatchObject({ Quote: "Engraved pen", "Document of the deposit": document.number });
    expect(rows[1]).toMatchObject({ "Document of the deposit": "" });
    expect(rows.every((row) => row["Taken by"] !== "" && row.Business === "Laser Craft")).toBe(true);
    const all = await payments();
    const of = (each: Row) =>
      each.Number === document.number || each["Document of the deposit"] === document.number;
    expect(all.filter(of).reduce((sum, row) => sum + cents(row.Amount), 0)).toBe(7000);
    expect(all.filter((row) => row.Number === note.number)).toMatchObject([
      { Type: "Credit note", Amount: "-70.00" },
    ]);
    expect(await payments("?business=EMPORIA&from=2026-03-01&to=2026-04-30")).toEqual([]);
  });

  it("is for managers, and of days that are days", async () => {
    const path = "/admin/bookkeeping-payments.csv";
    expect((await call(path, { token: (await seller()).token })).status).toBe(403);
    expect((await call(`${path}?from=2026-03-05&to=2026-03-01`, { token })).status).toBe(400);
  });

  it("reads the rows of its days alone", async () => {
    await env.DB.prepare(
      `INSERT INTO payments (id, business_type, mode, amount_cents, document_id, created_at, day, created_by)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
       SELECT 'many-' || i, 'EMPORIA', 'CARD', 100, 'many-' || i, 1, '2021-05-05', 'Ada' FROM n`,
    ).run();
    const answer = await call("/admin/bookkeeping-payments.csv?from=2026-03-01&to=2026-04-30", { token });
    await answer.text();
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
    await env.DB.prepare("DROP TRIGGER IF EXISTS payments_final_delete").run();
    await env.DB.exec(
      "DELETE FROM payments WHERE id LIKE 'many-%'; DELETE FROM payment_sums WHERE day = '2021-05-05'",
    );
  });
});

describe("cash of a day", () => {
  const DAYS = ["2026-05-04", "2026-05-05", "2026-05-06"];
  const day = fc.constantFrom(...DAYS);
  const mode = fc.constantFrom("CASH", "CARD", "EMT");
  const amount = fc.integer({ min: 1, max: 60 });
  const step = fc.record({
    kind: fc.constantFrom("sale", "credited", "deposit", "sold", "expense", "byHand" as const),
    ...{ day, mode, amount },
  });

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  const lines = (price: number) => [{ description: "Cup", category: "OTHERS", quantity: 1, amount: price }];
  const entry = (path: string, json: object) => async (each: Step) => {
    const { amount: sum, mode: paymentMode, day: createdAt } = each;
    const common = { description: "Tape", businessType: "EMPORIA", amount: sum, createdAt, paymentMode };
    expect((await call(`/api/${path}`, { token, json: { ...common, ...json } })).status).toBe(201);
  };
  const sell = ({ amount: price, mode: paymentMode, day: createdAt }: Step) =>
    sold(token, { lines: lines(price), paymentMode, createdAt });
  const STEPS: Record<Step["kind"], (each: Step) => Promise<unknown>> = {
    sale: sell,
    credited: async (each) => credit(token, String((await sell(each))[0]?.id), { paymentMode: each.mode }),
    deposit: (each) => deposit(each.amount, each.mode, each.day),
    sold: async (each) => {
      const { quoteId } = await deposit(each.amount, each.mode, each.day);
      await sale(quoteId, { createdAt: each.day });
    },
    expense: entry("expense", { expenseType: "OTHERS" }),
    byHand: entry("invoice", { category: "OTHERS" }),
  };

  it("is the payments file and the cash expenses of the accountant's file: what each drawer expects", async () => {
    for (const each of fc.sample(step, { numRuns: 24, seed: 38 })) await STEPS[each.kind](each);
    const taken = (await payments()).map((row) => ({
      ...{ business: row.Business ?? "", day: row.Date ?? "", mode: row.Payment ?? "" },
      amount: cents(row.Amount),
    }));
    const { results } = await env.DB.prepare(
      `SELECT iif(business_type = 'LASER', 'Laser Craft', 'Emporia') AS business, day,
        CASE mode WHEN 'CASH' THEN 'Cash' WHEN 'CARD' THEN 'Card' ELSE 'EMT' END AS mode, amount_cents AS amount FROM payment_sums`,
    ).all<(typeof taken)[number]>();
    expect(sums(taken)).toEqual(sums(results));
    const spent = (await file("/admin/bookkeeping.csv"))
      .filter(({ Type, Payment }) => Type === "Expense" && Payment === "Cash")
      .map((row) => ({
        business: row.Business ?? "",
        day: row.Date ?? "",
        mode: "Cash",
        amount: cents(row.Gross),
      }));
    const expected = sums([...taken, ...spent].filter(({ mode: paid }) => paid === "Cash"));
    for (const one of DAYS)
      for (const [business, name] of [
        ["EMPORIA", "Emporia"],
        ["LASER", "Laser Craft"],
      ] as const) {
        await env.DB.prepare(
          `INSERT INTO drawers (id, business_type, day, float_cents, opened_by, opened_at) VALUES (?1, ?2, ?3, 5000, 'Ada', 1)`,
        )
          .bind(`${business}-${one}`, business, one)
          .run();
        const drawer = await json<{ expected: number; id: string }>(
          call(`/api/drawer?businessType=${business}`, { token }),
        );
        expect(cents(String(drawer.expected)) - 5000, `${business} ${one}`).toBe(
          expected[`${name} ${one} Cash`] ?? 0,
        );
        const closed = {
          businessType: business,
          id: drawer.id,
          counted: Math.max(0, drawer.expected),
          reason: "Counted",
        };
        expect((await call("/api/drawer/close", { token, json: closed })).status).toBe(200);
      }
    expect(await violations()).toEqual([]);
  }, 60_000);
});

describe("a deposit", () => {
  it("is found by its number, and is held until it is sold", async () => {
    const { quoteId, number, id } = await deposit(30, "CARD");
    const found = await json<{ groups: { kind: string; hits: { path: string; title: string }[] }[] }>(
      call(`/api/search?q=${number.toLowerCase()}`, { token }),
    );
    expect(found.groups.find(({ kind }) => kind === "documents")?.hits).toMatchObject([
      { path: `/receipts/deposit/${id}`, title: number },
    ]);
    const documents = await call(`/admin/documents?q=${number}`, { token });
    expect(await documents.text()).toContain(`/receipts/deposit/${id}`);
    expect(costOf(documents).roundTrips).toBeLessThanOrEqual(3);
    const held = async () =>
      (await (await call("/admin/quotes?state=deposit", { token })).text()).replaceAll("<!-- -->", "");
    const { results } = await env.DB.prepare("SELECT sum(deposit_cents) AS cents FROM quotes").all<{
      cents: number;
    }>();
    expect(await held()).toContain(`Deposits held: $${((results[0]?.cents ?? 0) / 100).toFixed(2)}`);
    expect(await held()).toContain(`quote=${quoteId}`);
    await sale(quoteId);
    expect(await held()).not.toContain(`quote=${quoteId}`);
    expect(await violations()).toEqual([]);
  });

  it("is held on each day until it is sold, by report, file and the dialog that closes a month", async () => {
    const { quoteId } = await deposit(30, "EMT", "2024-03-02");
    const { quoteId: other } = await deposit(20, "CASH", "2024-04-30");
    await sale(quoteId, { createdAt: "2024-05-06" });
    const back = { amount: -20, mode: "CARD", createdAt: "2024-05-31" };
    await call(`/api/quote/${other}/payment`, { token, json: back });
    for (const [query, day, amount] of [
      ["?period=2024-02", "29th Feb 2024", "0.00"],
      ["?period=2024-03", "31st Mar 2024", "30.00"],
      ["?from=2024-04-30&to=2024-05-05", "5th May 2024", "50.00"],
      ["?from=2024-05-06&to=2024-05-30", "30th May 2024", "20.00"],
      ["?period=2024-05", "31st May 2024", "0.00"],
    ] as const) {
      expect(await text(`/admin/bookkeeping${query}`)).toContain(`$${amount} were held on ${day}`);
      const rows = await file(`/admin/bookkeeping-tax.csv${query}`);
      expect(rows.map((row) => row["Deposits held at the end"])).toEqual(["0.00", amount]);
    }
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO closings (id, business_type, until, note, closed_by, closed_at) VALUES ('held', 'LASER', '2024-03-31', '', 'Ada', 1)",
      ),
      env.DB.prepare(
        "INSERT INTO drawers (id, business_type, day, float_cents, opened_by, opened_at) VALUES ('forgotten', 'LASER', '2024-04-12', 0, 'Ada', 1)",
      ),
    ]);
    const dialog = await text("/admin/bookkeeping?close=LASER", (await admin()).token);
    expect(dialog).toContain("April 2024 as it is now");
    expect(dialog).toMatch(/The drawer of 12th Apr 2024<\/a> is not closed/);
    expect(dialog).toMatch(/Deposits<\/a> of \$50\.00 are held at its end/);
    await env.DB.exec("DELETE FROM closings");
    expect(await violations()).toEqual([]);
  });

  it("of a quote of two businesses is booked out of the one that took it", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "A vase, and a pen?" });
    const vase = {
      productId: await addProduct({ stock: 5, category: "HOME_DECOR" }),
      description: "Vase",
      quantity: 1,
      amount: 50,
    };
    const lines = [vase, { description: "Pen", quantity: 1, amount: 40 }];
    const quote = { chatId, title: "Vase and pen", lines };
    const { id: quoteId } = await json<{ id: string }>(call("/api/quote", { token, json: quote }));
    await call(`/api/quote/${quoteId}`, { method: "PATCH", json: { state: "accepted" }, cookie });
    const payment = { amount: 60, mode: "EMT", createdAt: "2023-03-02" };
    const { number } = await json<Taken>(call(`/api/quote/${quoteId}/payment`, { token, json: payment }));
    expect(number).toMatch(/^ED-/);
    const held = async (day: string) =>
      (await file(`/admin/bookkeeping-tax.csv?from=2023-03-01&to=${day}`)).map(heldOf);
    const listed = async (business: string) =>
      (await (await call(`/admin/quotes?state=deposit&business=${business}`, { token })).text()).includes(
        `quote=${quoteId}`,
      );
    expect(await held("2023-03-05")).toEqual([
      ["60.00", "0.00"],
      ["0.00", "0.00"],
    ]);
    expect([await listed("EMPORIA"), await listed("LASER")]).toEqual([true, false]);
    const documents = await sale(quoteId, {
      lines: [vase, { ...lines[1], businessType: "LASER" }],
      createdAt: "2023-03-06",
    });
    expect(documents.map(({ businessType }) => businessType)).toEqual(["EMPORIA", "LASER"]);
    expect(await held("2023-03-06")).toEqual([
      ["0.00", "0.00"],
      ["0.00", "0.00"],
    ]);
    expect(await violations()).toEqual([]);
  });

  it("that is dated after its sale was used before, and was not held, by dialog, report and file", async () => {
    const { quoteId } = await deposit(30, "EMT", "2022-11-02");
    await sale(quoteId, { createdAt: "2022-10-31" });
    const query = "?period=2022-10";
    const later = "$30.00 of deposits dated later were used or paid back by 31st Oct 2022.";
    const report = await text(`/admin/bookkeeping${query}`);
    expect(report).toContain("$0.00 were held on 31st Oct 2022");
    expect(report).toContain(later);
    expect((await file(`/admin/bookkeeping-tax.csv${query}`)).map(heldOf)).toEqual([
      ["0.00", "0.00"],
      ["0.00", "30.00"],
    ]);
    await env.DB.prepare(
      "INSERT INTO closings (id, business_type, until, note, closed_by, closed_at) VALUES ('used', 'LASER', '2022-09-30', '', 'Ada', 1)",
    ).run();
    const dialog = await text("/admin/bookkeeping?close=LASER", (await admin()).token);
    expect(dialog).toContain("October 2022 as it is now");
    expect(dialog.split("October 2022 as it is now")[1]).toContain(later);
    expect(dialog).not.toMatch(/Deposits<\/a> of/);
    await env.DB.exec("DELETE FROM closings");
    expect(await violations()).toEqual([]);
  });

  it("is held now in a period that is not over, with a link to those of its business", async () => {
    const page = await text("/admin/bookkeeping?period=this-year&business=LASER");
    expect(page).toMatch(/Deposits count once they are sold: \$[\d.,]+ are held \(/);
    expect(page).toContain("/admin/quotes?state=deposit&amp;business=LASER");
    const [row] = await file("/admin/bookkeeping-tax.csv?period=this-year");
    expect(Object.keys(row ?? {}).slice(-2)).toEqual([
      "Deposits held now",
      "Later deposits used or paid back",
    ]);
    const closed = {
      id: "now",
      business_type: "LASER",
      until: "2024-03-31",
      note: "",
      closed_by: "Ada",
      closed_at: 1,
    };
    await insert("closings", [closed]);
    const { quoteId } = await deposit(10, "EMT", "2024-04-30");
    const dialog = await text("/admin/bookkeeping?close=LASER", (await admin()).token);
    expect(dialog).toMatch(
      /href="\/admin\/quotes\?state=deposit&amp;business=LASER"[^>]*>Deposits<\/a> of \$60\.00/,
    );
    await env.DB.exec("DELETE FROM closings");
    await sale(quoteId);
  });

  it("has its receipt in the drawer of its day", async () => {
    const { id } = await deposit(30, "CASH", "2026-06-01");
    const page = await (await call("/admin/sales/drawer?business=LASER&day=2026-06-01", { token })).text();
    expect(page).toContain(`/receipts/deposit/${id}`);
  });
});

it("discounts are in the accountant's file, the tax summary and on the page", async () => {
  const lines = [
    { description: "Vase", category: "OTHERS", quantity: 2, amount: 50, discount: { percent: 10 } },
  ];
  const [document] = await sold(token, { lines, paymentMode: "CARD", createdAt: "2025-02-03" });
  const [row] = await file("/admin/bookkeeping.csv?from=2025-02-01&to=2025-02-28");
  expect(row).toMatchObject({ Gross: "45.00", Discount: "5.00" });
  const [summary] = await file("/admin/bookkeeping-tax.csv?from=2025-02-01&to=2025-02-28");
  expect(summary).toMatchObject({ Business: "Emporia", Discounts: "5.00" });
  for (const query of [
    "?from=2025-02-03&to=2025-02-03",
    "?period=2025-02",
    "?from=2025-01-01&to=2025-12-31",
  ]) {
    const page = await (await call(`/admin/bookkeeping${query}`, { token })).text();
    expect(page.replaceAll("<!-- -->", "")).toContain("of $5.00 are taken off");
  }
  await credit(token, String(document?.id), { paymentMode: "CARD" });
  const [all] = await file("/admin/bookkeeping-tax.csv");
  expect(all).toMatchObject({ Discounts: "0.00" });
  expect(await violations()).toEqual([]);
});
