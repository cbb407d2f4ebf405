import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { postMessage, startChat } from "../support/chat";
import { addEntry } from "../support/ledger";
import { admin, manager } from "../support/people";
import { credit, hold, sendQuote, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

const rows = async (query: string) => (await env.DB.prepare(query).all<Record<string, string>>()).results;
const run = (statement: string) => env.DB.prepare(statement).run();

/** Lists the tables with a trigger that refuses changes or deletions as final. */
const finalTables = async () =>
  (
    await rows(`SELECT DISTINCT tbl_name AS name FROM sqlite_master
      WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT, ''%: final'')%' ORDER BY 1`)
  ).flatMap(({ name }) => name ?? []);

const content = async (table: string) => JSON.stringify(await rows(`SELECT * FROM ${table} ORDER BY 1, 2`));

beforeAll(async () => {
  const { token } = await manager();
  const lamp = await addProduct({ stock: 20 });
  const { chatId } = await startChat({ initialMessage: "Hello" });
  await postMessage(chatId, "Hi", { token }, { isFromAdmin: true });
  await vi.waitFor(async () => expect(await content("chat_first_answers")).toContain(chatId));
  const [sale] = await sold(token, { chatId, lines: [{ productId: lamp, quantity: 2, amount: 30 }] });
  await credit(token, String(sale?.id), { lines: [{ line: 1, quantity: 1 }] });
  await hold(token, { chatId, lines: [{ productId: lamp, quantity: 1 }] });
  await sendQuote(token, chatId, "A sign");
  await addEntry("invoice", { description: "By hand", amount: 5 }, token);
  await call("/api/settings", { method: "PATCH", json: { name: "Maple" }, token: (await admin()).token });
  await call("/api/drawer", { token, json: { businessType: "EMPORIA", float: 50 } });
  await call("/api/drawer/close", { token, json: { businessType: "EMPORIA", counted: 50, reason: "Short" } });
});

describe("rows that are final", () => {
  it("are those of documents, stock, numbers and what belongs to them", async () => {
    expect(await finalTables()).toEqual(
      expect.arrayContaining([
        "document_lines",
        "document_series",
        "documents",
        "invoices",
        "stock_movements",
      ]),
    );
    for (const table of await finalTables()) expect(await content(table), table).not.toBe("[]");
  });

  it("are not replaced by INSERT OR REPLACE with other content", async () => {
    for (const table of await finalTables()) {
      const columns = (await rows(`SELECT name, type, pk FROM pragma_table_info('${table}')`)).map(
        ({ name = "", type, pk }) => ({ name, isChanged: type === "INTEGER" && !pk && !/_id$/.test(name) }),
      );
      const values = columns.map(({ name, isChanged }) => (isChanged ? `${name} + 1` : name)).join(", ");
      const only = table === "invoices" ? "WHERE document_id IS NOT NULL" : "";
      const before = await content(table);
      await run(
        `INSERT OR REPLACE INTO ${table} (${columns.map(({ name }) => name).join(", ")}) SELECT ${values} FROM ${table} ${only}`,
      ).catch((error: Error) => expect(error.message, table).toMatch(/final|constraint/));
      expect(await content(table), table).toBe(before);
    }
  });

  it.each([
    [
      "a document by its number",
      "documents",
      "INSERT OR REPLACE INTO documents SELECT * FROM (SELECT NULL, 'other', kind, number, business_type, NULL, 'Ada', NULL, source, payment_mode, tax_name, tax_rate, tax_cents, tax_included, tax_number, rounding_cents, 1, original_id, reason, request_id, request_hash, created_at, day, search_text, created_by, recorded_at, 0, 0 FROM documents LIMIT 1)",
    ],
    [
      "a document's invoice by another invoice's new id",
      "invoices",
      "UPDATE OR REPLACE invoices SET id = (SELECT id FROM invoices WHERE document_id IS NOT NULL) WHERE document_id IS NULL",
    ],
    [
      "an invoice that becomes a document's",
      "invoices",
      "UPDATE invoices SET document_id = (SELECT id FROM documents) WHERE document_id IS NULL",
    ],
    [
      "a number that is drawn again",
      "document_series",
      "INSERT OR REPLACE INTO document_series SELECT series, 0 FROM document_series",
    ],
    ["a number that is skipped", "document_series", "UPDATE document_series SET last = last + 2"],
    ["a series that is deleted", "document_series", "DELETE FROM document_series"],
    ...["documents", "document_lines", "invoices", "holds", "quotes"].map((table) => [
      `rows of ${table} that take the place of others`,
      table,
      `UPDATE OR REPLACE ${table} SET rowid = rowid + 1`,
    ]),
    ["a movement that is deleted", "stock_movements", "DELETE FROM stock_movements"],
  ])("refuse %s", async (_, table, statement) => {
    const before = await content(table);
    await expect(run(statement)).rejects.toThrow("final");
    expect(await content(table)).toBe(before);
  });

  it("still agree with the sums", async () => {
    for (const [name, query] of Object.entries(SALE_CHECKS)) expect(await rows(query), name).toEqual([]);
  });
});
