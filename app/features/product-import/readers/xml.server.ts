import { SaxesParser } from "saxes";
import { AppError } from "~/http/errors";
import type { ZipFile } from "./zip.server";

/** What is told of an entry's XML while it streams by; names without their prefix. */
export interface XmlHandler {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Thrown by a teller that has heard enough. */
export const STOP = Symbol("enough");

/** Elements of an entry: 20,000 rows of 35 filled cells. */
const MOST_ELEMENTS = 1_500_000;
/** Elements within each other; spreadsheets have ten or so. */
const DEEPEST = 64;
/** Bytes of a single text; entities take five times their character. */
const LONGEST_TEXT = 8 * 1024 * 1024;

const damaged = () => new AppError("invalid", "The file is damaged or is not a spreadsheet");

/**
 * Reads an entry as XML, never the whole of it at once, and lets others be served in between.
 *
 * @throws AppError invalid (400) when it is none, tooLarge (413)
 */
export async function parseXml(zip: ZipFile, entry: string, teller: XmlHandler): Promise<void> {
  const effort = new Effort();
  const parser = parserOf(teller, effort);
  const decoder = new TextDecoder();
  let goesOn = true;
  await zip.read(entry, (bytes) => {
    if (!goesOn) return;
    try {
      effort.read(bytes.length);
      parser.write(decoder.decode(bytes, { stream: true }));
    } catch (error) {
      if (error !== STOP) throw error;
      goesOn = false;
    }
  });
  if (goesOn) parser.close();
}

function parserOf(teller: XmlHandler, effort: Effort) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  parser.on("opentag", ({ name, attributes }) => {
    effort.open();
    teller.open(local(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    effort.close();
    teller.close?.(local(name));
  });
  if (teller.text) {
    parser.on("text", (text) => teller.text?.(text));
    parser.on("cdata", (text) => teller.text?.(text));
  }
  parser.on("error", () => {
    throw damaged();
  });
  return parser;
}

/** How much an entry asks of its reader; it throws when that is more than any sheet does. */
class Effort {
  #elements = 0;
  #depth = 0;
  /** Bytes since the last mark. */
  #text = 0;

  read(bytes: number): void {
    this.#text += bytes;
    if (this.#text > LONGEST_TEXT) throw new AppError("tooLarge", "A cell of the spreadsheet is too long");
  }

  open(): void {
    this.#text = 0;
    this.#depth++;
    this.#elements++;
    if (this.#depth > DEEPEST) throw damaged();
    if (this.#elements > MOST_ELEMENTS)
      throw new AppError(
        "tooLarge",
        "The spreadsheet has too many cells. Leave out columns that aren't needed.",
      );
  }

  close(): void {
    this.#text = 0;
    this.#depth--;
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
