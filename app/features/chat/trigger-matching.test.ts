import { describe, expect, it } from "vitest";
import { matchingResponses } from "./trigger-matching";

const answer = (trigger: string) => ({ trigger, response: `about ${trigger}` });
const triggersOf = (text: string, ...triggers: string[]) =>
  matchingResponses(text, triggers.map(answer)).map(({ trigger }) => trigger);

describe("a trigger stands in a message (contract: Chat)", () => {
  it.each([
    ["What are your HOURS?", "hours"],
    ["hours", "Hours"],
    ["pick   up\nplease", "pick up"],
    ["un café, svp", "café"],
    ["C++ engraving (deep)", "c++"],
    ["is it 50% off?", "50%"],
    ["naïve cafe\u0301", "café"],
  ])("%j has %j", (text, trigger) => {
    expect(triggersOf(text, trigger)).toEqual([trigger]);
  });

  it.each([
    ["Whatever", "hat"],
    ["the cafés", "café"],
    ["hour", "hours"],
    ["a_hours_b", "hours"],
    ["aXb", "a.b"],
  ])("%j has no %j", (text, trigger) => {
    expect(triggersOf(text, trigger)).toEqual([]);
  });

  it("answers each trigger once, three at most", () => {
    expect(triggersOf("a b c d", "a", "A", "b", "c", "d")).toEqual(["a", "b", "c"]);
  });
});
