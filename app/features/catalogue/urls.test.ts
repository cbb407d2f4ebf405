import { describe, expect, it } from "vitest";
import { categoryName } from "~/domain/category-name";
import { NO_FILTER as all } from "./schema";
import { shopUrl } from "./urls";

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

describe("shop URL", () => {
  it("omits default values", () => {
    expect(shopUrl(all)).toBe("/shop");
    expect(shopUrl({ search: "a & b", category: "HOME_DECOR", sort: "price-asc" }, 2)).toBe(
      "/shop?search=a+%26+b&category=HOME_DECOR&sort=price-asc&page=2",
    );
    expect(shopUrl({ ...all, min: 1250, max: 3000, inStock: true })).toBe("/shop?min=12.5&max=30&stock=in");
  });
});
