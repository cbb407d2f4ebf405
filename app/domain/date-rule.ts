import { z } from "zod";
import { missingDay } from "./calendar-day";
import { type DateInput, parseDate } from "./days";

/** Date as `parseDate` reads it (docs/product.md, 3.3). */
export const dateRule = z.unknown().transform((value, context): DateInput => {
  const date = parseDate(value);
  if (date) return date;
  context.addIssue({ code: "custom", message: missingDay(value) ?? "Must be a date from 2000 to 2099" });
  return z.NEVER;
});
