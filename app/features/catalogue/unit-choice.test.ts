import { describe, expect, it } from "vitest";
import { nearestUnits } from "./near-choices";
import { choiceUrl, type OfferedUnit, tileNotes, unitOf } from "./unit-choice";

const offered = (values: string[], priceCents: number, stock: number): OfferedUnit => ({
  name: values.join(" / "),
  ...{ swatch: null, picture: null, image: null },
  unit: { values, priceCents, stock },
});
const BOARD = [
  offered(["42 cm", "Walnut"], 7800, 30),
  offered(["52 cm", "Walnut"], 9800, 2),
  offered(["52 cm", "Oak"], 9800, 0),
];
const SIZES = [{ name: "42 cm" }, { name: "52 cm" }];
const COLOURS = [{ name: "Walnut" }, { name: "Oak" }];
const notes = (...[chosen, option, values]: [string[], number, { name: string }[]]) =>
  tileNotes(BOARD, chosen, option, values).map(({ text }) => text);

describe("choosing a unit", () => {
  it("finds the one that has all values", () => {
    expect(unitOf(BOARD, ["52 cm", "Oak"])?.name).toBe("52 cm / Oak");
    expect(unitOf(BOARD, ["42 cm", "Oak"])).toBeUndefined();
  });

  it("notes prices where they differ, else what is left", () => {
    expect(notes(["52 cm", "Walnut"], 0, SIZES)).toEqual(["$78.00", "$98.00"]);
    expect(notes(["52 cm", "Walnut"], 1, COLOURS)).toEqual(["2 left", "sold out"]);
    expect(notes(["42 cm", "Walnut"], 1, COLOURS)).toEqual(["in stock", "not made in 42 cm"]);
  });

  it("says of what else that is chosen a value is sold out or not made, unless it is so of all", () => {
    expect(notes(["52 cm", "Oak"], 0, SIZES)).toEqual(["not made in Oak", "sold out in Oak"]);
    expect(notes(["52 cm", "Oak"], 1, COLOURS)).toEqual(["2 left", "sold out"]);
    const gone = BOARD.map((each) => ({ ...each, unit: { ...each.unit, stock: 0 } }));
    expect(tileNotes(gone, ["52 cm", "Oak"], 0, SIZES).map(({ text }) => text)).toEqual([
      "not made in Oak",
      "sold out",
    ]);
  });

  it("lists what is nearest to a choice: the fewest other values, then those beside it", () => {
    const options = [
      { name: "Size", values: ["5", "6", "7", "8"] },
      { name: "Metal", values: ["Gold", "Steel"] },
    ].map(({ name, values }) => ({ name, values: values.map((value) => ({ name: value, swatch: null })) }));
    const rings = [
      ["5", "Gold"],
      ["8", "Gold"],
      ["7", "Steel"],
      ["6", "Gold"],
      ["7", "Gold"],
      ["6", "Steel"],
    ];
    const units = rings.map((values, i) => offered(values, 100, i === 4 ? 0 : 1));
    expect(nearestUnits(units, ["7", "Gold"], options).map(({ name }) => name)).toEqual([
      "8 / Gold",
      "7 / Steel",
      "6 / Gold",
      "5 / Gold",
      "6 / Steel",
    ]);
  });

  it("writes the address of a choice, and leaves out what is open", () => {
    const options = [{ name: "Size" }, { name: "Fit & form" }];
    expect(choiceUrl("board", options, ["52 cm", "A&B"])).toBe(
      "/products/board?Size=52+cm&Fit+%26+form=A%26B",
    );
    expect(choiceUrl("board", options, [null, null])).toBe("/products/board");
  });
});
