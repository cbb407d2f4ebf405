import { describe, expect, it } from "vitest";
import { NO_FILTER as all } from "./schema";
import { shopUrl } from "./shop-url";

describe("shop URL", () => {
  it("omits default values", () => {
    expect(shopUrl(all)).toBe("/shop");
    expect(shopUrl({ search: "a & b", category: "HOME_DECOR", sort: "price-asc" }, 2)).toBe(
      "/shop?search=a+%26+b&category=HOME_DECOR&sort=price-asc&page=2",
    );
    expect(shopUrl({ ...all, min: 1250, max: 3000, inStock: true })).toBe("/shop?min=12.5&max=30&stock=in");
  });
});
