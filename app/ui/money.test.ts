import { expect, it } from "vitest";
import { dollars } from "./money";

it.each([
  [0, "$0.00"],
  [99_999, "$999.99"],
  [103_600, "$1,036.00"],
  [9_999_999_999, "$99,999,999.99"],
])("formats %i cents as %s", (cents, text) => {
  expect(dollars(cents)).toBe(text);
});
