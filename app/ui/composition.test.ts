import { expect, it } from "vitest";
import { isComposing } from "./composition";

it.each([
  ["a composing Enter", { isComposing: true, keyCode: 229 }, true],
  ["Safari's Enter after the composition", { isComposing: false, keyCode: 229 }, true],
  ["an Enter", { isComposing: false, keyCode: 13 }, false],
])("tells whether a key belongs to an input method: %s", (_, event, expected) => {
  expect(isComposing(event as KeyboardEvent)).toBe(expected);
});
