import { describe, expect, it } from "vitest";
import { z } from "zod";
import { textField } from "./fields";

/** Letter with two signs in NFC, and one that NFC composes. */
const [DIVIDED, COMPOSED] = ["\u0958", "e\u0301"];

describe("a text", () => {
  it.each([
    ["required", { required: "Required" }],
    ["optional", {}],
    ["of several lines", { input: { rows: 2 } }],
  ])("%s is refused where it could not be saved again", (_, options) => {
    const { rule } = textField({ label: "Text", max: 10, audit: "fact", ...options });
    const stored = (text: string) => rule.safeParse(text).data;
    for (const text of [DIVIDED.repeat(5), COMPOSED.repeat(5), "🙂".repeat(10)]) {
      const once = stored(text);
      expect(once).toBe(text.normalize("NFC"));
      expect(stored(once ?? "")).toBe(once);
    }
    expect(stored(DIVIDED.repeat(6))).toBeUndefined();
  });

  it("with a rule of its own has a limited control only where a length stands beside the rule, which holds", () => {
    const own = { label: "Text", audit: "fact", rule: z.string() } as const;
    const [free, limited] = [textField(own), textField({ ...own, max: 10 })];
    expect([free.control.input.maxLength, limited.control.input.maxLength]).toEqual([undefined, 10]);
    expect(free.rule.safeParse("a".repeat(5000)).success).toBe(true);
    expect(limited.rule.safeParse("a".repeat(11)).success).toBe(false);
  });
});
