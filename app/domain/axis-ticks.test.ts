import { describe, expect, it } from "vitest";
import { amountTicks, compactDollars } from "./axis-ticks";

describe("amount axis", () => {
  it.each([
    [438_600, ["$0", "$1k", "$2k", "$3k", "$4k", "$5k"]],
    [4_150_00, ["$0", "$1k", "$2k", "$3k", "$4k", "$5k"]],
    [120_000, ["$0", "$250", "$500", "$750", "$1k", "$1.25k"]],
    [0, ["$0", "$1", "$2", "$3", "$4", "$5"]],
    [9_999_999_999, ["$0", "$20M", "$40M", "$60M", "$80M", "$100M"]],
  ])("%i cents: %j", (largest, names) => {
    expect(amountTicks([null, 0, largest]).map(compactDollars)).toEqual(names);
  });

  it.each([
    [482_735, ["$0", "$2k", "$4k", "$6k"]],
    [400_000, ["$0", "$2k", "$4k"]],
    [400_001, ["$0", "$2k", "$4k", "$6k"]],
    [1_000_000, ["$0", "$5k", "$10k"]],
    [0, ["$0", "$1", "$2", "$3"]],
  ])("of three lines ends at %i cents or above: %j", (largest, names) => {
    expect(amountTicks([largest], 3).map(compactDollars)).toEqual(names);
  });
});
