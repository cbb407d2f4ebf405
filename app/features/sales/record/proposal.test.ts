import { expect, it } from "vitest";
import { type ChatSales, proposalOf } from "./proposal.server";

const sale = (recordedAt: number, ...products: string[]) => ({
  kind: "sale",
  recordedAt,
  lines: products.map((productId) => ({ productId })),
});
const line = (productId: string, requestedAt?: number) => ({
  productId,
  name: productId,
  quantity: 1,
  priceCents: 100,
  ...(requestedAt !== undefined && { requestedAt }),
});

it("proposes what was asked for since it was last sold in the chat", () => {
  const documents = [sale(200, "mug"), { ...sale(150, "vase"), kind: "credit" }, sale(100, "mug", "lamp")];
  const sales = { holds: [], quotes: [], documents } as unknown as ChatSales;
  const cart = [
    line("mug", 150),
    line("lamp", 101),
    line("lamp", 100),
    line("vase", 90),
    line("lamp"),
    line("dish"),
  ];
  expect(proposalOf(sales, cart, 300).cart).toEqual([line("lamp", 101), line("vase", 90), line("dish")]);
});
