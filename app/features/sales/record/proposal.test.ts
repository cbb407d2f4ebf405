import { expect, it } from "vitest";
import { SaleInput } from "../sale-schema";
import { linePicture } from "./draft";
import { type ChatSales, type Proposal, proposalOf, proposedLines } from "./proposal.server";

const sale = (recordedAt: number, ...products: string[]) => ({
  kind: "sale",
  recordedAt,
  lines: products.map((unitId) => ({ unitId })),
});
const asked = (productId: string, requestedAt?: number) => ({
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
    asked("mug", 150),
    asked("lamp", 101),
    asked("lamp", 100),
    asked("vase", 90),
    asked("lamp"),
    asked("dish"),
  ];
  expect(proposalOf(sales, cart, 300).cart).toMatchObject([
    { unitId: "lamp", requestedAt: 101 },
    { unitId: "vase", requestedAt: 90 },
    { unitId: "dish" },
  ]);
});

it.each([1, 3])(
  "proposes lines of a quote of %s pieces that a sale accepts, however long their texts are",
  (quantity) => {
    const texts = {
      description: "🙂".repeat(500),
      material: "Slate ".repeat(16),
      size: "10 × 10 ".repeat(12),
    };
    const quote = { lines: [{ ...texts, quantity, amountCents: 1000 }] };
    const [line] = proposedLines({ hold: undefined, quote, cart: [] } as unknown as Proposal, new Map());
    const { description, price } = line ?? { description: "", price: "" };
    expect(description).toContain("🙂🙂");
    const sale = { paymentMode: "CARD", lines: [{ description, quantity: 1, amount: price }] };
    expect(SaleInput.safeParse(sale).error).toBeUndefined();
  },
);

it("proposes a quoted product once: at the quote's price, from the stock, and out of the hold that has it", () => {
  const mug = {
    id: "mug",
    name: "Mug",
    category: "HOUSEHOLD",
    priceCents: 1800,
    available: 5,
    heldPieces: 2,
  };
  const quote = {
    state: "accepted",
    documentId: null,
    createdAt: 200,
    lines: [
      { unitId: "mug", description: "Mug, Clay", material: "", size: "", quantity: 3, amountCents: 4500 },
      { unitId: "mug", description: "Seconds", material: "", size: "", quantity: 3, amountCents: 1000 },
      { description: "Wrapping", material: "", size: "", quantity: 1, amountCents: 500 },
    ],
  };
  const hold = { state: "active", until: 1000, lines: [{ unitId: "mug", name: "Mug", quantity: 2 }] };
  const sales = { holds: [hold], quotes: [quote], documents: [] } as unknown as ChatSales;
  // The mug is asked for again after the quote.
  const proposal = proposalOf(sales, [asked("mug", 150), asked("mug", 250), asked("lamp", 150)], 300);
  const products = new Map([
    ["mug", { ...mug, productId: "mug", choice: "", image: null, colors: [], isHidden: false }],
  ]);
  expect(proposedLines(proposal, products)).toMatchObject([
    { unitId: "", description: "lamp", from: "" },
    {
      ...{ unitId: "mug", description: "Mug, Clay", quantity: "3", price: "15.00" },
      ...{ category: "HOUSEHOLD", businessType: "EMPORIA", from: "hold quote" },
    },
    { unitId: "", description: "3 × Seconds", quantity: "1", price: "10.00", from: "quote" },
    { unitId: "", description: "Wrapping", businessType: "LASER", from: "quote" },
  ]);
});

it.each([
  ["Key tag", "Key tag", true],
  ["key tag (walnut) ", "Key tag (Walnut)", true],
  ["Key tag, engraved", "Key tag (Walnut)", true],
  ["Key tag", "Key tag (2 × Walnut; 1 × Oak)", true],
  ["Key tag holder", "Key tag", false],
  ["Key", "Key tag", false],
  ["Two signs", "Key tag", false],
])("a quote of “%s” typed by hand is of “%s” on hold: %s", (description, name, isSame) => {
  const quote = {
    state: "accepted",
    documentId: null,
    createdAt: 200,
    lines: [{ description, quantity: 1, amountCents: 5299 }],
  };
  const hold = { state: "active", until: 1000, lines: [{ unitId: "tag", name, quantity: 1 }] };
  const proposal = proposalOf(
    { holds: [hold], quotes: [quote], documents: [] } as unknown as ChatSales,
    [],
    300,
  );
  expect(proposedLines(proposal, new Map())).toHaveLength(isSame ? 1 : 2);
});

it("takes the hold that has a quoted product before others", () => {
  const of = (unitId: string) => ({
    state: "active",
    until: 1000,
    lines: [{ unitId, name: unitId, quantity: 1 }],
  });
  const quote = {
    state: "accepted",
    documentId: null,
    createdAt: 200,
    lines: [{ unitId: "mug", description: "Mug", quantity: 1 }],
  };
  const sales = { holds: [of("lamp"), of("mug")], quotes: [quote], documents: [] } as unknown as ChatSales;
  expect(proposalOf(sales, [], 300).hold).toMatchObject(of("mug"));
  expect(proposalOf({ ...sales, quotes: [] }, [], 300).hold).toMatchObject(of("lamp"));
});

it.each([
  ["Key tag (Steel)", "minio:steel"],
  ["Key tag (Rose gold, “Noor”), Metal", "minio:rose"],
  ["Key tag (Rose)", "minio:tag"],
  ["Key tag, engraved", "minio:tag"],
  ["Key tag (Leather)", "minio:tag"],
])("shows a line of %s by %s", (description, picture) => {
  const color = (name: string, image: string | null) => ({ name, swatch: null, picture: null, image });
  const colors = [color("Steel", "minio:steel"), color("Rose gold", "minio:rose"), color("Leather", null)];
  expect(linePicture({ description }, { name: "Key tag", image: "minio:tag", colors })).toBe(picture);
});
