import { z } from "zod";
import { CATEGORIES, parseCategory } from "./categories";

/**
 * Category in any spelling. Stands apart from `categories.ts`, which shop pages import without zod.
 *
 * @param error message for a value that is no text
 */
export const categoryFrom = (error?: z.core.$ZodStringParams["error"]) =>
  z
    .string({ error })
    .transform((text, context) => {
      const known = parseCategory(text);
      if (known) return known;
      context.addIssue({ code: "custom", message: "There is no such category" });
      return z.NEVER;
    })
    .meta({ override: { enum: [...CATEGORIES] } });

export const categoryRule = categoryFrom("Must be a category");
