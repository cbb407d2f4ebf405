import { code128, type DrawingContext, ean8, ean13, type RenderOptions, upca } from "bwip-js/generic";
import { isGtin } from "~/domain/gtin";
import { ownCode } from "~/features/catalogue/codes";

/** Characters that a Code 128 of a label's width has at most: more would be too fine to be read. */
const MAX_CODE_128 = 24;
const ENCODABLE = /^[\x20-\x7e]+$/;

type Symbology = "ean13" | "ean8" | "upca" | "code128";
const SYMBOLOGY_NAMES: Record<Symbology, string> = {
  ean13: "EAN-13",
  ean8: "EAN-8",
  upca: "UPC-A",
  code128: "Code 128",
};
const BY_LENGTH: Record<number, Symbology> = { 8: "ean8", 12: "upca", 13: "ean13" };

/** Code of a label. */
export interface LabelCode {
  text: string;
  symbology: Symbology;
  /** Kind of code, and where it comes from. */
  label: string;
}

const isPrintable = (text: string) => ENCODABLE.test(text) && text.length <= MAX_CODE_128;

/** Chooses what a label's barcode says: the unit's barcode, else its SKU, else its own code. */
export function labelCode({
  unitId,
  barcode,
  sku,
}: {
  unitId: string;
  barcode: string;
  sku: string;
}): LabelCode {
  const retail = isGtin(barcode) ? BY_LENGTH[barcode.length] : undefined;
  if (retail) return { text: barcode, symbology: retail, label: SYMBOLOGY_NAMES[retail] };
  const symbology = "code128";
  const named = (text: string, source: string) => ({ text, symbology, label: `Code 128${source}` }) as const;
  if (isPrintable(barcode)) return named(barcode, "");
  return isPrintable(sku) ? named(sku, ", from the SKU") : named(ownCode(unitId), ", own code");
}

/** Bars as an SVG path in a viewBox of `width` × 1. */
export interface Bars {
  width: number;
  path: string;
}

/** Draws bars of whole modules into a path. The quiet zones are the label's margins. */
function barsDrawing(): DrawingContext<Bars> {
  const drawn: Bars = { width: 0, path: "" };
  const nothing = () => undefined;
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width) => {
      drawn.width = width;
    },
    // A line has the middle of a bar, moved to whole pixels.
    line: (x, _y0, _x1, _y1, thickness) => {
      drawn.path += `M${x - Math.ceil(thickness / 2)} 0h${thickness}v1h-${thickness}z`;
    },
    polygon: nothing,
    hexagon: nothing,
    ellipse: nothing,
    fill: nothing,
    text: nothing,
    end: () => ({ ...drawn }),
  };
}

const ENCODERS: Record<Symbology, (options: RenderOptions, drawing: DrawingContext<Bars>) => Bars> = {
  code128,
  ean13,
  ean8,
  upca,
};

/** Draws a code. */
export function barsOf({ text, symbology }: LabelCode): Bars {
  const options = { bcid: symbology, text, scale: 1, height: 1, includetext: false };
  return ENCODERS[symbology](options, barsDrawing());
}
