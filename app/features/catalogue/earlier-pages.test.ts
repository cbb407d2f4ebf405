import { describe, expect, it } from "vitest";
import { type VisibleShop, withEarlierPages } from "./earlier-pages";
import { NO_FILTER, type ShopFilter } from "./schema";
import { shopUrl } from "./urls";

const all = NO_FILTER;

/** Builds a page of two cards, `1a` and `1b` for page 1. */
function shopOf(page: number, filter = all, ids = [`${page}a`, `${page}b`]): VisibleShop {
  const cards = ids.map((id) => ({
    id,
    name: id,
    priceCents: 100,
    isFrom: false,
    stock: 1,
    category: "OTHERS",
    image: null,
    imageAlt: null,
  }));
  const facets = { total: 8, inStock: 8, anyStock: 8, prices: [8] };
  return { filter, cards, facets, first: page, page, pages: 4, size: 2, searched: null };
}

/** Cache that contains these pages. */
function holding(...pages: VisibleShop[]) {
  const kept = new Map(pages.map((shop) => [shopUrl(shop.filter, shop.page), shop]));
  return (address: string) => kept.get(address);
}
const ids = (shop: VisibleShop) => shop.cards.map(({ id }) => id);

describe("pages before the loaded one", () => {
  it("are prepended in order", () => {
    const shown = withEarlierPages(shopOf(3), holding(shopOf(1), shopOf(2)));
    expect(shown.first).toBe(1);
    expect(ids(shown)).toEqual(["1a", "1b", "2a", "2b", "3a", "3b"]);
  });

  it("end at a gap: a reload of page 3 shows page 3", () => {
    expect(withEarlierPages(shopOf(3), holding(shopOf(1))).first).toBe(3);
    expect(ids(withEarlierPages(shopOf(3), holding()))).toEqual(["3a", "3b"]);
  });

  it("are not taken from another search, category or sort", () => {
    const jewelry: ShopFilter = { ...all, category: "JEWELRY" };
    expect(withEarlierPages(shopOf(2, jewelry), holding(shopOf(1))).first).toBe(2);
  });

  it("show a product once that moved between pages", () => {
    const shown = withEarlierPages(shopOf(2, all, ["1b", "2b"]), holding(shopOf(1)));
    expect(ids(shown)).toEqual(["1a", "1b", "2b"]);
  });
});
