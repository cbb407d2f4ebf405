import { z } from "zod";
import { parseCategory } from "./categories";

/** Category in any spelling. Apart from the categories, which shop pages import without zod. */
export const categoryRule = z.string({ error: "Must be a category" }).transform((text, context) => {
  const known = parseCategory(text);
  if (known) return known;
  context.addIssue({ code: "custom", message: "There is no such category" });
  return z.NEVER;
});
