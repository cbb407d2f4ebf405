import { encode } from "fast-png";
import { extractImages, extractText, getDocumentProxy } from "unpdf";
import { describe, expect, it } from "vitest";
import { creditNote, documentLine, SHOP, saleDocument } from "../../../../tests/fixtures/sale-documents";
import type { SaleDocument } from "../document";
import { depositContent } from "./content";
import { contentsPdf, type LogoReader, receiptPdf } from "./pdf.server";

const NO_LOGO: LogoReader = async () => {
  throw new Error("The shop has no logo");
};

/** Largest receipt of one page, bytes. */
const MAX_PAGE_BYTES = 40_000;

/** Reads the text of each page back. */
async function pagesOf(...documents: [SaleDocument, ...SaleDocument[]]): Promise<string[]> {
  const pdf = await getDocumentProxy(await receiptPdf(documents, () => SHOP, NO_LOGO));
  const { text } = await extractText(pdf, { mergePages: false });
  return text.map((page) => page.replaceAll(/\s+/g, " "));
}

/** Reads the text of a PDF of one page back. */
async function textIn(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return text.replaceAll(/\s+/g, " ");
}

async function textOf(...documents: [SaleDocument, ...SaleDocument[]]): Promise<string> {
  return (await pagesOf(...documents)).join(" ");
}

describe("a receipt as PDF", () => {
  it("states supplier, business number, number, date, lines, tax, rounding, total and payment", async () => {
    const [page = "", ...others] = await pagesOf(saleDocument());
    expect(others).toEqual([]);
    for (const text of [
      "Receipt",
      "214 Queen Street West, Toronto",
      "HST 70000 0000 RT0001 (made up)",
      "emporia.example",
      "E-2026-000124",
      "21st Nov 2026",
      "Ines Carvalho",
      "Mushroom table lamp",
      "$124.99",
      "$249.98",
      "Before tax $237.15",
      "HST 13%, included $30.83",
      "Rounding, cash +$0.02",
      "Total $268.00",
      "Paid, cash $268.00",
    ])
      expect(page).toContain(text);
  });

  it("of a credit note names the original, with positive prices and negative amounts", async () => {
    const page = await textOf(creditNote());
    expect(page).toContain("Credit note");
    expect(page).toContain("Corrects receipt E-2026-000061. The case doesn’t fit the phone.");
    expect(page).toContain("Wavy stripe phone case 1 $25.00 −$25.00");
    expect(page).toContain("Credited −$25.00");
    expect(page).toContain("Given back, cash");
  });

  it("ends with every line of the shop's own text, on a page more where it does not fit", async () => {
    const receiptText = Array.from(
      { length: 12 },
      (_, i) => `Line ${i + 1} of the text ${"W".repeat(20)}`,
    ).join("\n");
    const shop = { ...SHOP, sales: { receiptText, receiptHours: true } };
    for (const pieces of [1, 20]) {
      const lines = Array.from({ length: pieces }, (_, i) => documentLine({ line: i + 1 }));
      const pdf = await getDocumentProxy(await receiptPdf([saleDocument({ lines })], () => shop, NO_LOGO));
      const { text } = await extractText(pdf, { mergePages: false });
      const last = text.at(-1) ?? "";
      for (const line of [...receiptText.split("\n"), "Every day: closed"]) expect(last).toContain(line);
    }
  });

  it("of a deposit says what it is for, what is left to pay, and no tax", async () => {
    const deposit = {
      ...{ number: "LD-2026-000004", businessType: "LASER" as const, mode: "EMT" as const, note: "" },
      ...{ amountCents: 3000, paidCents: 5000, title: "Walnut pen", totalCents: 7000, addedTax: null },
      ...{ createdAt: 1_795_000_000, customerName: "Eleni Papadopoulou" },
    };
    const text = await textIn(
      await contentsPdf([depositContent(deposit, SHOP)], deposit.createdAt, SHOP, NO_LOGO),
    );
    for (const line of [
      "LD-2026-000004",
      "Eleni Papadopoulou",
      "Deposit: Walnut pen 1 $30.00 $30.00",
      "Quote $70.00",
      "Paid before $20.00",
      "Left to pay $20.00",
      "Paid, e-transfer $30.00",
    ])
      expect(text).toContain(line);
    expect(text).not.toContain("HST");
  });

  it("keeps Latin, Greek, Cyrillic and Vietnamese letters, composed or not, and currency signs", async () => {
    const names = ["Zoë", "Zoe\u0308", "Łukasz", "Ёлка", "Ωmega", "Nguyễn", "Straße €₴₺"];
    const lines = names.map((description, i) => documentLine({ line: i + 1, description }));
    const page = await textOf(saleDocument({ lines }));
    for (const name of names) expect(page).toContain(name.normalize("NFC"));
  });

  it("replaces emoji, Arabic, Hebrew and Chinese letters, and leaves controls out", async () => {
    const page = await textOf(saleDocument({ customerName: "A👩‍👩‍👧B\u200F\u0000C م שׁ 漢\uD800" }));
    expect(page).toContain("A�B C � � ��");
  });

  it("writes ligatures and full-width letters as the letters that they stand for", async () => {
    const letters = {
      ﬁsh: "fish",
      oﬃce: "office",
      ﬂair: "flair",
      ﬅem: "stem",
      Ｆｕｌｌ: "Full",
      "fi ffl": "fi ffl",
    };
    const lines = Object.keys(letters).map((description, i) => documentLine({ line: i + 1, description }));
    const page = await textOf(saleDocument({ customerName: "Steﬀi Pﬁster", lines }));
    for (const text of [...Object.values(letters), "Steffi Pfister"]) expect(page).toContain(`${text} `);
  });

  it("keeps a letter whose marks the font lacks, with those that it has", async () => {
    const letters = {
      "x\u0323\u0304yz": "xyz",
      "Ka\u0324\u0302\u0301m": "Kấm",
      "\u01E8ol": "Kol",
      "Q\u030Cuay 1\uFE0F\u20E3": "Quay 1",
      "\u05E9\u05C1 ab": "\uFFFD ab",
    };
    const lines = Object.keys(letters).map((description, i) => documentLine({ line: i + 1, description }));
    const page = await textOf(saleDocument({ lines }));
    for (const text of Object.values(letters)) expect(page).toContain(`${text} `);
  });

  it("breaks a name of 500 letters without losing one", async () => {
    const customerName = "Ŵ".repeat(500);
    const description = "Ж".repeat(500);
    const page = await textOf(saleDocument({ customerName, lines: [documentLine({ description })] }));
    expect(page.match(/Ŵ/g)).toHaveLength(500);
    expect(page.match(/Ж/g)).toHaveLength(500);
  });

  it("repeats heading and columns on each page, which are numbered", async () => {
    const lines = Array.from({ length: 60 }, (_, i) =>
      documentLine({ line: i + 1, description: `Lamp ${i + 1}.` }),
    );
    const pages = await pagesOf(saleDocument({ lines }));
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((page, i) => {
      expect(page).toContain("Item Qty Price Amount");
      expect(page).toContain("E-2026-000124");
      expect(page).toContain(`Page ${i + 1} of ${pages.length}`);
    });
    for (const { description } of lines) expect(pages.join(" ").split(description)).toHaveLength(2);
    expect(pages.at(-1)).toContain("Total $268.00");
  });

  it("begins each of several documents on a page of its own", async () => {
    const pages = await pagesOf(saleDocument(), creditNote());
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain("E-2026-000124");
    expect(pages[1]).toContain("EC-2026-000003");
    expect(pages.join()).not.toContain("Page 1");
  });

  it(`has the same bytes each time, and at most ${MAX_PAGE_BYTES} for one full page`, async () => {
    const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ЁёЖжΩωŁł";
    const lines = Array.from({ length: 8 }, (_, i) =>
      documentLine({ line: i + 1, description: alphabet.slice(i) }),
    );
    const document = saleDocument({ customerName: alphabet, lines });
    const bytes = await receiptPdf([document], () => SHOP, NO_LOGO);
    expect(Buffer.from(await receiptPdf([document], () => SHOP, NO_LOGO)).equals(bytes)).toBe(true);
    expect(bytes.length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect((await getDocumentProxy(bytes)).numPages).toBe(1);
  });

  describe("with a logo", () => {
    const shop = { ...SHOP, logo: "products/logo.png" };
    const png = encode({ width: 30, height: 10, data: new Uint8Array(900).fill(120), channels: 3 });
    const withLogo = (logo: Uint8Array | null, ...documents: [SaleDocument, ...SaleDocument[]]) =>
      receiptPdf(
        documents,
        () => shop,
        async () => logo,
      );
    const imagesOf = async (bytes: Uint8Array, page = 1) =>
      (await extractImages(await getDocumentProxy(bytes.slice()), page)).map(({ width, height }) => [
        width,
        height,
      ]);

    it("shows it in place of the sign, once in the file, and has the same bytes each time", async () => {
      const [bytes, again] = [await withLogo(png, saleDocument()), await withLogo(png, saleDocument())];
      expect(await imagesOf(bytes)).toEqual([[30, 10]]);
      expect(Buffer.from(again).equals(bytes)).toBe(true);
      const both = await withLogo(png, saleDocument(), saleDocument({ number: "E-2026-000125" }));
      expect(await imagesOf(both, 2)).toEqual([[30, 10]]);
      expect(
        Buffer.from(both)
          .toString("latin1")
          .match(/\/Subtype \/Image/g),
      ).toHaveLength(1);
    });

    it.each([
      ["gone", null],
      ["damaged", new Uint8Array([1, 2, 3])],
    ])("that is %s, shows the sign", async (_, logo) => {
      const bytes = await withLogo(logo, saleDocument());
      expect(await imagesOf(bytes)).toEqual([]);
      expect(await textIn(bytes)).toContain("E-2026-000124");
    });

    it("leaves it out for the other business", async () => {
      expect(await imagesOf(await withLogo(png, saleDocument({ businessType: "LASER" })))).toEqual([]);
    });
  });

  it("of other content has another id", async () => {
    const id = async (document: SaleDocument) =>
      (await getDocumentProxy(await receiptPdf([document], () => SHOP, NO_LOGO))).fingerprints[0];
    expect(await id(saleDocument())).not.toBe(await id(saleDocument({ customerName: "Noor" })));
  });
});
