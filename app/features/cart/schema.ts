import { z } from "zod";
import { id, wholeNumber } from "~/http/fields";

/** Different products that a cart holds: its cookie must stay small (contract: Cart). */
export const MAX_LINES = 50;
const MAX_QUANTITY = 1_000_000;

/** Adding a product; the product page's stepper may add several. */
export const AddInput = z.object({
  id,
  quantity: z.preprocess((value) => value ?? 1, wholeNumber(1, MAX_QUANTITY)),
});

/**
 * Setting a quantity; 0 or less removes, none (an empty field) is the one that it has. `step` is a stepper's button:
 * one more or one less than `quantity`.
 */
export const SetInput = z.object({
  id,
  quantity: z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    wholeNumber(-MAX_QUANTITY, MAX_QUANTITY).optional(),
  ),
  step: wholeNumber(-1, 1).default(0),
});

/** Removing a product. */
export const RemoveInput = z.object({ id });

/** For acts on the cart as a whole. */
export const EmptyInput = z.object({});
