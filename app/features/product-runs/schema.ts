import { z } from "zod";
import { Count, Id } from "~/http/answers";
import { flag, id, optional } from "~/http/fields";

/** Products in an answer's list of what stays. */
export const MAX_STAYING = 500;

/** Switch of an address: 1 and 0, or a flag. */
const oneOrZero = z.preprocess(
  (value) => (String(value) === "1" ? true : String(value) === "0" ? false : value),
  flag,
);

export const UndoInput = z.object({
  runId: id,
  dryRun: optional(oneOrZero).meta({ description: "1 says what an undo would do and changes nothing" }),
});

export const UndoAnswer = z.object({
  message: z.string(),
  runId: Id.nullable().meta({
    description: "Run of the undo, which can be taken back itself; null of a dry run",
  }),
  updated: Count.meta({ description: "Products that are as they were before the run" }),
  partial: Count.meta({ description: "Products of which a part stays, since somebody has changed it" }),
  created: Count.meta({ description: "Deleted products that are created again" }),
  removed: Count.meta({ description: "Products of the run that are removed" }),
  hidden: Count.meta({ description: "Products of the run that are hidden: sold, on hold or asked about" }),
  stayed: Count.meta({ description: "Products that stay as they are" }),
  staying: z
    .array(z.object({ productId: Id, product: z.string(), reason: z.string(), by: z.string() }))
    .meta({ description: `What stays and who changed it, of the first ${MAX_STAYING} products` }),
});
export type UndoResult = z.infer<typeof UndoAnswer>;
