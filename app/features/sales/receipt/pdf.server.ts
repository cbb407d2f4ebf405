import { PDF, type PDFImage, PdfArray, PdfString } from "@libpdf/core";
import type { SaleDocument } from "../document";
import { type ReceiptContent, type ReceiptShop, receiptContent } from "./content";
import regular from "./fonts/NotoSans-Regular.ttf?inline";
import semiBold from "./fonts/NotoSans-SemiBold.ttf?inline";
import { drawReceipt } from "./pdf-layout.server";

const FONTS = { regular: fontBytes(regular), bold: fontBytes(semiBold) };

/**
 * Writes documents as one PDF, each on pages of its own; the same documents give the same bytes. Load this module by a
 * dynamic import: library and fonts have no place in the Worker's start-up.
 *
 * @param documents at least one
 * @param issuerOf returns the shop as it was when it issued a document
 * @param readLogo reads the bytes of a logo by its key
 */
export function receiptPdf<Issued extends SaleDocument>(
  documents: [Issued, ...Issued[]],
  issuerOf: (document: Issued) => ReceiptShop,
  readLogo: LogoReader,
): Promise<Uint8Array<ArrayBuffer>> {
  const contents = documents.map((document) => receiptContent(document, issuerOf(document)));
  const issuedAt = Math.max(...documents.map(({ createdAt }) => createdAt));
  return contentsPdf(contents, issuedAt, issuerOf(documents[0]), readLogo);
}

/** Reads the JPEG or PNG of a logo; null for one that is gone. */
export type LogoReader = (key: string) => Promise<Uint8Array | null>;

/** Writes texts of receipts as one PDF. @param issuedAt epoch seconds */
export async function contentsPdf(
  contents: ReceiptContent[],
  issuedAt: number,
  shop: ReceiptShop,
  readLogo: LogoReader,
): Promise<Uint8Array<ArrayBuffer>> {
  const issued = new Date(issuedAt * 1000);
  const pdf = PDF.create();
  pdf.setMetadata({
    title: titleOf(contents),
    author: contents[0]?.seller ?? shop.name,
    creator: shop.name,
    producer: shop.name,
    creationDate: issued,
    modificationDate: issued,
    language: "en",
  });
  const fonts = { regular: pdf.embedFont(FONTS.regular), bold: pdf.embedFont(FONTS.bold) };
  const logos = await embeddedLogos(pdf, contents, readLogo);
  for (const content of contents) drawReceipt(pdf, fonts, content, logos.get(content.logo) ?? null);
  const digest = await digestOf(JSON.stringify({ contents, issued }));
  pdf.context.info.trailer.set("ID", new PdfArray([digest, digest].map((id) => PdfString.fromBytes(id))));
  const bytes = await pdf.save({ subsetFonts: true, useXRefStream: true });
  return withFixedSubsetTags(bytes, digest);
}

/** Embeds each logo once; one that is gone or damaged is left out, and the shop's sign stands in its place. */
async function embeddedLogos(
  pdf: PDF,
  contents: ReceiptContent[],
  readLogo: LogoReader,
): Promise<Map<string, PDFImage>> {
  const embedded = new Map<string, PDFImage>();
  const keys = contents.flatMap(({ hasMark, logo }) => (hasMark && logo !== "" ? [logo] : []));
  for (const key of new Set(keys)) {
    const bytes = await readLogo(key);
    try {
      if (bytes) embedded.set(key, pdf.embedImage(bytes));
    } catch (error) {
      console.warn("A logo could not be embedded:", error);
    }
  }
  return embedded;
}

function titleOf(contents: ReceiptContent[]): string {
  const [first, ...others] = contents;
  if (first && others.length === 0) return `${first.title} ${first.number}`;
  return contents.map(({ number }) => number).join(", ");
}

/** Returns the first 16 bytes of the SHA-256. */
async function digestOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).slice(0, 16);
}

/**
 * Replaces the six random letters with which the library marks a font subset (`QWERTY+NotoSans-Regular`) by letters from
 * the digest. The positions in the file stay as they are.
 */
function withFixedSubsetTags(pdf: Uint8Array, digest: Uint8Array): Uint8Array<ArrayBuffer> {
  const letters = Array.from(digest, (byte) => String.fromCharCode(65 + (byte % 26))).join("");
  const tags: Record<string, string> = { Regular: letters.slice(0, 6), SemiBold: letters.slice(6, 12) };
  const text = Buffer.from(pdf).toString("latin1");
  const fixed = text.replaceAll(
    /\/[A-Z]{6}\+NotoSans-(Regular|SemiBold)\b/g,
    (_tag: string, weight: string) => `/${tags[weight]}+NotoSans-${weight}`,
  );
  return new Uint8Array(Buffer.from(fixed, "latin1"));
}

function fontBytes(dataUrl: string): Uint8Array {
  return new Uint8Array(Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64"));
}
