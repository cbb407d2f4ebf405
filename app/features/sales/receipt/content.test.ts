import { describe, expect, it } from "vitest";
import { creditNote, documentLine, SHOP, saleDocument } from "../../../../tests/fixtures/sale-documents";
import { receiptContent } from "./content";

describe("a receipt's texts", () => {
  it("show prices without tax where tax is added, so that the column leads to the total", () => {
    const document = saleDocument({
      taxIncluded: false,
      lines: [documentLine({ quantity: 2, amountCents: 2260, taxCents: 260 })],
      taxCents: 260,
      roundingCents: 0,
      totalCents: 2260,
      paymentMode: "CARD",
    });
    const { lines, sums, total, paid, footer } = receiptContent(document, SHOP);
    expect(lines[0]).toMatchObject({ price: "$10.00", amount: "$20.00" });
    expect(sums).toEqual([
      { label: "Before tax", amount: "$20.00" },
      { label: "HST 13%", amount: "$2.60" },
    ]);
    expect(total).toEqual({ label: "Total", amount: "$22.60" });
    expect(paid).toEqual([{ label: "Paid, card", amount: "$22.60" }]);
    expect(footer).not.toContain("include");
  });

  it("of a business without registration mention no tax", () => {
    const document = saleDocument({
      businessType: "LASER",
      taxName: "",
      taxNumber: "",
      taxRate: 0,
      taxCents: 0,
      roundingCents: 0,
      paymentMode: "EMT",
      chatId: null,
    });
    const content = receiptContent(document, SHOP);
    expect(content).toMatchObject({
      seller: "Laser Craft",
      sums: [],
      footer: "",
      paid: [{ label: "Paid, e-transfer" }],
    });
    expect(JSON.stringify(content)).not.toMatch(/tax|HST/i);
  });

  it("list a deposit and each payment", () => {
    const payments = [
      { mode: "EMT" as const, amountCents: 10_000, quoteId: "quote-1" },
      { mode: "CARD" as const, amountCents: 6800, quoteId: null },
      { mode: "CASH" as const, amountCents: 10_000, quoteId: null },
    ];
    expect(receiptContent(saleDocument({ payments }), SHOP).paid).toEqual([
      { label: "Deposit, e-transfer", amount: "$100.00" },
      { label: "Paid, card", amount: "$68.00" },
      { label: "Paid, cash", amount: "$100.00" },
    ]);
  });

  it("leave out a price that times the quantity is not the amount", () => {
    const document = saleDocument({ lines: [documentLine({ quantity: 3, amountCents: 1000 })] });
    expect(receiptContent(document, SHOP).lines[0]).toMatchObject({
      quantity: "3",
      price: "",
      amount: "$10.00",
    });
  });

  it("write rates of a fraction of a per cent, and rounding down with a minus sign", () => {
    const document = saleDocument({ taxRate: 975, roundingCents: -2 });
    const labels = receiptContent(document, SHOP).sums.map(({ label, amount }) => `${label} ${amount}`);
    expect(labels).toContain("HST 9.75%, included $30.83");
    expect(labels).toContain("Rounding, cash −$0.02");
  });

  it("of a credit note count pieces and prices up, and amounts down", () => {
    const { lines, total } = receiptContent(creditNote(), SHOP);
    expect(lines[0]).toMatchObject({ quantity: "1", price: "$25.00", amount: "−$25.00" });
    expect(total).toEqual({ label: "Credited", amount: "−$25.00" });
  });
});
