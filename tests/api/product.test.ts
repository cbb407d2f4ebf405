import { describe, expect, it } from "vitest";
import { addProduct, call } from "../support/shop";

describe("GET product/all", () => {
  it("answers a bare array with the full count in X-Total-Count (contract: Lists)", async () => {
    await addProduct({ id: "a", name: "Apple", priceCents: 199 });
    await addProduct({ id: "b", name: "Bread", priceCents: 50, category: "HOME_DECOR" });
    const answer = await call("/api/product/all?limit=1&sort=price-asc&_ts=1");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("X-Total-Count")).toBe("2");
    const [first, ...rest] = (await answer.json()) as { id: string; productId: string; price: number }[];
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ id: "b", productId: "b", price: 0.5 });
  });
});
