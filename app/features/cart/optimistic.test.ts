import { describe, expect, it } from "vitest";
import { cartMessage, smsUrl } from "./message";
import { applyPending } from "./optimistic";
import { type CartLine, type CartView, cartTotals } from "./view";

const line = (id: string, quantity: number, stock = 5): CartLine => ({
  id,
  name: `Product ${id}`,
  path: `/products/${id}`,
  priceCents: 1050,
  stock,
  quantity,
  image: null,
  imageAlt: null,
  color: null,
  engraving: null,
  chosen: {},
  swatch: null,
  choices: null,
});
const cartOf = (lines: CartLine[]): CartView => ({
  ...cartTotals(lines),
  smsUrl: "sms:+15550100",
  opening: "",
  terms: "",
});
const cart = cartOf([line("a", 1), line("b", 2)]);

/** Form as the cart's buttons send it. */
function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
const quantities = (fields: Record<string, string>) =>
  applyPending(cart, form(fields)).lines.map(({ id, quantity }) => `${id}${quantity}`);

describe("optimistic cart", () => {
  it("raises the quantity of a product that is already in the cart, by 1 unless the form says otherwise", () => {
    expect(quantities({ intent: "add", id: "a" })).toEqual(["a2", "b2"]);
    expect(quantities({ intent: "add", id: "a", quantity: "3" })).toEqual(["a4", "b2"]);
  });

  it("adds to the line of a product's only colour, which its form does not name, up to the stock", () => {
    const only = cartOf([{ ...line("a", 4), color: "Walnut" }]);
    const added = applyPending(only, form({ intent: "add", id: "a", quantity: "3" }));
    expect([added.itemCount, added.lines[0]?.quantity]).toEqual([5, 5]);
  });

  it("makes no line of another colour larger", () => {
    const colors = ["Red", "Blue"].map((name) => ({ name, swatch: null, picture: null, image: null }));
    const red = { ...line("a", 1), color: "Red", choices: { label: "Colour", colors, hasEngraving: false } };
    const added = applyPending(cartOf([red]), form({ intent: "add", id: "a", color: "Blue" }));
    expect([added.itemCount, added.lines[0]?.quantity]).toEqual([2, 1]);
  });

  it("counts a new product at once", () => {
    expect(applyPending(cart, form({ intent: "add", id: "c", quantity: "2" })).itemCount).toBe(5);
  });

  it("limits a step to the stock and removes the line at 0", () => {
    expect(quantities({ intent: "set", id: "b", quantity: "2", step: "1" })).toEqual(["a1", "b3"]);
    expect(quantities({ intent: "set", id: "b", quantity: "99" })).toEqual(["a1", "b5"]);
    expect(quantities({ intent: "set", id: "a", quantity: "1", step: "-1" })).toEqual(["b2"]);
  });

  it("recomputes total and count on removing and clearing", () => {
    expect(applyPending(cart, form({ intent: "remove", id: "b" }))).toMatchObject({
      itemCount: 1,
      totalCents: 1050,
    });
    expect(applyPending(cart, form({ intent: "clear" }))).toMatchObject({
      itemCount: 0,
      totalCents: 0,
      lines: [],
    });
  });
});

describe("the message to the seller", () => {
  it("lists items with quantity and price, and the total", () => {
    expect(cartMessage(cartTotals([line("a", 1), line("b", 2), line("gone", 0, 0)]))).toBe(
      "I'm interested in buying:\n1 × Product a, $10.50\n2 × Product b, $21.00\nTotal: $31.50",
    );
  });

  it("is encoded in a link, whatever the names", () => {
    const odd = { ...line("a", 1), name: 'Bag & "Co" #1' };
    expect(smsUrl(cartTotals([odd]), "+15550100")).toMatch(/^sms:\+15550100\?&body=[^&#"\s]*$/);
  });
});
