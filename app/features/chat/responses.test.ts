import { describe, expect, it } from "vitest";
import { NEW_CUSTOMER } from "./limits";
import { fillPlaceholders, matchingResponses } from "./responses";

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
    ["pick-up?", "pick-up"],
    ...[..."!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"].map((sign) => [`say a${sign}b now`, `a${sign}b`]),
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

  it.each([
    ["What's your address?", "What’s your address?"],
    ["délai", "Quel est le delai ?"],
    ["delai", "Quel est le DÉLAI ?"],
    ["运费", "请问运费多少？"],
    ["e‑mail", "Your e-mail?"],
  ])("finds the trigger %s in %s", (trigger, text) => {
    const [response] = matchingResponses(text, [
      { id: "a", trigger, response: "Yes", category: "General" } as never,
    ]);
    expect(response?.trigger).toBe(trigger);
  });

  it("returns each trigger once, three at most", () => {
    expect(matches("a b c d", "a", "A", "b", "c", "d")).toEqual(["a", "b", "c"]);
  });
});

const VALUES = { name: "Ines", product: "Brass desk lamp", pickup: "at 14 King Street", words: "Noor" };

describe("placeholders of responses", () => {
  it("take the values of the conversation, each time they stand", () => {
    expect(fillPlaceholders("Hi {name}, {product} is ready {pickup}. Bye {name}.", VALUES)).toBe(
      "Hi Ines, Brass desk lamp is ready at 14 King Street. Bye Ines.",
    );
  });

  it("read well when a value is unknown", () => {
    const unknown = { name: NEW_CUSTOMER, product: "", pickup: "", words: "" };
    expect(fillPlaceholders("Hi {name}, {product} is ready {pickup}.", unknown)).toBe(
      "Hi there, your order is ready at the counter.",
    );
  });

  it("repeat the words to engrave, and ask for missing ones", () => {
    expect(fillPlaceholders("Four days. {words}", VALUES)).toBe("Four days. We have your words: “Noor”.");
    expect(fillPlaceholders("Four days. {words}", { ...VALUES, words: "" })).toBe(
      "Four days. Send us your words or your drawing here.",
    );
  });

  it("leave other braces and the inserted values as they are", () => {
    const values = { ...VALUES, name: "{product} $& $1" };
    expect(fillPlaceholders("{Name} {} {x} {name}", values)).toBe("{Name} {} {x} {product} $& $1");
  });
});
