import { describe, expect, it } from "vitest";
import { type ShopFilter, shopUrl, type VisibleShop, withEarlierPages } from "./shop-url";

const all: ShopFilter = { search: "", category: null, sort: "default" };

/** A page of two cards, `1a` and `1b` on page 1. */
function shopOf(page: number, filter = all, ids = [`${page}a`, `${page}b`]): VisibleShop {
  const cards = ids.map((id) => ({
    id,
    name: id,
    priceCents: 100,
    stock: 1,
    category: "OTHERS",
    image: null,
    imageAlt: null,
  }));
  return { filter, cards, total: 8, first: page, page, pages: 4, size: 2 };
}

/** What a cache that holds these pages gives. */
function holding(...pages: VisibleShop[]) {
  const kept = new Map(pages.map((shop) => [shopUrl(shop.filter, shop.page), shop]));
  return (address: string) => kept.get(address);
}
const ids = (shop: VisibleShop) => shop.cards.map(({ id }) => id);

describe("show more: the pages seen before stand in front", () => {
  it("adds them in order", () => {
    const shown = withEarlierPages(shopOf(3), holding(shopOf(1), shopOf(2)));
    expect(shown.first).toBe(1);
    expect(ids(shown)).toEqual(["1a", "1b", "2a", "2b", "3a", "3b"]);
  });

  it("stops at a gap: a reload of page 3 shows page 3", () => {
    expect(withEarlierPages(shopOf(3), holding(shopOf(1))).first).toBe(3);
    expect(ids(withEarlierPages(shopOf(3), holding()))).toEqual(["3a", "3b"]);
  });

  it("takes none of another search, category or order", () => {
    const jewelry: ShopFilter = { ...all, category: "JEWELRY" };
    expect(withEarlierPages(shopOf(2, jewelry), holding(shopOf(1))).first).toBe(2);
  });

  it("shows a product once that moved to the next page between two reads", () => {
    const shown = withEarlierPages(shopOf(2, all, ["1b", "2b"]), holding(shopOf(1)));
    expect(ids(shown)).toEqual(["1a", "1b", "2b"]);
  });
});

describe("the shop's address", () => {
  it("says only what is not as always", () => {
    expect(shopUrl(all)).toBe("/shop");
    expect(shopUrl({ search: "a & b", category: "HOME_DECOR", sort: "price-asc" }, 2)).toBe(
      "/shop?search=a+%26+b&category=HOME_DECOR&sort=price-asc&page=2",
    );
  });
});
