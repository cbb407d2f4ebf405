import { describe, expect, it } from "vitest";
import { isDay } from "~/domain/calendar-day";
import { type ListRules, listUrl, parseListParams, readDialog, withoutDialog } from "./list-params";

const RULES: ListRules = {
  path: "/list",
  sorts: ["name", "amount"],
  base: { sort: "name", dir: "desc" },
  filters: { kind: ["A", "B"], number: /^\d+$/, from: "day", to: "day" },
  others: ["run"],
};
const read = (query: string) => parseListParams(new URLSearchParams(query), RULES);

it.each(["2026-02-29", "1999-12-31", "2100-01-01", "2026-1-1", "", "2026-00-10"])(
  "isDay rejects %j",
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

describe("list parameters", () => {
  it("defaults to the first ten rows in the list's default sort", () => {
    expect(read("")).toMatchObject({ q: "", sort: "name", dir: "desc", page: 1, size: 10, filters: {} });
    expect(listUrl(read(""))).toBe("/list");
  });

  it("parses valid parameters and ignores invalid ones", () => {
    const odd = "sort=id;DROP&dir=up&page=-1&size=1e9&kind=C&from=2026-02-30&to=0001-01-01";
    const { ignored, ...params } = read(odd);
    expect({ ...params, ignored: [] }).toEqual(read(""));
    expect(ignored).toEqual(["sort", "dir", "page", "size", "kind", "from", "to"]);
    expect(read("page=0&size=0&page=1.5&status=x&__proto__=x").ignored).toEqual([
      "page",
      "size",
      "status",
      "__proto__",
    ]);
    expect(read("q=&kind=&page=&run=7&dialog=new&sort=name&dir=desc").ignored).toEqual([]);
    expect(read("sort=amount")).toMatchObject({ sort: "amount", dir: "asc" });
    expect(read("size=200&page=3&kind=A&from=2026-02-28")).toMatchObject({
      size: 200,
      page: 3,
      filters: { kind: "A", from: "2026-02-28" },
    });
    expect(read("number=12").filters).toEqual({ number: "12" });
    expect(read("number=12x").filters).toEqual({});
    expect(read("size=1001").size).toBe(10);
  });

  it("swaps a reversed date range", () => {
    expect(read("from=2026-11-21&to=2026-11-01").filters).toEqual({ from: "2026-11-01", to: "2026-11-21" });
  });

  it("removes control characters from the search", () => {
    expect(read("q=%20%00case%0A%ff ").q).toBe("case \ufffd");
    expect(read(`q=${"x".repeat(500)}`).q).toHaveLength(200);
  });

  it("round-trips through the URL", () => {
    const params = read("q=a+b%26c&sort=amount&dir=asc&page=2&size=20&kind=B&to=2026-11-21");
    expect(parseListParams(new URL(listUrl(params), "http://x").searchParams, RULES)).toEqual(params);
  });

  it("returns to page 1 with another sort, size, search or filter", () => {
    const params = read("page=4&q=x");
    expect(listUrl(params, { page: 5 })).toBe("/list?q=x&page=5");
    for (const change of [{ sort: "amount" }, { size: 5 }, { q: "y" }, { filters: { kind: "A" } }])
      expect(listUrl(params, change)).not.toContain("page");
  });

  it("adds and removes the open dialog", () => {
    const open = listUrl(read("q=x&page=2"), {}, { kind: "edit", id: "1&2" });
    expect(open).toBe("/list?q=x&page=2&edit=1%262");
    expect(readDialog(new URL(open, "http://x").searchParams)).toEqual({ kind: "edit", id: "1&2" });
    expect(withoutDialog(`http://x${open}`)).toBe("/list?q=x&page=2");
    expect(readDialog(new URLSearchParams("edit="))).toBeNull();
  });
});
