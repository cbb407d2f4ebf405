import type { PDF, PDFImage } from "@libpdf/core";
import type { ReceiptContent, ReceiptLine } from "./content";
import { type Fonts, MARGIN, RIGHT, Sheet } from "./pdf-sheet.server";

/** Mark of the shop on a grid of 32, as in public/favicon.svg, and the letter on it. */
const MARK =
  "M10 1.5h12A8.5 8.5 0 0 1 30.5 10v12a8.5 8.5 0 0 1-8.5 8.5H3.2a1.7 1.7 0 0 1-1.7-1.7V10A8.5 8.5 0 0 1 10 1.5zM23.4 6a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z";
const LETTER = "M8.2 9.4h9.2v3h-5.9v3h5.4v2.9h-5.4v3.1h6.2v3H8.2z";
/** Lucide's badge-check on a grid of 24. */
const BADGE =
  "M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76Z";
const CHECK = "m9 12 2 2 4-4";

const BOLD = { isBold: true };
const SOFT = { isSoft: true };
const SMALL = { size: 9, isSoft: true };
const HEAD = { size: 9, isBold: true, isSoft: true };
const TITLE = { size: 19, isBold: true };
const SELLER = { size: 15.5, isBold: true };
const TOTAL = { size: 16, isBold: true };
/** Height of a line of 10.5 points, and of 9 points. */
const LINE = 14.5;
const SMALL_LINE = 13;
/** Largest size of the logo beside the seller's name. */
const LOGO = { width: 120, height: 22 };
/** Space between columns, and above and below a row's text. */
const GAP = 20;
const ROW_SPACE = 9;
const MAX_FACT_LINES = 3;
/** Keeps the heading on one page: 500 of the widest letters take 11 lines. */
const MAX_PARAGRAPH_LINES = 16;
const FACTS_LEFT = 377;
const SUMS_LEFT = 332;

/** Right edges of the columns with numbers, and the width of the descriptions. */
interface Columns {
  quantity: number;
  price: number;
  description: number;
}

/** Draws one document on pages of its own. @param logo null for the sign that the shop brings along */
export function drawReceipt(pdf: PDF, fonts: Fonts, content: ReceiptContent, logo: PDFImage | null): void {
  const { title, number, lines } = content;
  // Set before the first page is full.
  let columns: Columns = { quantity: 0, price: 0, description: 0 };
  const sheet = new Sheet(pdf, fonts, (page) => {
    page.text(content.seller, MARGIN.left, BOLD);
    page.text(`${title} ${number}`, RIGHT, { ...BOLD, alignRight: true });
    page.y += 34;
    drawTableHead(page, columns);
  });
  columns = columnsFor(sheet, lines);
  drawHeading(sheet, content, logo);
  drawTableHead(sheet, columns);
  for (const line of lines) drawLine(sheet, line, columns);
  drawSums(sheet, content);
  sheet.finish(content.footer);
}

/** Draws the seller on the left, title and facts on the right, and below them what needs the page's width. */
function drawHeading(sheet: Sheet, content: ReceiptContent, logo: PDFImage | null): void {
  const top = sheet.y;
  const left = drawSeller(sheet, content, logo);
  sheet.y = top;
  sheet.text(content.title, RIGHT, { ...TITLE, alignRight: true });
  sheet.y += 34;
  const wide = content.facts.filter(({ label, value }) => !drawFact(sheet, label, value));
  sheet.y = Math.max(sheet.y, left);
  for (const { label, value } of wide) drawParagraph(sheet, `${label} ${value}`);
  if (content.original) {
    const { number, reason } = content.original;
    drawParagraph(sheet, `Corrects receipt ${number}. ${reason}`);
  }
  sheet.y += 36;
}

/** Draws the seller. @returns lower edge */
function drawSeller(sheet: Sheet, content: ReceiptContent, logo: PDFImage | null): number {
  let x = MARGIN.left;
  if (content.hasMark && logo) x += sheet.image(logo, x, LOGO) + 8;
  else if (content.hasMark) {
    sheet.fill(MARK, x, 0.62);
    sheet.fill(LETTER, x, 0.62, true);
    x += 26;
  }
  sheet.text(content.seller, x, SELLER, sheet.y + 2);
  sheet.y += 33;
  for (const detail of content.sellerDetails)
    for (const line of sheet.lines(detail, FACTS_LEFT - MARGIN.left - GAP, SMALL)) {
      sheet.text(line, MARGIN.left, SMALL);
      sheet.y += SMALL_LINE;
    }
  return sheet.y;
}

/** Draws a label and its value. @returns false, without drawing, when the column is too narrow for the value */
function drawFact(sheet: Sheet, label: string, value: string): boolean {
  const width = RIGHT - FACTS_LEFT - sheet.width(label) - GAP;
  const lines = sheet.lines(value, width, BOLD);
  if (lines.length > MAX_FACT_LINES) return false;
  sheet.text(label, FACTS_LEFT, SOFT);
  for (const line of lines) {
    sheet.text(line, RIGHT, { ...BOLD, alignRight: true });
    sheet.y += LINE;
  }
  sheet.y += 4;
  return true;
}

/** Draws text over the page's width. */
function drawParagraph(sheet: Sheet, text: string): void {
  sheet.y += 16;
  for (const line of sheet.lines(text, RIGHT - MARGIN.left).slice(0, MAX_PARAGRAPH_LINES)) {
    sheet.text(line, MARGIN.left);
    sheet.y += LINE;
  }
}

/** Fits the columns to their widest number. */
function columnsFor(sheet: Sheet, lines: ReceiptLine[]): Columns {
  const widest = (head: string, texts: string[]) =>
    Math.max(sheet.width(head, HEAD), ...texts.map((text) => sheet.width(text)));
  const price =
    RIGHT -
    widest(
      "Amount",
      lines.map(({ amount }) => amount),
    ) -
    GAP;
  const quantity =
    price -
    widest(
      "Price",
      lines.map((line) => line.price),
    ) -
    GAP;
  const left =
    quantity -
    widest(
      "Qty",
      lines.map((line) => line.quantity),
    ) -
    GAP;
  return { quantity, price, description: left - MARGIN.left };
}

function drawTableHead(sheet: Sheet, columns: Columns): void {
  sheet.text("Item", MARGIN.left, HEAD);
  sheet.text("Qty", columns.quantity, { ...HEAD, alignRight: true });
  sheet.text("Price", columns.price, { ...HEAD, alignRight: true });
  sheet.text("Amount", RIGHT, { ...HEAD, alignRight: true });
  sheet.y += 18;
  sheet.rule(MARGIN.left, RIGHT, 1);
}

/** Draws a row. Its numbers follow the first line of the description, in the order in which readers select text. */
function drawLine(sheet: Sheet, line: ReceiptLine, columns: Columns): void {
  const [first = "", ...others] = sheet.lines(line.description, columns.description, BOLD);
  sheet.ensure((1 + others.length) * LINE + 2 * ROW_SPACE);
  sheet.y += ROW_SPACE;
  sheet.text(first, MARGIN.left, BOLD);
  sheet.text(line.quantity, columns.quantity, { alignRight: true });
  sheet.text(line.price, columns.price, { alignRight: true });
  sheet.text(line.amount, RIGHT, { alignRight: true });
  sheet.y += LINE;
  for (const text of others) {
    sheet.ensure(LINE);
    sheet.text(text, MARGIN.left, BOLD);
    sheet.y += LINE;
  }
  for (const text of line.note ? sheet.lines(line.note, columns.description, SMALL) : []) {
    sheet.ensure(SMALL_LINE);
    sheet.text(text, MARGIN.left, SMALL);
    sheet.y += SMALL_LINE;
  }
  sheet.y += ROW_SPACE;
  sheet.rule(MARGIN.left, RIGHT, 0.6, true);
}

/** Draws tax, rounding, total and payments, all on one page. */
function drawSums(sheet: Sheet, { sums, total, paid }: ReceiptContent): void {
  sheet.ensure(sums.length * 20 + paid.length * LINE + 64);
  sheet.y += 14;
  for (const { label, amount } of sums) {
    sheet.text(label, SUMS_LEFT, SOFT);
    sheet.text(amount, RIGHT, { alignRight: true });
    sheet.y += 20;
  }
  sheet.rule(SUMS_LEFT, RIGHT, 1.1);
  sheet.y += 8;
  sheet.text(total.label, SUMS_LEFT, TOTAL);
  sheet.text(total.amount, RIGHT, { ...TOTAL, alignRight: true });
  sheet.y += 29;
  sheet.stroke(BADGE, SUMS_LEFT, sheet.y, 0.48);
  sheet.stroke(CHECK, SUMS_LEFT, sheet.y, 0.48);
  for (const { label, amount } of paid) {
    sheet.text(label, SUMS_LEFT + 16, BOLD);
    sheet.text(amount, RIGHT, { alignRight: true });
    sheet.y += LINE;
  }
}
