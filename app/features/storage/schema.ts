import { z } from "zod";
import { wholeNumber } from "~/http/fields";

/** GET storage/object: key of a stored object, and the width it is wanted at (px). */
export const ObjectInput = z.object({
  key: z.string({ error: "A key is required" }).min(1, "A key is required").max(1024, "The key is too long"),
  w: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});
