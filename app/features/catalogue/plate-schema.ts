import { z } from "zod";
import { type Plate, roundShare, TONES } from "~/domain/engraving-plate";
import { wholeNumber } from "~/http/fields";
import { MAX_ENGRAVING } from "./engraving";

/** Smallest side of a plate, as a share of the picture. */
const MIN_SIDE = 0.01;
const MAX_PLATE_LINES = 6;

const numberIn = (min: number, max: number, message: string) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
    z.number({ error: message }).min(min, message).max(max, message),
  );
const share = (name: string, min = 0) =>
  numberIn(
    min,
    1,
    `${name} of the engraving plate must be from ${min * 100} to 100 % of the picture`,
  ).transform(roundShare);

const linesMessage = `Lines of the engraving plate must be 1 to ${MAX_PLATE_LINES} lengths of 1 to ${MAX_ENGRAVING} characters`;

/** Place on a picture that words are engraved on. */
const plate: z.ZodType<Plate> = z
  .object(
    {
      x: share("Left"),
      y: share("Top"),
      width: share("Width", MIN_SIDE),
      height: share("Height", MIN_SIDE),
      angle: numberIn(-180, 180, "Angle of the engraving plate must be from -180 to 180 degrees").default(0),
      tone: z.enum(TONES, { error: `Tone of the engraving plate must be one of ${TONES.join(", ")}` }),
      lines: z
        .array(wholeNumber(1, MAX_ENGRAVING).catch(0), { error: linesMessage })
        .refine(
          (lines) => lines.length >= 1 && lines.length <= MAX_PLATE_LINES && !lines.includes(0),
          linesMessage,
        ),
    },
    { error: "Must be an engraving plate" },
  )
  .refine(({ x, width }) => roundShare(x + width) <= 1, {
    path: ["width"],
    message: "The engraving plate must lie within the picture",
  })
  .refine(({ y, height }) => roundShare(y + height) <= 1, {
    path: ["height"],
    message: "The engraving plate must lie within the picture",
  });

/** Plate as the API answers it. */
export const PlateAnswer = z.object({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  angle: z.number(),
  tone: z.enum(TONES),
  lines: z.array(z.int()),
});

/** Engraving plates by the entry of their image. @param entry rule of an image's entry */
export const platesOf = (entry: z.ZodType<string, string>) =>
  z.preprocess(
    (value) => value ?? {},
    z.record(entry, plate, { error: "Must be engraving plates by image" }),
  );
