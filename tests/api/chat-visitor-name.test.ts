import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { startChat } from "../support/chat";

it("a name given once is remembered for the visitor's next chat", async () => {
  const named = await startChat({ initialMessage: "Hello", userName: "Ines" });
  const nameIn = async (json: object) => {
    const { chatId } = await startChat({ initialMessage: "And now?", continue: true, ...json }, named);
    expect(chatId).not.toBe(named.chatId);
    const room = env.CHAT_ROOM.getByName(chatId);
    const history = await room.history(0, "staff");
    await room.update({ state: "closed", by: "Theo" });
    return history?.chat.userName;
  };
  await env.CHAT_ROOM.getByName(named.chatId).update({ state: "closed", by: "Theo" });
  expect(await nameIn({})).toBe("Ines");
  expect(await nameIn({ userName: "Ines C." })).toBe("Ines C.");
});
