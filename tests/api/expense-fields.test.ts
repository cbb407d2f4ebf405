import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { staffToken } from "../support/chat";
import { PDF, pdfFile, text } from "../support/chat-files";
import { attached } from "../support/expense-files";
import { formWith } from "../support/forms";
import { addEntry, EXPENSE } from "../support/ledger";
import { call } from "../support/shop";

const SCREEN = "/admin/expenses-management";
let token = "";
beforeAll(async () => {
  token = await staffToken();
});
beforeEach(() => env.DB.exec("DELETE FROM expenses; DELETE FROM deleted_entries; DELETE FROM expense_files"));

interface Answer {
  id: string;
  supplier: string;
  paymentMode?: string;
  message: string;
}
const read = async <T = Answer>(answer: Response | Promise<Response>) => (await (await answer).json()) as T;
const found = async (q: string) =>
  (await read<Answer[]>(call(`/api/expense/all?q=${encodeURIComponent(q)}`, { token }))).map(({ id }) => id);
const page = async (query = "") => (await call(`${SCREEN}${query}`, { token })).text();
const put = (id: string, json: object) => call(`/api/expense/${id}`, { method: "PUT", token, json });

/** Sends the form of an expense as a browser does. */
function send(fields: Record<string, string>, files: File[] = [], query = "?dialog=new"): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files.length > 0 ? files : [new File([], "")]) form.append("files", file);
  return call(SCREEN + query, { token, body: form });
}
const TODAY = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Toronto" }).format();
const FIELDS = {
  ...{
    intent: "add",
    description: "Boards",
    expenseType: "PURCHASE",
    businessType: "LASER",
    amount: "1,234.50",
  },
  ...{ supplier: "Northwood", paymentMode: "CASH", taxAmount: "", createdAt: TODAY },
};
const stored = () =>
  read<(Answer & { amount: number; files?: { name: string }[] })[]>(call("/api/expense/all", { token }));

describe("supplier and payment mode of an expense", () => {
  it("may be missing, are stored and changed apart, and refused when they are wrong", async () => {
    const bare = await read(call("/api/expense", { token, json: EXPENSE }));
    expect([bare.supplier, "paymentMode" in bare]).toEqual(["", false]);
    const { id } = await addEntry("expense", { supplier: " Northwood ", paymentMode: "EMT" }, token);
    expect(await read(put(id, { description: "Boards" }))).toMatchObject({
      ...{ description: "Boards", supplier: "Northwood", paymentMode: "EMT" },
    });
    expect("paymentMode" in (await read(put(id, { paymentMode: "" })))).toBe(false);
    expect("paymentMode" in (await read(put(id, { paymentMode: null })))).toBe(false);
    for (const wrong of [
      { supplier: "x".repeat(101) },
      { supplier: 5 },
      { paymentMode: "cheque" },
      { paymentMode: 1 },
    ])
      expect((await call("/api/expense", { token, json: { ...EXPENSE, ...wrong } })).status).toBe(400);
    expect((await call("/api/expense", { token, json: { ...EXPENSE, amount: "1,234.50" } })).status).toBe(
      400,
    );
  });

  it("are found by a part of the supplier, also after a change and a restore, and not across two texts", async () => {
    const { id } = await addEntry("expense", { description: "Oak", supplier: "Café & Söhne" }, token);
    for (const q of ["cafe", "söhne", "CAFÉ & S", "ca", "oak"]) expect(await found(q)).toEqual([id]);
    expect(await found("oak cafe")).toEqual([]);
    await put(id, { supplier: "Birch & Co" });
    expect([await found("cafe"), await found("birch"), await found("h & c")]).toEqual([[], [id], [id]]);
    await call(`/api/expense/${id}`, { method: "DELETE", token });
    expect(await found("birch")).toEqual([]);
    await call(SCREEN, { token, body: new URLSearchParams({ intent: "restore", id }) });
    expect(await found("birch")).toEqual([id]);
  });

  it("are in the file, and the audit log names no supplier", async () => {
    const { id } = await addEntry("expense", { supplier: "Northwood", paymentMode: "CARD" }, token);
    const csv = await (await call(`${SCREEN}.csv`, { token })).text();
    expect(csv).toMatch(/Supplier,Paid By/);
    expect(csv).toMatch(/Northwood,Card/);
    await put(id, { supplier: "Birch", paymentMode: "CASH" });
    const { results } = await env.DB.prepare("SELECT changes FROM audit_log WHERE object_id = ?")
      .bind(id)
      .all();
    expect(JSON.stringify(results)).not.toMatch(/Northwood|Birch/);
    expect(results.at(-1)?.changes).toBe('{"supplier":true,"paymentMode":["CARD","CASH"]}');
  });
});

describe("the expenses screen without JavaScript", () => {
  it("adds an expense with its files, once", async () => {
    const id = crypto.randomUUID();
    for (let i = 0; i < 2; i++)
      expect((await send({ ...FIELDS, id }, [pdfFile("bill.pdf"), pdfFile("two.pdf")])).status).toBe(303);
    const rows = await stored();
    expect(rows).toMatchObject([{ id, amount: 1234.5, supplier: "Northwood", paymentMode: "CASH" }]);
    expect(rows[0]?.files?.map(({ name }) => name)).toEqual(["bill.pdf", "two.pdf"]);
    const html = await page();
    for (const content of ["Northwood", "Cash", "2 files", `duplicate=${id}`])
      expect(html).toContain(content);
  });

  it("stores nothing with a wrong file, and says which one beside the field", async () => {
    const answer = await send(FIELDS, [new File([text("<svg/>")], "bill.png")]);
    const html = await answer.text();
    expect(answer.status).toBe(400);
    expect(html).toContain("bill.png is no JPEG, PNG, WebP, GIF or PDF");
    expect(html).toContain('value="1,234.50"');
    const eleven = new Uint8Array(11 * 1024 * 1024);
    eleven.set(PDF);
    const large = await send(FIELDS, [new File([eleven], "bill.pdf")]);
    expect([large.status, (await large.text()).includes("bill.pdf is larger than 10 MB")]).toEqual([
      413,
      true,
    ]);
    const sixty = await send(
      FIELDS,
      Array.from({ length: 6 }, (_, i) => new File([eleven], `${i}.pdf`)),
    );
    expect([sixty.status, (await sixty.text()).includes("The files are larger than 50 MB together")]).toEqual(
      [413, true],
    );
    expect(await stored()).toEqual([]);
  });

  it("adds files to an expense, lists and removes them", async () => {
    const { id } = await addEntry("expense", {}, token);
    const { fields } = formWith(await page(`?edit=${id}`), /^Update$/);
    expect((await send({ ...fields, intent: "update" }, [pdfFile("bill.pdf")], `?edit=${id}`)).status).toBe(
      303,
    );
    const html = await page(`?edit=${id}`);
    expect(html).toContain("Remove bill.pdf");
    const [, key = ""] = /name="key" value="([^"]+)"/.exec(html) ?? [];
    const removal = await call(`${SCREEN}?edit=${id}`, {
      token,
      body: new URLSearchParams({ intent: "removeFile", key }),
    });
    expect([removal.status, removal.headers.get("Location")]).toEqual([303, `${SCREEN}?edit=${id}`]);
    expect(await page(`?edit=${id}`)).not.toContain("bill.pdf");
  });

  it("opens a form with the values of another expense and today's date", async () => {
    const { id } = await addEntry(
      "expense",
      { supplier: "Northwood", paymentMode: "EMT", amount: 12.5 },
      token,
    );
    await attached(id, [pdfFile("bill.pdf")], { token });
    const html = await page(`?q=parcels&duplicate=${id}`);
    const { fields } = formWith(html, /^Add$/);
    expect(fields).toMatchObject({ description: "Parcels", supplier: "Northwood", paymentMode: "EMT" });
    expect([fields.amount, fields.createdAt, fields.id === id]).toEqual(["12.50", TODAY, false]);
    expect(html).not.toContain("Remove bill.pdf");
    const answer = await send({ ...fields, intent: "add" }, [], `?q=parcels&duplicate=${id}`);
    expect(answer.headers.get("Location")).toBe(`${SCREEN}?q=parcels`);
    expect(await stored()).toHaveLength(2);
    expect(await page("?duplicate=gone")).toContain("Expense not found");
  });

  it("suggests the suppliers of before, the latest first, each once", async () => {
    for (const [i, supplier] of ["Birch", "Northwood", "Birch", ""].entries())
      await addEntry(
        "expense",
        { supplier, createdAt: { seconds: 1_790_000_000 + i, nanoseconds: 0 } },
        token,
      );
    const [, list = ""] = /<datalist[^>]*>(.*?)<\/datalist>/s.exec(await page("?dialog=new")) ?? [];
    expect([...list.matchAll(/value="([^"]*)"/g)].map(([, value]) => value)).toEqual(["Birch", "Northwood"]);
    expect(await page()).not.toContain("<datalist");
  });
});
