import { describe, expect, it } from "vitest";
import { fieldChanges, objectLabel, rowText } from "~/features/audit/labels";
import type { AuditRow } from "~/features/audit/queries.server";
import { EXPENSE } from "~/features/ledger/expense";
import { fieldsOf } from "./records";

const SHOP = { businesses: { EMPORIA: "Maple & Oak", LASER: "Laser Craft" }, timezone: "America/Toronto" };

const row = (object: string, changes: Record<string, unknown>): AuditRow => ({
  ...{ seq: 1, at: 0, authorKind: "system", authorId: null, sourceId: null, action: "changed" },
  ...{ objectId: "one", object, changes: JSON.stringify(changes) },
  ...{
    authorName: null,
    sourceName: null,
    objectName: null,
    formerName: null,
    linkedName: null,
    chatId: null,
  },
});

const textOf = (object: string, changes: Record<string, unknown>) => {
  const changed = row(object, changes);
  return rowText(changed, fieldsOf(changed), SHOP);
};

describe("a change in the audit log", () => {
  it.each([
    ["expense", { businessType: ["EMPORIA", "LASER"] }, "Business type: Maple & Oak → Laser Craft"],
    ["expense", { expenseType: ["TAXI", "MISC"] }, "Expense type: Taxi → Misc"],
    ["expense", { taxCents: [0, 282] }, "Tax: $0.00 → $2.82"],
    ["invoice", { businessType: ["LASER", "EMPORIA"] }, "Business: Laser Craft → Maple & Oak"],
    ["invoice", { paymentMode: ["CASH", "EMT"] }, "Payment mode: Cash → EMT"],
    ["invoice", { day: ["2026-11-03", "2026-11-04"] }, "Billing date: 3rd Nov 2026 → 4th Nov 2026"],
    ["document", { paymentMode: [null, "CARD"] }, "Payment mode: Card"],
    ["product", { hasEngraving: [0, 1], colors: [["Oak"], []] }, "Engraving: no → yes; Colors: Oak → none"],
    [
      "product",
      { optionLabel: ["", "Material"], imageUrls: true },
      "Label of the choice: Material; Images changed",
    ],
    ["response", { category: ["General", "SHIPPING_INFO"] }, "Category: General → SHIPPING_INFO"],
    ["chatSettings", { autoResponseEnabled: [0, 1] }, "Enable Auto Responses: no → yes"],
    ["user", { isUser: [1, 0], phoneNumber: true }, "Active: yes → no; Phone changed"],
    ["customer", { email: true }, "Email changed"],
  ])("of %s %j reads as its record does", (object, changes, text) => {
    expect(textOf(object, changes)).toBe(text);
  });

  it("has the label of each field of an expense", () => {
    const { columns, fields } = EXPENSE;
    const facts = Object.fromEntries(columns.map(({ column }) => [column, true]));
    const labels = fieldChanges(row("expense", facts), fields, SHOP).map(({ label }) => label);
    expect(labels).toEqual(columns.map(({ field }) => field.label));
  });

  it.each([
    [
      "document",
      { totalCents: [null, 3600], taxCents: [null, 414], lines: [null, 2] },
      "Total: $36.00; Tax: $4.14; Lines: 2",
    ],
    [
      "taxSettings",
      { taxRate: [500, 1300], taxIncluded: [0, 1] },
      "Tax rate: 5% → 13%; Prices include tax: no → yes",
    ],
    ["user", { passwordHash: true }, "Password changed"],
    ["apiKey", { scope: ["read", null] }, "Scope: read → gone"],
  ])("of %s %j without a field of a record is in words", (object, changes, text) => {
    expect(textOf(object, changes)).toBe(text);
  });

  it.each([
    ["EMPORIA", "Maple & Oak"],
    ["LASER", "Laser Craft"],
  ])("of the tax settings of %s has the name of the business", (objectId, name) => {
    expect(objectLabel({ ...row("taxSettings", {}), objectId }, SHOP.businesses)).toBe(name);
  });
});
