import { type DrawingContext, qrcode, type RenderOptions } from "bwip-js/generic";

/** Modules as an SVG path in a square viewBox of `size`. */
export interface QrCode {
  size: number;
  path: string;
}

/** Draws the dark modules; a path with `fill-rule="evenodd"` leaves out what is light. */
function modulesDrawing(): DrawingContext<QrCode> {
  const drawn: QrCode = { size: 0, path: "" };
  const nothing = () => undefined;
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width) => {
      drawn.size = width;
    },
    polygon: (points) => {
      drawn.path += `M${points.map(([x, y]) => `${x} ${y}`).join("L")}z`;
    },
    ...{ line: nothing, hexagon: nothing, ellipse: nothing, fill: nothing, text: nothing },
    end: () => ({ ...drawn }),
  };
}

/** Draws a text as a QR code. */
export function qrCode(text: string): QrCode {
  const options: RenderOptions = { bcid: "qrcode", text, scale: 1 };
  return qrcode(options, modulesDrawing());
}
