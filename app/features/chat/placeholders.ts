import { NEW_CUSTOMER } from "./limits";

/** Values of a conversation for the placeholders of predefined responses; "" for unknown. */
export interface PlaceholderValues {
  /** Name of the visitor. */
  name: string;
  /** Name of the product that the conversation is about. */
  product: string;
  /** Place and time of collection, as in "It is ready {pickup}." */
  pickup: string;
}

/** Text of a placeholder whose value is unknown. */
const UNKNOWN: PlaceholderValues = { name: "there", product: "your order", pickup: "at the counter" };

/** Replaces `{name}`, `{product}` and `{pickup}` in a predefined response; other braces stay. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  const known = { ...values, name: values.name === NEW_CUSTOMER ? "" : values.name };
  return text.replace(
    /\{(name|product|pickup)\}/g,
    (_, key: keyof PlaceholderValues) => known[key] || UNKNOWN[key],
  );
}
