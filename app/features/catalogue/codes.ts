import { z } from "zod";
import { id, optional } from "~/http/fields";
import { MAX_CODE, UNIT } from "./units";

/** Units that a code finds at most. */
export const MAX_CODE_HITS = 4;

const tooLong = `A code has at most ${MAX_CODE} characters`;

/** Code as a scanner or a person sends it, without the control characters that scanners put around it. */
const code = z
  .string({ error: "Required" })
  .overwrite((text) =>
    text
      .toWellFormed()
      .replace(/\p{Cc}+/gu, "")
      .trim(),
  )
  .min(1, "Required")
  .max(MAX_CODE, tooLong)
  .meta({ examples: ["4006381333931"] });

/** GET product/code; `raw` keeps `minio:` entries as they are stored. */
export const CodeInput = z.object({ code, raw: optional(z.enum(["0", "1"], { error: "Must be 0 or 1" })) });

/** PUT product/code: `was` is the barcode that the caller saw. */
export const CodeLinkInput = z.object({ unitId: id, barcode: code, was: UNIT.rules.barcode.optional() });

/** Barcodes that a code names: a UPC-A is the EAN-13 with a 0 before it. */
export function barcodesOf(code: string): string[] {
  if (/^\d{12}$/.test(code)) return [code, `0${code}`];
  return /^0\d{12}$/.test(code) ? [code, code.slice(1)] : [code];
}

const UUID = /^([\da-f]{8})-([\da-f]{4})-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * Code of a unit without an SKU and a barcode: `U` and the first 12 digits of its id, which scanners write with every layout
 * of a keyboard; an id of another form is its own code.
 */
export const ownCode = (id: string): string => {
  const [, first, second] = UUID.exec(id) ?? [];
  return first && second ? `U${first}${second}`.toUpperCase() : id;
};

/** Beginning of the ids whose own code is a text; null for another text. */
export const idBeginning = (code: string): string | null => {
  const [, first, second] = /^U([\dA-F]{8})([\dA-F]{4})$/i.exec(code) ?? [];
  return first && second ? `${first}-${second}`.toLowerCase() : null;
};
