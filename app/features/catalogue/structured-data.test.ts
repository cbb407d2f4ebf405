import { expect, it } from "vitest";
import { scriptJson } from "./script-json";

it("a name can't end the script it is told in (budgets: Safe)", () => {
  const hostile = { name: "</script><script>alert(1)</script><!--\u2028" };
  const text = scriptJson(hostile);
  expect(text).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(text)).toEqual(hostile);
});
