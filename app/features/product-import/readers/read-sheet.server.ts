import { AppError } from "~/http/errors";
import type { Sheet } from "../sheet";
import { readCsv } from "./csv.server";
import { decodeText } from "./text";
import { readXls } from "./xls.server";

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const KNOWN_NAMES = /\.(?:csv|tsv|txt|xlsx|xls)$/i;
const ONLY = "Only .csv, .xlsx and .xls files can be read";

/**
 * Reads a file of rows: what it is, its content says.
 *
 * @param name of the file; only its ending counts
 * @param bytes at most 10 MB
 * @throws AppError unsupportedType (415), invalid (400), tooLarge (413)
 */
export async function readSheet(name: string, bytes: Uint8Array): Promise<Sheet> {
  if (!KNOWN_NAMES.test(name)) throw new AppError("unsupportedType", ONLY);
  if (bytes.length === 0) throw new AppError("invalid", "The file is empty");
  if (startsWith(bytes, ZIP)) {
    const { readXlsx } = await import("./xlsx.server");
    return readXlsx(bytes);
  }
  if (startsWith(bytes, COMPOUND_FILE)) return readXls(bytes);
  const text = decodeText(bytes);
  if (text === null) throw new AppError("unsupportedType", ONLY);
  if (/^\s*<\?xml[\s\S]*<(?:\w+:)?Workbook\b/.test(text.slice(0, 1000)))
    throw new AppError("unsupportedType", "This is Excel 2003 XML. Save it as .xlsx or .csv.");
  if (/^\s*<(?:!doctype|html|\?xml|table|body|head)\b/i.test(text.slice(0, 1000)))
    throw new AppError("unsupportedType", "This is a web page, not a spreadsheet. Save it as .xlsx or .csv.");
  return readCsv(text);
}

function startsWith(bytes: Uint8Array, signature: number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}
