import { expect, it } from "vitest";
import { shortenedPair } from "./text-difference";

const LONG = "A board of walnut that was oiled by hand, and that is finished with beeswax from the valley";

it.each([
  ["short ones whole", "Soft", "Hard", ["Soft", "Hard"]],
  ["none beside a long one", "", LONG, ["", `${LONG.slice(0, 59)}…`]],
  [
    "long ones from a word before the difference",
    LONG,
    LONG.replace("beeswax", "oil"),
    ["…finished with beeswax from the valley", "…finished with oil from the valley"],
  ],
  [
    "words without spaces shortly before it",
    "x".repeat(80),
    `${"x".repeat(79)}y`,
    [`…${"x".repeat(17)}`, `…${"x".repeat(16)}y`],
  ],
])("shows %s", (_, from, to, shown) => expect(shortenedPair(from, to)).toEqual(shown));
