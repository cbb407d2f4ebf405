import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { addProduct } from "../support/shop";
import { visitor } from "../support/visitor";

it("keeps a Buy Now beside the cart, which only the next cart replaces, and when each was asked for", async () => {
  const [lamp, mug, vase] = [
    await addProduct({ name: "Cart lamp" }),
    await addProduct({ name: "Cart mug" }),
    await addProduct({ name: "Lone vase" }),
  ];
  const shopper = visitor();
  for (const id of [lamp, mug]) await shopper.send({ intent: "add", id });
  const chatId = (await shopper.send({ intent: "chat" })).to?.replace("/chat/", "") ?? "";
  await shopper.send({ intent: "product", id: vase, quantity: "2" }, "/chat/submit");
  const linesOfRoom = async () => {
    const lines = await env.CHAT_ROOM.getByName(chatId).lines();
    const now = Math.floor(Date.now() / 1000);
    for (const { requestedAt = 0 } of lines) expect(now - requestedAt).toBeLessThan(60);
    return lines.map(({ productId, inCart }) => [productId, inCart]);
  };
  expect(await linesOfRoom()).toEqual([
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
  expect(await linesOfRoom()).toEqual([
    [lamp, true],
    [vase, false],
  ]);
});
