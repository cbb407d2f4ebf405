import { SaxesParser } from "saxes";
import { AppError } from "~/http/errors";
import { damagedFile as damaged } from "./collector";
import type { ZipFile } from "./zip.server";

/** Callbacks for the XML of an entry; names come without their prefix. */
interface XmlHandler {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

export const STOP = Symbol("stop");

/** Elements of an entry: 20,000 rows of 35 filled cells. */
const MAX_ELEMENTS = 1_500_000;
/** Nested elements; spreadsheets have ten or so. */
const MAX_DEPTH = 64;
/** Bytes of one text; entities take five times their character. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * Parses an entry as a stream of XML.
 *
 * @throws AppError invalid (400) when it is not well-formed, tooLarge (413)
 */
export async function parseXml(zip: ZipFile, entry: string, handler: XmlHandler): Promise<void> {
  const limits = new XmlLimits();
  const parser = createParser(handler, limits);
  const decoder = new TextDecoder();
  let isReading = true;
  await zip.read(entry, (bytes) => {
    if (!isReading) return;
    try {
      limits.read(bytes.length);
      parser.write(decoder.decode(bytes, { stream: true }));
    } catch (error) {
      if (error !== STOP) throw error;
      isReading = false;
    }
  });
  if (isReading) parser.close();
}

function createParser(handler: XmlHandler, limits: XmlLimits) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  parser.on("opentag", ({ name, attributes }) => {
    limits.open();
    handler.open(localName(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    limits.close();
    handler.close?.(localName(name));
  });
  if (handler.text) {
    parser.on("text", (text) => handler.text?.(text));
    parser.on("cdata", (text) => handler.text?.(text));
  }
  parser.on("error", () => {
    throw damaged();
  });
  return parser;
}

/** Limits on the XML of an entry, above what any sheet needs. */
class XmlLimits {
  #elements = 0;
  #depth = 0;
  #text = 0;

  read(bytes: number): void {
    this.#text += bytes;
    if (this.#text > MAX_TEXT_BYTES) throw new AppError("tooLarge", "A cell of the spreadsheet is too long");
  }

  open(): void {
    this.#text = 0;
    this.#depth++;
    this.#elements++;
    if (this.#depth > MAX_DEPTH) throw damaged();
    if (this.#elements > MAX_ELEMENTS)
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

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
