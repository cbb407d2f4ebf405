import { z } from "zod";
import { flag, id, openedValues, optionalText, requiredText } from "~/http/fields";
import { hasVisibleCharacter, messageText } from "./schema";

const trigger = requiredText("Trigger is required", 200).refine(hasVisibleCharacter, "Trigger is required");
const response = messageText;
const category = optionalText(60).transform((text) => text || "General");

/** Input of a new predefined response. */
export const ResponseInput = z.object({ trigger, response, category, isActive: flag.optional() });

/** Values of a response that the caller read; missing fields are not compared. */
const SeenResponse = z
  .object({ trigger: z.string(), response: z.string(), category: z.string(), isActive: z.boolean() })
  .partial();
export type SeenResponse = z.output<typeof SeenResponse>;

/** Changed fields of a response; `was` detects an edit conflict. */
export const ResponseChanges = z.object({
  id,
  trigger: trigger.optional(),
  response: response.optional(),
  category: category.optional(),
  isActive: flag.optional(),
  was: SeenResponse.optional(),
});

export const ResponseForm = ResponseChanges.extend({ was: openedValues(SeenResponse) });

export const ResponseRemoval = z.object({ id, was: SeenResponse.optional() });

export const ResponseRemovalForm = z.object({ id, was: openedValues(SeenResponse) });
