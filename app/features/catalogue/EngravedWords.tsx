import type { Plate, Tone } from "~/domain/engraving-plate";
import { Picture } from "~/ui/Picture";
import { engravedLines, FRAME } from "./engraved-lines";
import type { ChosenPicture } from "./options";

/** Height of a line, in font sizes. */
const LINE = 1.16;

interface EngravedWordsProps {
  plate: Plate;
  words: string;
}

/** Words drawn over a picture of 4:5, on its plate and in its tone. */
export function EngravedWords({ plate, words }: EngravedWordsProps) {
  const { x, y, width, height, angle, tone } = plate;
  const { lines, size } = engravedLines(words, plate);
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

interface EngravedPictureProps extends ChosenPicture {
  words: string | null | undefined;
  sizes: string;
  width: number;
}

/** Small picture of a product with the words that are to be engraved on it. */
export function EngravedPicture({ image, plate, words, sizes, width }: EngravedPictureProps) {
  const picture = <Picture image={image} alt="" sizes={sizes} width={width} />;
  if (!plate || !words) return picture;
  return (
    <span className="engraved-picture">
      {picture}
      <EngravedWords plate={plate} words={words} />
    </span>
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
