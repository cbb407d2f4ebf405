import { describe, expect, it } from "vitest";
import { staffToken, startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe("the page that a visitor has in front of them", () => {
  it("is told to staff in the chat, also to those who come later, until the visitor turns away or leaves", async () => {
    const { chatId, cookie } = await startChat({});
    const token = await staffToken();
    const [seller, visitor, other] = [
      await connect(`?chat=${chatId}`, bearer(token)),
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
    ];
    const pages = () =>
      seller
        .events()
        .filter(({ event }) => event === "visitor-page")
        .map(({ data }) => data.page);
    const turnTo = (page: unknown, visible = true) => visitor.send("join-chat", { chatId, visible, page });
    turnTo("/shop");
    await expect.poll(pages).toEqual(["/shop"]);
    turnTo("/shop");
    turnTo("/products/tea");
    await expect.poll(pages).toEqual(["/shop", "/products/tea"]);
    const late = await connect(`?chat=${chatId}`, bearer(token));
    expect(await late.waitForEvent("visitor-page")).toEqual({ chatId, page: "/products/tea" });
    turnTo("/cart", false);
    await expect.poll(pages).toEqual(["/shop", "/products/tea", null]);
    for (const hostile of [
      "https://elsewhere.example/",
      "//elsewhere.example",
      "/a b",
      `/${"a".repeat(300)}`,
      7,
    ])
      turnTo(hostile);
    turnTo("/");
    await expect.poll(pages).toEqual(["/shop", "/products/tea", null, "/"]);
    visitor.socket.close();
    await expect.poll(pages).toEqual(["/shop", "/products/tea", null, "/", null]);
    expect(other.events().some(({ event }) => event === "visitor-page")).toBe(false);
  });
});
