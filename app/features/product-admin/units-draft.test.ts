import { describe, expect, it } from "vitest";
import type { ProductUnit } from "~/features/catalogue/units";
import { applyAct, draftOf } from "./units-draft";

const unit = (id: string, values: string[], stock: number) => ({
  ...{ id, values, stock, priceCents: null, sku: id, barcode: "", image: "" },
  ...{ held: 0, available: stock },
});

const opened = () =>
  draftOf({
    options: [
      { name: "Colour", values: ["Moss", "Clay"] },
      { name: "Size", values: ["S", "L"] },
    ],
    units: [
      unit("moss-s", ["Moss", "S"], 3),
      unit("moss-l", ["Moss", "L"], 5),
      unit("clay-s", ["Clay", "S"], 1),
      unit("clay-l", ["Clay", "L"], 0),
    ] as ProductUnit[],
  });
const NO_CHOICES = { label: "", values: [] };
const act = (draft: ReturnType<typeof opened>, name: string) => applyAct(draft, name, NO_CHOICES);

describe("what is removed from the units of a form", () => {
  it.each([
    ["drop:0:0", "Moss: 2 choices, 8 in stock", 2],
    ["drop:1:1", "L: 2 choices, 5 in stock", 2],
    ["remove:3", "Clay / L: 1 choice", 3],
  ])("by %s is named with its stock and taken back whole", (name, text, left) => {
    const draft = opened();
    const removed = act(draft, name);
    expect(removed.units).toHaveLength(left);
    expect(removed.removed?.text).toBe(text);
    const back = act(removed, "restore");
    expect(back).toEqual({ ...draft, removed: null });
  });

  it("can't be taken back once something else is changed", () => {
    const other = act(act(opened(), "drop:0:0"), "option");
    expect(other.removed).toBeNull();
    expect(act(other, "restore").units).toHaveLength(2);
  });

  it("says nothing of a value without units", () => {
    const added = act({ ...opened(), units: [] }, "drop:0:0");
    expect(added.removed).toBeNull();
  });
});
