import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { addProduct } from "../support/shop";
import { visitor } from "../support/visitor";

it("Buy Now joins the cart that was asked for, which only the next cart replaces", async () => {
  const [lamp, mug, vase] = [
    await addProduct({ name: "Cart lamp" }),
    await addProduct({ name: "Cart mug" }),
    await addProduct({ name: "Lone vase" }),
  ];
  const shopper = visitor();
  for (const id of [lamp, mug]) await shopper.send({ intent: "add", id });
  const chatId = (await shopper.send({ intent: "chat" })).to?.replace("/chat/", "") ?? "";
  await shopper.send({ intent: "product", id: vase, quantity: "2" }, "/chat/submit");
  const asked = async () =>
    (await env.CHAT_ROOM.getByName(chatId).lines()).map(({ productId, inCart }) => [productId, inCart]);
  expect(await asked()).toEqual([
    [vase, false],
    [lamp, true],
    [mug, true],
  ]);
  const page = (await shopper.page(`/chat/${chatId}`)).replaceAll("<!-- -->", "");
  expect(page).toContain(`href="/products/${lamp}"`);
  expect(page.split("chat-cart-snapshot")[1]).toContain("Cart mug");
  expect(page.split("chat-total")[0]?.split("chat-cart-snapshot")[1]).not.toContain("Lone vase");
  await shopper.send({ intent: "remove", id: mug });
  await shopper.send({ intent: "chat" });
  expect(await asked()).toEqual([
    [lamp, true],
    [vase, false],
  ]);
});
