import { SaxesParser } from "saxes";
import { AppError } from "~/http/errors";
import type { ZipFile } from "./zip.server";

/** What is told of an entry's XML while it streams by; names without their prefix. */
export interface XmlTeller {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Thrown by a teller that has heard enough. */
export const ENOUGH = Symbol("enough");

/**
 * Reads an entry as XML, never the whole of it at once.
 *
 * @throws AppError invalid (400) when it is none
 */
export function tellXml(zip: ZipFile, entry: string, teller: XmlTeller): void {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const decoder = new TextDecoder();
  parser.on("opentag", ({ name, attributes }) => teller.open(local(name), attributes));
  if (teller.close) parser.on("closetag", ({ name }) => teller.close?.(local(name)));
  if (teller.text) {
    parser.on("text", (text) => teller.text?.(text));
    parser.on("cdata", (text) => teller.text?.(text));
  }
  parser.on("error", () => {
    throw new AppError("invalid", "The file is damaged or is not a spreadsheet");
  });
  let goesOn = true;
  zip.read(entry, (bytes) => {
    try {
      parser.write(decoder.decode(bytes, { stream: true }));
    } catch (error) {
      if (error !== ENOUGH) throw error;
      goesOn = false;
    }
    return goesOn;
  });
  if (goesOn) parser.close();
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
