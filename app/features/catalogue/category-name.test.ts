import { describe, expect, it } from "vitest";
import { categoryName } from "./category-name";

describe("categoryName", () => {
  it.each([
    ["HOME_DECOR", "Home Decor"],
    ["JEWELRY", "Jewelry"],
    ["HEALTH_AND_BEAUTY", "Health And Beauty"],
    ["phone  case", "Phone Case"],
    ["2_GO_x", "2 Go X"],
    ["\u00e9tui", "\u00c9tui"],
    ["", "Unknown"],
  ])("formats %j as %j", (category, name) => {
    expect(categoryName(category)).toBe(name);
  });
});
