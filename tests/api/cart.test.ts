import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { cartCookie } from "~/session/cookies.server";
import { dataUrl } from "../support/loader-data";
import { addProduct, call, setStock } from "../support/shop";
import { visitor } from "../support/visitor";

let mug: string;
let soldOut: string;
beforeAll(async () => {
  mug = await addProduct({ id: "mug", name: "Mug", priceCents: 1650, stock: 3 });
  soldOut = await addProduct({ id: "sold-out", name: "Sold out", stock: 0 });
});

describe("cart forms", () => {
  it("what has sold out meanwhile leads to the form of those who wait, unless the cart itself holds the rest", async () => {
    const { send, page } = visitor();
    const id = await addProduct({ stock: 2, colors: ["Red", "Blue"] });
    await send({ intent: "add", id, quantity: "2", color: "Red" });
    await send({ intent: "add", id, color: "Blue" });
    expect(await page("/cart")).not.toContain("Tell me when it is back");
    await setStock(id, 0);
    const html = await page("/cart");
    expect(html).toContain(`href="/products/${id}#restock"`);
    expect(await page(`/products/${id}`)).toContain('id="restock"');
  });

  it("adding redirects back with a message", async () => {
    const { post, page, cart } = visitor();
    const answer = await post({ intent: "add", id: mug, redirectTo: "/products/mug" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe("/products/mug");
    expect(await page("/products/mug")).toContain("Mug added to cart!");
    expect(await cart()).toMatchObject({ itemCount: 1, totalCents: 1650 });
  });

  it("the page that a form returns to is encoded for the header", async () => {
    for (const [redirectTo, location] of [
      ["/é", "/%C3%A9"],
      ["/shop?search=thé vert#ß", "/shop?search=th%C3%A9%20vert#%C3%9F"],
      ["/shop?search=%E9%20a", "/shop?search=%E9%20a"],
    ] as const) {
      const { post } = visitor();
      const added = await post({ intent: "add", id: mug, redirectTo });
      expect(added.headers.get("Location")).toBe(location);
      const undone = await post({ intent: "add", id: mug, redirectTo, quietly: "1" });
      expect(undone.headers.get("Location")).toBe(location);
    }
  });

  it("adding from another page has a message without exclamation mark", async () => {
    expect(await visitor().send({ intent: "add", id: mug })).toMatchObject({ toast: "Mug added to cart" });
  });

  it("adding a product again raises its quantity by 1, or by the number of the stepper", async () => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug });
    await send({ intent: "add", id: mug });
    expect((await cart()).lines).toMatchObject([{ id: mug, quantity: 2 }]);
    await send({ intent: "clear" });
    await send({ intent: "add", id: mug, quantity: "2" });
    expect((await cart()).lines).toMatchObject([{ id: mug, quantity: 2 }]);
  });

  it("a request that is sent twice adds once, others of the same product add again", async () => {
    const { send, cart } = visitor();
    const first = { intent: "add", id: mug, request: "lk3x9a0f" };
    await send(first);
    expect(await send(first)).toMatchObject({ status: 200, toast: "Mug added to cart" });
    expect(await cart()).toMatchObject({ itemCount: 1, requests: ["lk3x9a0f"] });
    await send({ ...first, request: "lk3x9a0g" });
    await send({ intent: "set", id: mug, quantity: "3" });
    await send(first);
    expect((await cart()).itemCount).toBe(3);
  });

  it("a request that is sent twice adds once, also after many others", async () => {
    const { send, cart } = visitor();
    const requests = Array.from({ length: 9 }, (_, i) => `lk3x9a0${i}`);
    for (const request of requests) {
      await send({ intent: "add", id: mug, request });
      await send({ intent: "set", id: mug, quantity: "1" });
    }
    await send({ intent: "add", id: mug, request: requests.at(-1) ?? "" });
    expect((await cart()).itemCount).toBe(1);
  });

  it("the code of before reads a cart with the ids of requests", async () => {
    const cookie = await cartCookie(
      [{ id: mug, quantity: 2, color: null, engraving: null }],
      env.COOKIE_SECRET,
      false,
      ["a1b2c3d4"],
    );
    const value = decodeURIComponent(/=([^.]*)/.exec(cookie)?.[1] ?? "");
    // It left out entries whose number is not above 0.
    expect(JSON.parse(atob(value))).toEqual([
      [mug, 2],
      ["", 0, "a1b2c3d4"],
    ]);
  });

  it("limits a quantity to the stock", async () => {
    const { send, cart } = visitor();
    const onlyThree = { toast: { type: "info", message: "Only 3 in stock: 3 in your cart" } };
    expect(await send({ intent: "add", id: mug, quantity: "99" })).toMatchObject(onlyThree);
    expect((await cart()).itemCount).toBe(3);
    await send({ intent: "set", id: mug, quantity: "2" });
    expect(await send({ intent: "add", id: mug, quantity: "2", quietly: "1" })).toMatchObject(onlyThree);
    expect(await send({ intent: "add", id: mug })).toMatchObject({ status: 409 });
    expect(await send({ intent: "set", id: mug, quantity: "99" })).toMatchObject({
      status: 200,
      toast: { type: "info", message: "Only 3 left" },
    });
    expect((await cart()).itemCount).toBe(3);
  });

  it("refuses a quantity of a line whose stock another line takes by now", async () => {
    const { send, cart } = visitor();
    const id = await addProduct({ id: "two-tone", stock: 5, colors: ["Oak", "Walnut"] });
    await send({ intent: "add", id, color: "Oak", quantity: "3" });
    await send({ intent: "add", id, color: "Walnut", quantity: "2" });
    await setStock(id, 3);
    expect(await send({ intent: "set", id, color: "Walnut", quantity: "1" })).toMatchObject({ status: 409 });
    await setStock(id, 5);
    expect((await cart()).lines).toMatchObject([{ quantity: 3 }, { quantity: 2 }]);
  });

  it.each(["0", "-3"])("a quantity of %s removes", async (quantity) => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug });
    expect(await send({ intent: "set", id: mug, quantity })).toMatchObject({
      toast: "Item removed from cart",
    });
    expect((await cart()).lines).toEqual([]);
  });

  it.each(["", " "])("a quantity of '%s' changes nothing", async (quantity) => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug, quantity: "2" });
    expect(await send({ intent: "set", id: mug, quantity })).toMatchObject({ status: 200 });
    expect((await cart()).lines).toMatchObject([{ id: mug, quantity: 2 }]);
  });

  it.each(["", " "])("a step adds to the cart's quantity when the form's is '%s'", async (quantity) => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug, quantity: "2" });
    await send({ intent: "set", id: mug, quantity, step: "-1" });
    expect((await cart()).lines).toMatchObject([{ id: mug, quantity: 1 }]);
  });

  it("a step adds to the quantity of its form", async () => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug });
    await send({ intent: "set", id: mug, quantity: "1", step: "1" });
    expect((await cart()).itemCount).toBe(2);
  });

  it("remove and clear report their result", async () => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug });
    expect(await send({ intent: "remove", id: mug })).toMatchObject({ toast: "Item removed from cart" });
    expect(await send({ intent: "clear" })).toMatchObject({ toast: "Cart cleared" });
    expect(await cart()).toMatchObject({ itemCount: 0, totalCents: 0 });
  });
});

describe("a removed line", () => {
  it.each<Record<string, string>>([{ quantity: "1", step: "1" }, { quantity: "3" }])(
    "does not come back by the quantity of another tab: %j",
    async (fields) => {
      const { send, cart } = visitor();
      await send({ intent: "add", id: mug });
      await send({ intent: "remove", id: mug });
      expect(await send({ intent: "set", id: mug, ...fields })).toMatchObject({
        status: 404,
        failure: "This is no longer in your cart.",
      });
      expect((await cart()).lines).toEqual([]);
    },
  );

  it("is reported with the form that puts it back in its place", async () => {
    const { send, cart } = visitor();
    await send({ intent: "add", id: mug, quantity: "2" });
    const line = { id: mug, color: "", engraving: "", was: "2", at: "0" };
    const fields = { color: "", engraving: "", quantity: "2", at: "0" };
    const undo = { subject: "", action: "/cart", intent: "add", id: mug, fields };
    const toast = { type: "success", message: "Item removed from cart", undo };
    expect(await send({ intent: "remove", ...line })).toMatchObject({ toast });
    expect(await send({ intent: undo.intent, id: undo.id, ...fields, quietly: "1" })).not.toHaveProperty(
      "toast",
    );
    expect((await cart()).lines).toMatchObject([{ id: mug, quantity: 2 }]);
    expect(await send({ intent: "set", ...line, quantity: "0" })).toMatchObject({ toast });
  });

  it("offers Undo on the cart's page without a script, and elsewhere a message", async () => {
    const { post, page, send } = visitor();
    const line = { id: mug, color: "", engraving: "", was: "2", at: "0" };
    for (const [redirectTo, hasUndo] of [
      ["/cart", true],
      ["/terms", false],
    ] as const) {
      await send({ intent: "add", id: mug, quantity: "2" });
      await post({ intent: "remove", ...line, redirectTo });
      const html = await page(redirectTo);
      expect(html).toContain("Item removed from cart");
      expect(html.includes("Undo")).toBe(hasUndo);
    }
  });
});

describe("a cleared cart", () => {
  const restore = { intent: "restore", quietly: "1" };

  it("comes back whole, before what was added since, once", async () => {
    const { send, cart } = visitor();
    const other = await addProduct({ stock: 9 });
    await send({ intent: "add", id: mug, quantity: "2" });
    await send({ intent: "add", id: other, quantity: "1" });
    const undo = { subject: "", action: "/cart", intent: "restore", id: "" };
    expect(await send({ intent: "clear" })).toMatchObject({
      toast: { type: "success", message: "Cart cleared", undo },
    });
    expect(await send({ intent: "clear" })).toMatchObject({ toast: "Cart cleared" });
    await send({ intent: "add", id: other, quantity: "3" });
    for (let times = 0; times < 2; times++) {
      expect(await send(restore)).not.toHaveProperty("toast");
      expect((await cart()).lines).toMatchObject([
        { id: mug, quantity: 2 },
        { id: other, quantity: 4 },
      ]);
    }
  });

  it("offers Undo on the cart's page without a script", async () => {
    const { post, page, send, cart } = visitor();
    await send({ intent: "add", id: mug, quantity: "2" });
    await post({ intent: "clear", redirectTo: "/cart" });
    const html = await page("/cart");
    expect(html).toMatch(/Cart cleared.*name="intent" value="restore".*Undo/s);
    await post({ ...restore, redirectTo: "/cart" });
    expect((await cart()).lines).toMatchObject([{ id: mug, quantity: 2 }]);
  });
});

describe("rejected cart forms", () => {
  it("a product that is out of stock", async () => {
    const refused = await visitor().send({ intent: "add", id: soldOut });
    expect(refused).toMatchObject({ status: 409, failure: "This product is out of stock" });
  });

  it("a product that is out of stock, also from a plain form, in the page's status region", async () => {
    const answer = await visitor().post({ intent: "add", id: soldOut, redirectTo: "/products/sold-out" });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toMatch(/role="status"(?:(?!<\/div>).)*This product is out of stock/s);
  });

  it("an unknown product", async () => {
    expect(await visitor().send({ intent: "add", id: "nope" })).toMatchObject({
      status: 404,
      failure: "Product not found",
    });
  });

  it.each(["1.5", "1e3", "abc", "1000000000", "", "-1", "NaN"])("a quantity of '%s'", async (quantity) => {
    const { send, cart } = visitor();
    const refused = await send({ intent: "add", id: mug, quantity });
    expect(refused.status).toBe(400);
    expect(refused.failure).toMatch(/whole number/);
    expect((await cart()).lines).toEqual([]);
  });

  it("a form without a product, or with one of 10,000 letters", async () => {
    expect((await visitor().send({ intent: "add" })).status).toBe(400);
    expect((await visitor().send({ intent: "add", id: "x".repeat(10_000) })).status).toBe(400);
  });

  it("the 51st line; the cookie of 50 fits the limit of browsers", async () => {
    const { send, post, cart, cookie } = visitor();
    for (let i = 1; i <= 50; i++) {
      await send({ intent: "add", id: await addProduct({ id: `a-product-with-a-long-name-${i}` }) });
    }
    const refused = await send({ intent: "add", id: mug });
    expect(refused).toMatchObject({ status: 409, failure: expect.stringMatching(/50 different items/) });
    expect((await cart()).lines).toHaveLength(50);
    const plain = await post({ intent: "add", id: mug });
    expect(plain.status).toBe(409);
    expect(await plain.text()).toMatch(/role="status"(?:(?!<\/div>).)*50 different items/s);
    expect(cookie().length).toBeLessThan(4096);
  });

  it("a chat about an empty cart", async () => {
    for (const intent of ["chat", "message"]) {
      expect(await visitor().send({ intent })).toMatchObject({ status: 400, failure: "Your cart is empty" });
    }
  });
});

describe("untrusted input", () => {
  it("ignores a redirect to another site", async () => {
    const answer = await visitor().post({ intent: "add", id: mug, redirectTo: "//evil.example" });
    expect(answer.headers.get("Location")).toBe("/cart");
  });

  it("ignores a forged cookie", async () => {
    const { send, cart, tamper } = visitor();
    await send({ intent: "add", id: mug });
    tamper((cookie) => cookie.replace(/emporia_cart=\w{8}/, "emporia_cart=AAAAAAAA"));
    expect((await cart()).lines).toEqual([]);
  });
});

describe("displayed cart", () => {
  it("omits deleted products and limits quantities to the stock", async () => {
    const { send, cart } = visitor();
    const scarce = await addProduct({ id: "scarce", stock: 4 });
    const fleeting = await addProduct({ id: "fleeting" });
    await send({ intent: "add", id: scarce, quantity: "4" });
    await send({ intent: "add", id: fleeting });
    await env.DB.prepare("DELETE FROM products WHERE id = ?").bind(fleeting).run();
    await setStock(scarce, 1);
    expect((await cart()).lines).toMatchObject([{ id: scarce, quantity: 1 }]);
    await setStock(scarce, 0);
    expect(await cart()).toMatchObject({ lines: [{ id: scarce, quantity: 0 }], itemCount: 0, totalCents: 0 });
  });

  it("an empty cart costs no query", async () => {
    const answer = await call(dataUrl("/cart"));
    expect(answer.headers.get("Server-Timing")).toMatch(/0 round trips/);
  });
});
