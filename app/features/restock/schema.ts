import { z } from "zod";
import { DAY_SECONDS } from "~/domain/durations";
import { choiceInputs, colorInput, joinChoice } from "~/features/catalogue/schema";
import { SubscriptionInput } from "~/features/push/schema";
import { email, id, optional } from "~/http/fields";

/** Lifetimes of a request: until it is confirmed, and while it waits. */
export const UNCONFIRMED_SECONDS = 3 * DAY_SECONDS;
export const WAITING_SECONDS = 365 * DAY_SECONDS;
/** Seconds for which the mailed link of a request works, as long as the request itself. */
export const LINK_SECONDS = WAITING_SECONDS;

const { endpoint, keys } = SubscriptionInput.shape;

/** Input of somebody who waits for a unit: its id or choice, and an address or a browser; an account without either has its own address. */
export const RestockInput = z
  .object({
    id,
    unitId: optional(id),
    color: colorInput,
    ...choiceInputs,
    email: optional(email()),
    endpoint: optional(endpoint),
    keys: optional(keys),
  })
  .refine((input) => (input.endpoint === undefined) === (input.keys === undefined), {
    path: ["keys"],
    message: "A browser has an endpoint and keys",
  })
  .transform(joinChoice);
export type RestockInput = z.infer<typeof RestockInput>;

/** Body of the same by the API. */
export const RestockBody = z.object({
  unitId: optional(id).meta({ description: "Of a product with options" }),
  color: colorInput.meta({ description: "Choice in words, in place of unitId", examples: ["Moss / 52 cm"] }),
  email: optional(email()).meta({ description: "Of a visitor; by default the caller's own" }),
  endpoint: optional(endpoint),
  keys: optional(keys),
});

const text = z.string({ error: "Must be text" }).max(200, "Too long");

/** Mailed link of a request. */
export const RestockLink = z.object({ restock: text, key: text });

/** The same, also as mail programs send it (RFC 8058). */
export const OneClickLink = RestockLink.extend({ "List-Unsubscribe": text.optional() });
