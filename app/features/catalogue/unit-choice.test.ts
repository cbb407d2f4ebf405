import { describe, expect, it } from "vitest";
import { type OfferedUnit, priceOf, tileNote, unitOf } from "./unit-choice";

const unit = (values: string[], priceCents: number, stock: number): OfferedUnit => ({
  id: values.join("-"),
  ...{ values, priceCents, stock, picture: null },
});
const BOARD = [
  unit(["42 cm", "Walnut"], 7800, 30),
  unit(["52 cm", "Walnut"], 9800, 2),
  unit(["52 cm", "Oak"], 9800, 0),
];

describe("choosing a unit", () => {
  it("finds it once every option is chosen", () => {
    expect(unitOf(BOARD, ["52 cm", "Oak"])?.id).toBe("52 cm-Oak");
    expect(unitOf(BOARD, ["52 cm", null])).toBeUndefined();
    expect(unitOf(BOARD, ["42 cm", "Oak"])).toBeUndefined();
  });

  it("says the lowest price that can be bought, and that there are others", () => {
    expect(priceOf(BOARD)).toEqual({ cents: 7800, isFrom: true });
    expect(priceOf(BOARD.slice(1))).toEqual({ cents: 9800, isFrom: false });
  });

  it("notes on each value its price, what is left, and what is not there", () => {
    expect(tileNote(BOARD, [null, null], 0, "42 cm")).toEqual({ text: "$78.00", isOut: false });
    expect(tileNote(BOARD, ["52 cm", null], 1, "Oak")).toEqual({ text: "$98.00, Sold out", isOut: true });
    expect(tileNote(BOARD, ["52 cm", null], 1, "Walnut")).toEqual({ text: "$98.00, 2 left", isOut: false });
    expect(tileNote(BOARD, ["42 cm", null], 1, "Oak")).toEqual({ text: "Not made", isOut: true });
    expect(tileNote([unit(["Moss"], 500, 30)], [null], 0, "Moss")).toEqual({
      text: "In stock",
      isOut: false,
    });
  });
});
