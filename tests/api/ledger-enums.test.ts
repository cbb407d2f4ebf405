import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CATEGORIES } from "~/domain/categories";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "~/domain/enums";

const ENTRY = {
  description: "",
  description_key: "",
  business_type: "EMPORIA",
  amount_cents: 100,
  created_at: 1_790_000_000,
  day: "2026-09-21",
  updated_at: 1_790_000_000,
};
const INVOICE = { ...ENTRY, category: "OTHERS", quantity: 1, payment_mode: "CASH" };
const EXPENSE = { ...ENTRY, expense_type: "MISC" };

/** Inserts a row past all validation in the Worker and returns its id. */
async function insert(table: string, row: Record<string, string | number>): Promise<string> {
  const values = { id: crypto.randomUUID(), ...row };
  const marks = Object.keys(values).fill("?");
  await env.DB.prepare(`INSERT INTO ${table} (${Object.keys(values)}) VALUES (${marks})`)
    .bind(...Object.values(values))
    .run();
  return values.id;
}

describe.each([
  { table: "invoices", row: INVOICE, column: "business_type", values: BUSINESSES },
  { table: "invoices", row: INVOICE, column: "category", values: CATEGORIES },
  { table: "invoices", row: INVOICE, column: "payment_mode", values: PAYMENT_MODES },
  { table: "expenses", row: EXPENSE, column: "business_type", values: BUSINESSES },
  { table: "expenses", row: EXPENSE, column: "expense_type", values: EXPENSE_TYPES },
])("$table.$column", ({ table, row, column, values }) => {
  it.each(values)("accepts %s", async (value) => {
    await expect(insert(table, { ...row, [column]: value })).resolves.toEqual(expect.any(String));
  });

  it.each(["", "UNKNOWN", "cash"])("rejects %j in an insert and an update", async (value) => {
    const message = `${table}: unknown enumeration value`;
    await expect(insert(table, { ...row, [column]: value })).rejects.toThrow(message);
    const id = await insert(table, row);
    const update = env.DB.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).bind(value, id);
    await expect(update.run()).rejects.toThrow(message);
  });
});

it("deleted_entries.kind rejects an unknown kind", async () => {
  const row = { kind: "order", content: "{}", deleted_at: 0 };
  await expect(insert("deleted_entries", row)).rejects.toThrow("deleted_entries: unknown enumeration value");
});
