import { expect, it } from "vitest";
import { grouped } from "./grouped";

it.each([
  [1200, "1,200"],
  [0, "0"],
  [-1, "\u22121"],
  [-12_000, "\u221212,000"],
])("formats %i", (count, text) => expect(grouped(count)).toBe(text));
