import { describe, expect, it } from "vitest";
import { inChunks, type ListWindow, readListWindow } from "~/db/lists";

const NUMBERS = Array.from({ length: 1003 }, (_, i) => i);

/** Reads of 1,003 numbers, which note their windows. */
function numberReads(more: { isOneWay?: boolean; needsMatches?: boolean } = {}) {
  const windows: ListWindow[] = [];
  const reads = {
    ...more,
    async rows(window: ListWindow, known: { total: number } | null) {
      if (more.needsMatches && !known) throw new Error("Read before the matches");
      windows.push(window);
      const { limit, offset, dir } = window;
      return (dir === "asc" ? NUMBERS : NUMBERS.toReversed()).slice(offset, offset + limit);
    },
    matches: async () => ({ total: NUMBERS.length }),
  };
  return { reads, windows };
}

describe("a window of a list", () => {
  it.each([0, 10, 500, 700, 995, 1000, 1002, 1003, 5000])(
    "holds its rows in order: offset %i",
    async (offset) => {
      for (const dir of ["asc", "desc"] as const)
        for (const more of [{}, { isOneWay: true }, { needsMatches: true }]) {
          const { reads, windows } = numberReads(more);
          const { rows, total } = await readListWindow(reads, { limit: 10, offset, dir });
          const all = dir === "asc" ? NUMBERS : NUMBERS.toReversed();
          expect({ rows, total }).toEqual({ rows: all.slice(offset, offset + 10), total: 1003 });
          const passed = windows.reduce((sum, window) => sum + window.offset, 0);
          if (!more.isOneWay) expect(passed).toBeLessThanOrEqual(500);
        }
    },
  );

  it("is moved once the number of rows is known", async () => {
    const { reads } = numberReads();
    const window = { limit: 10, offset: 90, dir: "asc" } as const;
    expect((await readListWindow(reads, window, () => 20)).rows).toEqual(NUMBERS.slice(20, 30));
  });
});

it.each([0, 1, 4, 5, 10, 11])("chunks of 5 hold %i rows once each", async (count) => {
  const rows: number[] = [];
  const sizes: number[] = [];
  const behind = async (after: number | null, limit: number) => {
    const from = after === null ? 0 : after + 1;
    return NUMBERS.slice(from, Math.min(from + limit, count));
  };
  for await (const chunk of inChunks(behind, 5)) {
    rows.push(...chunk);
    sizes.push(chunk.length);
  }
  expect(rows).toEqual(NUMBERS.slice(0, count));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
});
