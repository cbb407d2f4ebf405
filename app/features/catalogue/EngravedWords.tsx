import type { ReactNode } from "react";
import type { Plate, Tone } from "~/domain/engraving-plate";
import { cutWords, engravedLines, FRAME } from "./engraved-lines";

/** Height of a line, in font sizes. */
const LINE = 1.16;

export interface EngravedWordsProps {
  plate: Plate;
  words: string;
}

/** Words drawn over a picture of 4:5, in the tone of its plate and cut to its lines. */
export default function EngravedWords({ plate, words }: EngravedWordsProps): ReactNode {
  const { x, y, width, height, angle, tone } = plate;
  const { lines, size } = engravedLines(cutWords(words, plate), plate);
  const center = [(x + width / 2) * FRAME.width, (y + height / 2) * FRAME.height];
  return (
    <svg
      className={`engraved-words tone-${tone}`}
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      // As the pictures, which fill a frame of another shape on phones.
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <g transform={`translate(${center.join(" ")}) rotate(${angle})`} fontSize={size} textAnchor="middle">
        {lines.map((line, i) => (
          <text
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            key={i}
            y={(i - (lines.length - 1) / 2) * size * LINE}
            dominantBaseline="central"
          >
            {line}
          </text>
        ))}
      </g>
    </svg>
  );
}

interface PlainPlateProps {
  /** CSS background; null before a colour is chosen, and for an unknown one. */
  swatch: string | null;
  tone: Tone | null;
  words: string;
}

/** Proportions of a plate that stands alone. */
const PLAIN = { width: 0.8, height: 0.3, lines: [14] };

/** Words on a plain plate of a colour, in the tone of its material. */
export function PlainPlate({ swatch, tone, words }: PlainPlateProps) {
  const { lines, size } = engravedLines(words, PLAIN);
  const plate = swatch ? { "--plate": swatch } : {};
  return (
    <span
      className={`plain-plate${tone ? ` tone-${tone}` : ""}${swatch?.startsWith("linear") ? " two-tone" : ""}`}
      style={plate as Record<string, string>}
    >
      <span style={{ fontSize: `${((size / (PLAIN.width * FRAME.width)) * 100).toFixed(1)}cqi` }} dir="auto">
        {lines.join("\n")}
      </span>
    </span>
  );
}
