import { z } from "zod";
import { type DateInput, parseDate } from "./days";

/** Date as `parseDate` reads it (docs/product.md, 3.3). */
export const dateRule = z.unknown().transform((value, context): DateInput => {
  const date = parseDate(value);
  if (date) return date;
  context.addIssue({ code: "custom", message: "Must be a date from 2000 to 2099" });
  return z.NEVER;
});
