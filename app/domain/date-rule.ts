import { z } from "zod";
import { noSuchDay, UNSUPPORTED_DATE } from "./calendar-day";
import { type DateInput, parseDate } from "./days";

const INTEGER = { type: "integer" as const };
const secondsObject = (name: string) => ({
  type: "object" as const,
  properties: { [name]: INTEGER },
  required: [name],
});

/** Description of a time that is sent as text. */
export const LOCAL_OR_ISO = "ISO 8601; without a zone, the shop's time";

/** Describes a time that `parseDate` reads, for the API's document. @param text description of its form as text */
export const timeDescribed = (text: string) => ({
  override: {
    anyOf: [
      { type: "string" as const, examples: ["2026-11-22T15:00:00Z"], description: text },
      secondsObject("seconds"),
      secondsObject("_seconds"),
      { ...INTEGER, description: "Seconds; milliseconds from 100,000,000,000 on" },
    ],
  },
});

/** Date as `parseDate` reads it (docs/product.md, 3.3). */
export const dateRule = z
  .unknown()
  .transform((value, context): DateInput => {
    const date = parseDate(value);
    if (date) return date;
    const message = value === "" ? "Enter a date" : noSuchDay(value);
    context.addIssue({ code: "custom", message: message ?? UNSUPPORTED_DATE });
    return z.NEVER;
  })
  .meta(timeDescribed(`${LOCAL_OR_ISO}; or a day YYYY-MM-DD`));
