import type { Page } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, expectAccessible, test } from "../../support/browser";
import { connected, fieldOf, startChat } from "../../support/conversation";
import { OWN_CONNECTION } from "../../support/running-shop";
import { signedInAs } from "../../support/signed-in";
import { asStaff, staffCall } from "../../support/staff";

/** Smallest text on paper, points. */
const MIN_TEXT = 8.5;
const PAPERS = [
  { name: "A4", width: "210mm", height: "297mm" },
  { name: "Letter", width: "8.5in", height: "11in" },
  { name: "110 mm", width: "110mm", height: "200mm" },
  { name: "80 mm", width: "80mm", height: "200mm" },
];

interface Document {
  id: string;
  number: string;
}

/** Records a sale of two lamps and a balm, in cash. */
async function sale(fields: Record<string, unknown> = {}): Promise<Document> {
  const line = { category: "HOME_DECOR", businessType: "EMPORIA" };
  const { documents } = await staffCall("manager", "sale", {
    paymentMode: "CASH",
    customerName: "Ines Carvalho",
    ...fields,
    lines: [
      { ...line, description: "Mushroom table lamp", quantity: 2, amount: 249.98 },
      { ...line, description: "Oat hand balm", quantity: 1, amount: 18 },
    ],
  });
  const [document] = documents as Document[];
  if (!document) throw new Error("The sale has no document.");
  return document;
}

/** Records a sale and a credit note of its first line. */
async function creditNote(): Promise<Document> {
  const { id } = await sale();
  const credit = { paymentMode: "CASH", reason: "The shade has a crack.", lines: [{ line: 1, quantity: 1 }] };
  return (await staffCall("manager", `sale/${id}/credit`, credit)) as unknown as Document;
}

/** Prints a page. @returns its text, printed lines, number of sheets and smallest text in points */
async function printed(page: Page, { width, height }: { width: string; height: string }) {
  const pdf = await getDocumentProxy(
    new Uint8Array(await page.pdf({ width, height, printBackground: false })),
  );
  const { text } = await extractText(pdf, { mergePages: true });
  const { items } = await (await pdf.getPage(1)).getTextContent();
  const sizes = items.flatMap((item) =>
    "transform" in item && item.str.trim() ? Math.abs(item.transform[3]) : [],
  );
  const texts = items.flatMap((item) =>
    "transform" in item ? [{ at: item.transform[5], text: item.str }] : [],
  );
  const lines = [...Map.groupBy(texts, ({ at }) => Math.round(at)).values()].map((line) =>
    line.map((item) => item.text).join(""),
  );
  return { text: text.replaceAll(/\s+/g, " "), lines, sheets: pdf.numPages, smallest: Math.min(...sizes) };
}

test("a receipt and a credit note print on one sheet of A4, Letter, 110 mm and 80 mm, with nothing else on it", async ({
  open,
}) => {
  for (const document of [await sale(), await creditNote()]) {
    const page = await asStaff(open, "manager", `/receipts/${document.id}`, { colorScheme: "dark" });
    for (const paper of PAPERS) {
      const { text, lines, sheets, smallest } = await printed(page, paper);
      expect(
        lines.filter((line) => line.includes("214 Queen Street West, Toronto")),
        paper.name,
      ).toHaveLength(1);
      expect(sheets, paper.name).toBe(1);
      expect(text).toContain(document.number);
      expect(text).toContain("Mushroom table lamp");
      expect(text).toContain("localhost");
      expect(text).not.toMatch(/My conversations|Ask|Terms|Skip|Categories|Issued/);
      expect(smallest, paper.name).toBeGreaterThanOrEqual(MIN_TEXT - 0.01);
    }
  }
});

test("the PDF is a link, so it opens without JavaScript; the Print button needs it", async ({ open }) => {
  const { id, number } = await sale();
  const page = await asStaff(open, "manager", `/receipts/${id}`, { javaScriptEnabled: false });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  const href = await page.getByRole("link", { name: "PDF" }).getAttribute("href");
  const answer = await page.request.get(href ?? "", { headers: OWN_CONNECTION });
  const { text } = await extractText(new Uint8Array(await answer.body()), { mergePages: true });
  expect(text).toContain(number);
});

test("Print opens the browser's dialog", async ({ open }) => {
  const { id } = await sale();
  const page = await asStaff(open, "manager", `/receipts/${id}`);
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toBeVisible();
});

test("Ask about it begins the question with the receipt's number, before a draft", async ({ open }) => {
  const page = await open("/terms");
  const chatId = await startChat(page, "Hello");
  const [first, second] = [await sale({ chatId }), await sale({ chatId })];
  const ask = async ({ id }: Document) => {
    await page.goto(`/receipts/${id}`);
    await page.getByRole("link", { name: "Ask about it" }).click();
    // The page's own, not that of the panel beside the receipt.
    await page.locator(".chat-embedded").getByRole("img", { name: "Connected", exact: true }).waitFor();
  };
  await ask(first);
  await expect(fieldOf(page)).toHaveValue(`About receipt ${first.number}: `);
  await fieldOf(page).fill("Is it oiled?");
  await ask(second);
  await expect(fieldOf(page)).toHaveValue(`About receipt ${second.number}: Is it oiled?`);
  await page.reload();
  await connected(page);
  await expect(fieldOf(page)).toHaveValue(`About receipt ${second.number}: Is it oiled?`);
});

test("a credit note fits the screen and has no axe violations", async ({ open }) => {
  const { browser } = await signedInAs("manager");
  const { id } = await creditNote();
  await expectAccessible(await open(`/receipts/${id}`, browser));
});
