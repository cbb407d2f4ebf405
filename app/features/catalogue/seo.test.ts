import { expect, it } from "vitest";
import { scriptJson } from "./seo.server";

it("escapes names that would end the script element", () => {
  const hostile = { name: "</script><script>alert(1)</script><!--\u2028" };
  const text = scriptJson(hostile);
  expect(text).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(text)).toEqual(hostile);
});
