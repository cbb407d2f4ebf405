import { describe, expect, it } from "vitest";
import { taxNote } from "./tax-note.server";

const NAMES = { EMPORIA: "Emporia", LASER: "Laser Craft" };
const tax = (business: "EMPORIA" | "LASER", isIncluded = 1, name = "HST") => ({
  ...{ business, isIncluded, name, rate: 1300 },
});

describe("the note about tax", () => {
  it("is one sentence where all businesses have the same rule", () => {
    expect(taxNote([tax("EMPORIA"), tax("LASER")], ["EMPORIA", "LASER"], NAMES)).toBe("Prices include HST.");
    expect(taxNote([tax("LASER")], ["LASER"], NAMES)).toBe("Prices include HST.");
    expect(taxNote([tax("LASER", 0)], ["LASER"], NAMES)).toBe("Prices are without HST, 13% is added.");
  });

  it("names the business where they differ, and is empty where none is registered", () => {
    expect(taxNote([tax("EMPORIA"), tax("LASER", 0)], ["EMPORIA", "LASER"], NAMES)).toBe(
      "Prices of Emporia include HST. Prices of Laser Craft are without HST, 13% is added.",
    );
    expect(taxNote([tax("LASER")], ["EMPORIA", "LASER"], NAMES)).toBe("Prices of Laser Craft include HST.");
    expect(taxNote([tax("LASER")], ["EMPORIA"], NAMES)).toBe("");
  });
});
