import { z } from "zod";
import { choiceInputs, colorInput, engravingInput, joinChoice } from "~/features/catalogue/schema";
import { id, wholeNumber } from "~/http/fields";

/** Maximum number of lines: the cart's cookie must stay small (docs/decisions/0006-cart-cookie.md). */
export const MAX_LINES = 50;
const MAX_QUANTITY = 1_000_000;

const add = z.object({
  id,
  color: colorInput,
  ...choiceInputs,
  engraving: engravingInput,
  quantity: z.preprocess((value) => value ?? 1, wholeNumber(1, MAX_QUANTITY)),
  /** Position of a new line; at the end by default. */
  at: wholeNumber(0, MAX_LINES).optional(),
  /** Id of the request, chosen by the browser: a repeated request adds nothing. */
  request: z
    .string({ error: "Must be text" })
    .regex(/^\w{6,16}$/, "Must be 6 to 16 of A-Z, a-z, 0-9 and _")
    .optional(),
});

export const AddInput = add.transform(joinChoice);

/** Names a line: blank options mean none, missing ones the first line of the product. */
const line = {
  id,
  color: colorInput.optional(),
  engraving: engravingInput.optional(),
  /** Quantity and position from which a script restores a removed line. */
  was: z.string().optional(),
};

/**
 * Sets a quantity: 0 or less removes the line, an empty field keeps the quantity. `step` (-1 or 1), sent by the
 * buttons of the stepper, is added.
 */
export const SetInput = z.object({
  ...line,
  quantity: z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    wholeNumber(-MAX_QUANTITY, MAX_QUANTITY).optional(),
  ),
  step: wholeNumber(-1, 1).default(0),
});

export const RemoveInput = z.object(line);

/** Options of a line, and those that it had. */
export const OptionsInput = z
  .object({
    ...add.shape,
    wasColor: colorInput.optional(),
    wasEngraving: engravingInput.optional(),
  })
  .omit({ quantity: true, request: true, at: true })
  .transform(joinChoice);

export const EmptyInput = z.object({});
