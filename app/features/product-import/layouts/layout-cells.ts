import { unescapeFormula } from "~/http/formula";
import { splitUrls } from "~/records/cells";
import { type Cell, type Columns, type SheetRow, textOf } from "../sheet";

/** Header as a system writes it; a pattern where it names a shop or a number, which may fit several columns. */
export type Header = string | RegExp;

/** Finds all columns of some headers, in the headers' order. */
export function columnsOf(columns: Columns, headers: Header[] = []): number[] {
  return headers.flatMap((header) => {
    if (typeof header !== "string") return columns.matching(header);
    const column = columns.indexOf(header);
    return column === -1 ? [] : [column];
  });
}

export function cellsAt(row: SheetRow, columns: Columns, headers: Header[] | undefined): Cell[] {
  const cells = columnsOf(columns, headers).map((column) => row.cells[column] ?? "");
  return cells.filter((cell) => textOf(cell) !== "");
}

export const textAt = (row: SheetRow, columns: Columns, headers: Header[] | undefined) =>
  unescapeFormula(textOf(cellsAt(row, columns, headers)[0]));

/** Adds a surcharge to a price. @returns text that is no price where one of them is no number */
export function withSurcharge(price: Cell, surcharge: Cell = 0): Cell {
  const [base, extra] = [price, surcharge].map((cell) => Number(textOf(cell)));
  if (extra === 0 || base === undefined || extra === undefined) return price;
  const sum = Math.round((base + extra) * 100) / 100;
  return Number.isNaN(sum) ? `${textOf(price)} + ${textOf(surcharge)}` : sum;
}

/** Reads a row's stock, the sum where a pattern fits the columns of several places. */
export function stockOfRow(row: SheetRow, columns: Columns, headers: Header[] = []): Cell | undefined {
  for (const header of headers) {
    const cells = cellsAt(row, columns, [header]);
    const numbers = cells.map((cell) => Number(textOf(cell)));
    if (cells.length > 1 && !numbers.some(Number.isNaN)) return numbers.reduce((sum, each) => sum + each, 0);
    if (cells.length > 0) return cells[0];
  }
  return undefined;
}

/** Address without its scheme: `shop.example/1/vase.jpg`, `//cdn.example/vase.jpg`. */
const SCHEMELESS = /^(?:\/\/)?((?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}\/\S+)$/i;

/** Reads the addresses of pictures in a cell; those without a scheme are of https. */
export const pictureUrls = (text: string): string[] =>
  splitUrls(text).flatMap((entry) => {
    const parts = entry.includes("://") ? [entry] : entry.split(/[\s,;|]+/).filter(Boolean);
    const addresses = parts.map((part) => SCHEMELESS.exec(part)?.[1]);
    return addresses.every(Boolean) ? addresses.map((address) => `https://${address}`) : [entry];
  });

/** Path of a picture on somebody's own disk: `/m/h/mug.jpg`, `catalog/mug.jpg`, `C:\\mug.jpg`, `file:///C:/mug.jpg`. */
const PATH = /^(?:[a-z]:[\\/]|file:|(?![a-z]+:))\S.*\.(?:jpe?g|png|gif|webp|avif)$/i;

/** Tests for a picture that is named by a path, which can't be fetched. */
export const isPath = (text: string) => PATH.test(text) && urlsOf([text]).length === 0;

/** Notes that pictures named by paths are left out. @param path of the first; undefined for none */
export const pathNotes = (path: string | undefined): string[] =>
  path === undefined
    ? []
    : [`Pictures named by a path are left out: “${path.trim().slice(0, 60)}” is no web address`];

/** Lists the pictures of cells by their URLs: other systems name some by the places that they have there. */
export function urlsOf(texts: string[], imagesAt?: string): string[] {
  const urls = texts.flatMap((text) => (imagesAt ? text.split(/[;,|\s]+/) : pictureUrls(text)));
  const whole = urls.filter(Boolean).map((url) => (imagesAt && !url.includes("://") ? imagesAt + url : url));
  return [...new Set(whole.filter((url) => /^https?:\/\//i.test(url)))];
}
