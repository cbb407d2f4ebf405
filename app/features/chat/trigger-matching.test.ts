import { describe, expect, it } from "vitest";
import { matchingResponses } from "./trigger-matching";

const response = (trigger: string) => ({ trigger, response: `about ${trigger}` });
const matches = (text: string, ...triggers: string[]) =>
  matchingResponses(text, triggers.map(response)).map(({ trigger }) => trigger);

describe("matchingResponses", () => {
  it.each([
    ["What are your HOURS?", "hours"],
    ["hours", "Hours"],
    ["pick   up\nplease", "pick up"],
    ["un café, svp", "café"],
    ["C++ engraving (deep)", "c++"],
    ["is it 50% off?", "50%"],
    ["naïve cafe\u0301", "café"],
  ])("matches %j with %j", (text, trigger) => {
    expect(matches(text, trigger)).toEqual([trigger]);
  });

  it.each([
    ["Whatever", "hat"],
    ["the cafés", "café"],
    ["hour", "hours"],
    ["a_hours_b", "hours"],
    ["aXb", "a.b"],
  ])("does not match %j with %j", (text, trigger) => {
    expect(matches(text, trigger)).toEqual([]);
  });

  it("returns each trigger once, three at most", () => {
    expect(matches("a b c d", "a", "A", "b", "c", "d")).toEqual(["a", "b", "c"]);
  });
});
