import { describe, expect, it } from "vitest";
import { REFERENCE } from "~/features/api-reference/reference";
import { apiDocument } from "../support/api-answers";

describe("the OpenAPI document", () => {
  it("describes every method of every route, and no other", async () => {
    const { paths } = await apiDocument();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = Object.entries(REFERENCE).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} /${path}`),
    );
    expect(described.toSorted()).toEqual(expected.toSorted());
  });

  it("describes every field that is sent", async () => {
    const { paths } = await apiDocument();
    expect(JSON.stringify(paths)).not.toMatch(/"(?!additionalProperties")\w+":\{\}/);
  });
});
