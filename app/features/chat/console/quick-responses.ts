import { fillPlaceholders } from "../placeholders";
import type { ConsoleData } from "./page.server";

/** Returns the active responses with the values of the open conversation in place of placeholders. */
export function quickResponses(
  { responses, cart, products, pickup }: Pick<ConsoleData, "responses" | "cart" | "products" | "pickup">,
  name: string,
) {
  const product = cart?.lines[0]?.name ?? products.at(-1)?.name ?? "";
  return (responses ?? [])
    .filter(({ isActive }) => isActive)
    .map((one) => ({ ...one, response: fillPlaceholders(one.response, { name, product, pickup }) }));
}
