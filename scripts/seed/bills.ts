import { openDb } from "../../app/db/client.server";
import { dollars } from "../../app/domain/money";
import { attachFiles, planExpenseFiles } from "../../app/features/ledger/operations/files.server";
import { drawReceipt } from "./receipt-picture";

/** Expense that gets a bill. */
interface Expense {
  id: string;
  day: string;
  /** Epoch seconds. */
  at: number;
  description: string;
  supplier: string;
  amountCents: number;
  taxCents: number;
}

/** Files of the demo's latest expenses with a supplier, the latest first. */
const FILES = [pdfBill, pictureOfBill, pdfBill];

/**
 * Attaches bills to the latest expenses: PDF and a picture, all made here.
 *
 * @param env local bindings; the ledger must be seeded
 */
export async function seedBills(env: Env): Promise<void> {
  const { db } = openDb(env.DB, null);
  const { results } = await env.DB.prepare(
    `SELECT id, day, created_at AS at, description, supplier, amount_cents AS amountCents, tax_cents AS taxCents
     FROM expenses WHERE supplier <> '' ORDER BY created_at DESC, row DESC LIMIT ?`,
  )
    .bind(FILES.length)
    .all<Expense>();
  for (const [i, expense] of results.entries()) {
    const context = { db, env, now: expense.at };
    const file = await FILES[i]?.(expense);
    if (file) await attachFiles(context, expense.id, await planExpenseFiles(context, [file]));
  }
}

/** Lists what a bill says. */
function linesOf({ supplier, day, description, amountCents, taxCents }: Expense): string[] {
  const net = amountCents - taxCents;
  const tax = taxCents > 0 ? [`Net ${dollars(net)}`, `Tax ${dollars(taxCents)}`] : [];
  return [supplier, `Bill of ${day}`, "", description, "", ...tax, `Total ${dollars(amountCents)}`];
}

async function pictureOfBill(expense: Expense): Promise<File> {
  const picture = await drawReceipt(linesOf(expense));
  // The shop stores it as a JPEG.
  return new File([picture], `receipt-${expense.day}.jpg`, { type: "image/png" });
}

const MARGIN = 56;
const A5 = { width: 420, height: 595 };

/** Writes a PDF of one page with the lines of a bill. */
async function pdfBill(expense: Expense): Promise<File> {
  const lines = linesOf(expense).map((line, i) => {
    const size = i === 0 ? 20 : 11;
    const text = line.replace(/[()\\]/g, "\\$&");
    return `/F1 ${size} Tf 1 0 0 1 ${MARGIN} ${A5.height - MARGIN - i * 22} Tm (${text}) Tj`;
  });
  const content = `BT\n${lines.join("\n")}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${A5.width} ${A5.height}] /Contents 4 0 R
   /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>`;
  text += `${end}\nstartxref\n${text.length}\n%%EOF\n`;
  return new File([text], `bill-${expense.day}.pdf`, { type: "application/pdf" });
}
