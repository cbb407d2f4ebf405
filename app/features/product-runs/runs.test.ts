import { expect, it } from "vitest";
import { countsOf, describeCounts, thisRun, undoHeading } from "./runs";

const act = (fileName: string, updated: number, removed = 0) =>
  ({ kind: "act", fileName, updated, removed }) as const;

it.each([
  [act("Price +5 %", 12), "this change of price of 12 products", "Take the change of price back"],
  [act("Category Jewelry", 1), "this change of category of 1 product", "Take the change of category back"],
  [act("Hide products", 2), "this hiding of 2 products", "Take the hiding back"],
  [act("Delete products", 0, 3), "this deletion of 3 products", "Take the deletion back"],
  [{ kind: "import", fileName: "Price.csv", updated: 9, removed: 0 }, "this upload", "Take an upload back"],
  [
    { kind: "undo", fileName: "Undo of Price +5 %", updated: 9, removed: 0 },
    "this undo",
    "Take the undo back",
  ],
] as const)("%j is %s", (run, name, heading) =>
  expect([thisRun(run), undoHeading(run)]).toEqual([name, heading]),
);

it.each([
  [{ updated: 21, partial: 1, stayed: 1 }, false, "21 go back, 1 goes back in part, 1 stays as it is"],
  [{ updated: 1, stayed: 2 }, true, "1 went back, 2 stayed as they are"],
  [{ created: 1, removed: 1, hidden: 2 }, true, "1 was created again, 1 was removed, 2 were hidden"],
  [{ created: 2, removed: 1 }, false, "2 are created again, 1 is removed"],
  [{}, true, "Nothing goes back"],
])("counts of %j are words", (counts, isDone, text) =>
  expect(describeCounts(countsOf(counts), isDone)).toBe(text),
);
