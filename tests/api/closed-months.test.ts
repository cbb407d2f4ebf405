import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { beforeBatch } from "../support/failing-d1";
import { admin, manager } from "../support/people";
import { credit, json, sell, sold, violations } from "../support/sales";
import { addProduct, call, insert } from "../support/shop";

let token = "";
let other = "";
beforeAll(async () => {
  token = (await admin()).token;
  other = (await manager()).token;
});
beforeEach(() =>
  env.DB.exec(
    "DELETE FROM closings; DELETE FROM invoices WHERE document_id IS NULL; DELETE FROM expenses; DELETE FROM deleted_entries",
  ),
);

interface Answer {
  id: string;
  message: string;
  until: string;
  reopenedBy: string | null;
  details?: { path: string; message: string }[];
}

const UNTIL = "2026-09-30";
const close = (fields: Record<string, unknown> = {}, as = token) =>
  call("/api/closing", { token: as, json: { businessType: "EMPORIA", until: UNTIL, ...fields } });
const reopen = (fields: Record<string, unknown> = {}, as = token) =>
  call("/api/closing", {
    method: "DELETE",
    token: as,
    json: { businessType: "EMPORIA", reason: "A bill came late", ...fields },
  });
const list = () => json<Answer[]>(call("/api/closing", { token }));
const invoice = (day: string, fields: Record<string, unknown> = {}) =>
  call("/api/invoice", {
    token: other,
    json: {
      description: "Lamp",
      amount: 20,
      quantity: 1,
      category: "OTHERS",
      paymentMode: "CASH",
      createdAt: day,
      ...fields,
    },
  });
const expense = (day: string, fields: Record<string, unknown> = {}) =>
  call("/api/expense", {
    token: other,
    json: {
      description: "Drill bits",
      amount: 9,
      businessType: "EMPORIA",
      expenseType: "PURCHASE",
      createdAt: day,
      ...fields,
    },
  });
const idOf = async (answer: Promise<Response>) => (await json<Answer>(answer)).id;
const rows = async <T>(query: string) => (await env.DB.prepare(query).all<T>()).results;
const LEDGER = "SELECT * FROM ledger_periods ORDER BY 1, 2, 3, 4, 5, 6";
const refused = async (answer: Response | Promise<Response>) => {
  const { status } = await answer;
  const { message, details } = await json<Answer>(answer);
  return { status, message, path: details?.[0]?.path };
};
const REFUSAL = {
  status: 409,
  message: expect.stringMatching(
    /^Emporia is closed up to 30th Sep 2026, by .+ today at \d\d:\d\d\. Nothing was stored\.$/,
  ),
  path: "createdAt",
};

describe("a closed month", () => {
  it("takes no entry, and changes, deletes and restores none", async () => {
    const [sale, bill, later] = [
      await idOf(invoice("2026-09-30")),
      await idOf(expense("2026-09-02")),
      await idOf(invoice("2026-10-01")),
    ];
    await call(`/api/expense/${bill}`, { method: "DELETE", token: other });
    const gone = await rows("SELECT id FROM deleted_entries");
    const before = await rows(LEDGER);
    expect((await close()).status).toBe(201);
    expect(await rows(LEDGER), "closing changes no figure").toEqual(before);
    const put = (kind: string, id: string, json: unknown) =>
      call(`/api/${kind}/${id}`, { method: "PUT", token: other, json });
    for (const answer of [
      invoice("2026-09-30"),
      expense("2026-09-30"),
      put("invoice", sale, { amount: 21 }),
      put("invoice", sale, { createdAt: "2026-10-02" }),
      put("invoice", later, { createdAt: "2026-09-30" }),
      call(`/api/invoice/${sale}`, { method: "DELETE", token: other }),
    ])
      expect(await refused(await answer)).toEqual(REFUSAL);
    const undo = new FormData();
    undo.append("intent", "restore");
    undo.append("id", bill);
    const restored = await call("/admin/expenses-management", { body: undo, token: other });
    expect(await restored.text()).toContain("Emporia is closed up to");
    expect(await rows("SELECT id FROM deleted_entries")).toEqual(gone);
    expect(await rows(LEDGER)).toEqual(before);
  });

  it("leaves the other business, and later days, as they are", async () => {
    await close();
    expect((await invoice("2026-09-30", { category: "ENGRAVING", businessType: "LASER" })).status).toBe(201);
    expect((await invoice("2026-10-01")).status).toBe(201);
  });

  it("takes no sale, and no sale of it is credited", async () => {
    const product = await addProduct({ stock: 5 });
    const sale = (createdAt: string) => ({
      paymentMode: "CASH",
      createdAt,
      lines: [{ productId: product, quantity: 1, amount: 5 }],
    });
    const [document] = await sold(other, sale("2026-09-30"));
    await close();
    const before = [
      await rows(LEDGER),
      await rows("SELECT stock FROM products"),
      await rows("SELECT id FROM documents"),
    ];
    expect(await refused(sell(other, sale("2026-09-30")))).toEqual(REFUSAL);
    expect(await refused(credit(other, document?.id ?? "", { restock: true }))).toEqual(REFUSAL);
    expect([
      await rows(LEDGER),
      await rows("SELECT stock FROM products"),
      await rows("SELECT id FROM documents"),
    ]).toEqual(before);
    expect((await sell(other, sale("2026-10-01"))).status).toBe(201);
  });

  it("is closed while sales of it are recorded: each is stored before, or refused", async () => {
    const sales = Array.from({ length: 8 }, () => invoice("2026-09-15"));
    const [answers, closed] = [
      await Promise.all([...sales.slice(0, 4), close(), ...sales.slice(4)]),
      await list(),
    ];
    const stored = answers.filter(({ status }, at) => at !== 4 && status === 201).length;
    expect(closed).toHaveLength(1);
    expect(await rows("SELECT count(*) AS n FROM invoices WHERE document_id IS NULL")).toEqual([
      { n: stored },
    ]);
    expect((await invoice("2026-09-15")).status).toBe(409);
  });
});

describe("a month that is closed meanwhile", () => {
  const line = { description: "Lamp", category: "OTHERS", quantity: 1, amount: 20 };
  const documents = () => rows("SELECT id, kind FROM documents ORDER BY row");

  it("has each sale and credit note that was answered with 201, and no other", async () => {
    const [first] = await sold(other, { paymentMode: "CASH", createdAt: "2026-09-14", lines: [line] });
    const before = (await documents()).length;
    const sale = () => sell(other, { paymentMode: "CASH", createdAt: "2026-09-15", lines: [line] });
    const answers = await Promise.all([
      ...[sale(), sale(), sale()],
      close().then(() => null),
      credit(other, String(first?.id), { lines: [{ line: 1, amount: 5 }] }),
      ...[sale(), sale(), sale()],
    ]);
    const statuses = answers.flatMap((answer) => answer?.status ?? []);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const stored = statuses.filter((status) => status === 201).length;
    expect((await documents()).length).toBe(before + stored);
    expect(await violations()).toEqual([]);
    expect(await refused(sale())).toEqual(REFUSAL);
  });

  it("refuses a sale, a credit note and a correction between their reading and their batch", async () => {
    const [first] = await sold(other, { paymentMode: "CASH", createdAt: "2026-09-14", lines: [line] });
    const before = await documents();
    const correction = { paymentMode: "CASH", lines: [{ ...line, amount: 15 }] };
    for (const send of [
      () => sell(other, { paymentMode: "CASH", createdAt: "2026-09-15", lines: [line] }),
      () => credit(other, String(first?.id)),
      () => call(`/api/sale/${first?.id}/correct`, { token: other, json: correction }),
    ]) {
      const between = beforeBatch(/INSERT INTO payments/, () => close());
      expect((await refused(send())).message).toMatch(
        /^Emporia is closed up to 30th Sep 2026, by .+ Nothing was stored\.$/,
      );
      between.mockRestore();
      await env.DB.exec("DELETE FROM closings");
    }
    expect(await documents()).toEqual(before);
    expect(await violations()).toEqual([]);
  });
});

describe("closing", () => {
  it("is for admins alone, like reopening", async () => {
    expect((await close({}, other)).status).toBe(403);
    await close();
    expect([(await reopen({}, other)).status, (await call("/api/closing", { token: other })).status]).toEqual(
      [403, 403],
    );
    expect(await refused(invoice("2026-09-01"))).toMatchObject({ status: 409 });
  });

  it.each([
    [{ until: "2999-01-01" }, "until"],
    [{ until: "2026-02-30" }, "until"],
    [{ until: "" }, "until"],
    [{ until: 20260930 }, "until"],
    [{ businessType: "OTHER" }, "businessType"],
    [{ note: "x".repeat(201) }, "note"],
    [{ id: "no id" }, "id"],
  ])("refuses %j", async (fields, path) => {
    expect(await refused(close(fields))).toMatchObject({ status: 400, path });
    expect(await list()).toEqual([]);
  });

  it("is listed whole, or by window with the number of all", async () => {
    const row = {
      business_type: "LASER",
      note: "",
      closed_by: "Ada",
      reopened_by: "Ada",
      reopened_at: 2,
      reason: "x",
    };
    const months = Array.from({ length: 30 }, (_, i) => ({
      ...row,
      id: `c-${i}`,
      until: "2020-01-31",
      closed_at: i,
    }));
    await insert("closings", months);
    expect(await list()).toHaveLength(30);
    const window = await call("/api/closing?limit=2&offset=1", { token });
    expect(window.headers.get("X-Total-Count")).toBe("30");
    expect((await json<Answer[]>(window)).map(({ id }) => id)).toEqual(["c-28", "c-27"]);
  });

  it("refuses a day in the future", async () => {
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    expect(await refused(close({ until: tomorrow }))).toMatchObject({ status: 400, path: "until" });
  });

  it("is stored once for an id, and up to a day that is closed already not at all", async () => {
    const [first, again] = [await close({ id: "september" }), await close({ id: "september" })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await json(again)).toEqual(await json(first));
    expect((await close({ id: "september", note: "Other" })).status).toBe(409);
    expect(await refused(close({ until: "2026-08-31" }))).toMatchObject({
      status: 409,
      message: expect.stringContaining("Emporia is closed up to 30th Sep 2026"),
    });
    expect(await list()).toHaveLength(1);
    expect((await close({ until: "2026-10-31" })).status).toBe(201);
  });

  it("is taken back once by a request without an id that is sent again", async () => {
    await close({ until: "2026-08-31" });
    await close();
    const answers = await Promise.all([reopen(), reopen(), reopen()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await json<Answer>(await reopen())).until).toBe(UNTIL);
    expect((await invoice("2026-08-31")).status).toBe(409);
    // Closed anew, it is another act.
    await close();
    expect((await json<Answer>(await reopen())).until).toBe(UNTIL);
    expect((await list()).filter(({ reopenedBy }) => reopenedBy === null)).toHaveLength(1);
    expect((await json<Answer>(await reopen({ reason: "August too" }))).until).toBe("2026-08-31");
  });

  it("is taken back by one act, which gives back the month before", async () => {
    await close({ until: "2026-08-31" });
    await close();
    const [first, second] = await Promise.all([
      reopen({ id: (await list())[0]?.id }),
      reopen({ id: (await list())[0]?.id, reason: "Another one" }),
    ]);
    expect([first?.status, second?.status].sort()).toEqual([200, 409]);
    const { id, reason } = (await list())[0] as Answer & { reason: string };
    expect((await reopen({ id, reason })).status, "sent again").toBe(200);
    expect((await list()).map(({ until, reopenedBy }) => [until, reopenedBy !== null])).toEqual(
      expect.arrayContaining([
        ["2026-09-30", true],
        ["2026-08-31", false],
      ]),
    );
    expect([(await invoice("2026-09-01")).status, (await invoice("2026-08-31")).status]).toEqual([201, 409]);
    expect((await reopen({ reason: "Another bill" })).status).toBe(200);
    expect((await reopen({ reason: "A third one" })).status).toBe(404);
    expect(await refused(reopen({ reason: "" }))).toMatchObject({ status: 400, path: "reason" });
    const logged = await rows<{ action: string }>(
      "SELECT action FROM audit_log WHERE object = 'closing' ORDER BY seq DESC LIMIT 4",
    );
    expect(logged.map(({ action }) => action)).toEqual(["reopened", "reopened", "closed", "closed"]);
  });
});
