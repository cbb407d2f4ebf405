import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { addProduct, call } from "../support/shop";

let token = "";
let unit = "";
beforeAll(async () => {
  token = (await manager()).token;
  unit = await addProduct({ name: "Tote", stock: 900 });
});

/** Facts of the page of labels. */
async function labels(query: string) {
  const html = await (await call(`/admin/labels?unit=${unit}&${query}`, { token })).text();
  const [field = ""] = /<input[^>]*name="copies"[^>]*>/.exec(html) ?? [];
  return {
    value: /value="([^"]*)"/.exec(field)?.[1],
    isRefused: field.includes('aria-invalid="true"') && html.includes("0 to 480</small>"),
    isCut: html.includes("At most 480 labels at once"),
    printed: html.match(/class="code"/g)?.length ?? 0,
  };
}

describe("the copies of labels", () => {
  it.each([
    ["", 1],
    ["0", 0],
    ["12", 12],
    ["480", 480],
  ])("are a number: %s", async (copies, printed) => {
    const value = String(printed);
    expect(await labels(`copies=${copies}`)).toEqual({ value, isRefused: false, isCut: false, printed });
  });

  it.each(["abc", "1e9", "-1", "0.001", "481", "99999", "1 2"])(
    "are refused as %s, and none printed",
    async (copies) => {
      const query = new URLSearchParams({ copies });
      expect(await labels(String(query))).toEqual({
        value: copies,
        isRefused: true,
        isCut: false,
        printed: 0,
      });
    },
  );

  it("are cut where the stock has more than are printed at once, and say so", async () => {
    expect(await labels("fill=stock")).toEqual({ value: "480", isRefused: false, isCut: true, printed: 480 });
  });
});
