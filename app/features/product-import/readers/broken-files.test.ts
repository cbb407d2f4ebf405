import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "~/http/errors";
import { NO_CHOICES, recogniseLayout } from "../layouts/recognise";
import { mergeRows } from "../merge-rows.server";
import { readDrafts } from "../read-rows.server";
import { ENCODINGS } from "../sheet";
import { readSheet } from "./read-sheet.server";

const FOLDER = new URL("../../../../tests/fixtures/import/", import.meta.url);
const FILES = readdirSync(FOLDER).map((name) => ({
  name,
  bytes: new Uint8Array(readFileSync(new URL(name, FOLDER))),
}));

/** Reads a file to its end. @returns how it ended; errors other than those for the reader are thrown */
async function outcome(name: string, bytes: Uint8Array, reading = NO_CHOICES.reading): Promise<string> {
  try {
    const sheet = await readSheet(name, bytes, reading);
    const { drafts } = recogniseLayout(sheet, { ...NO_CHOICES, reading }, 1_800_000_000);
    return `${mergeRows(readDrafts(drafts), () => 0, true).entries.length} products`;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** A parent of Magento names its variants, and stands below them: without it they are products. */
const TEXTS = FILES.filter(({ name }) => /\.[ct]sv$/.test(name) && name !== "magento_min.csv");

/** Lists the products of a file; none of one that is refused. */
async function namesIn(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
  try {
    const sheet = await readSheet(name, bytes);
    return recogniseLayout(sheet, NO_CHOICES, 1_800_000_000).drafts.map((draft) => draft.name);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

describe("broken files", () => {
  it("are read up to the damage, or refused in words", async () => {
    const change = fc.record({ at: fc.nat(4000), byte: fc.nat(255) });
    const damage = fc.record({
      file: fc.constantFrom(...FILES),
      changes: fc.array(change, { maxLength: 12 }),
      cut: fc.nat(5000),
      encoding: fc.constantFrom(null, ...ENCODINGS),
      sheet: fc.constantFrom(null, 0, 1, 9),
      header: fc.constantFrom(null, 1, 2, 500),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, changes, cut, ...reading }) => {
        const bytes = file.bytes.slice(0, Math.max(1, file.bytes.length - (cut % 200)));
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
        expect(await outcome(file.name, bytes, reading)).toMatch(
          /products$|^(?:invalid|unsupportedType|tooLarge)$/,
        );
      }),
      { numRuns: 400 },
    );
  });

  it.each(TEXTS)("$name, cut anywhere, keeps the products above the cut", async ({ name, bytes }) => {
    const whole = await namesIn(name, bytes);
    for (let end = 1; end < bytes.length; end += 7) {
      const names = await namesIn(name, bytes.slice(0, end));
      // The last one is that of the cut row; its name may end there too.
      expect(whole, `${end} bytes`).toEqual(expect.arrayContaining(names.slice(0, -1)));
      expect(names.length, `${end} bytes`).toBeLessThanOrEqual(whole.length + 1);
    }
  });

  it("of any bytes are text or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const text = new Uint8Array([...new TextEncoder().encode("name,price\n"), ...bytes]);
        expect(await outcome("a.csv", text)).toMatch(/products$|^(?:invalid|unsupportedType|tooLarge)$/);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["20,000 rows of keys and odd bytes", (row: number) => `${row},Zq ${row} \u00e9,${row % 90},1\n`],
    ["20,000 rows of one key", (row: number) => `7,Zq ${row % 3},5,${row}\n`],
    ["20,000 rows of one name", (row: number) => `,Zq,5,${row}\n`],
    ["20,000 names of nothing but signs", () => `,${"&amp;".repeat(30)},5,1\n`],
  ])("of %s are read", async (_, rowOf) => {
    const rows = Array.from({ length: 20_000 }, (_, row) => rowOf(row)).join("");
    const bytes = new TextEncoder().encode(`id,name,price,stock\n${rows}`);
    bytes[bytes.length - 12] = 0xe9;
    expect(await outcome("a.csv", bytes)).toMatch(/products$/);
  });
});
