import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { rowWritten, staffToken, startChat } from "../tests/support/chat";
import { call } from "../tests/support/shop";

// Found by the simulation: seed 2, history 41.
it("lists a chat that its start, sent again, opens after its deletion", async () => {
  const fields = { userName: "Ines", initialMessage: "Hello", key: "0b1e9a52c4d84f6fa3b7e2d15c8f6a90" };
  const { chatId } = await startChat(fields);
  await call(`/api/chat/${chatId}`, { method: "DELETE", token: await staffToken() });

  expect((await startChat(fields)).chatId).toBe(chatId);

  await rowWritten(chatId);
  const row = await env.DB.prepare("SELECT last_message FROM chats WHERE id = ?").bind(chatId).first();
  expect(row).toEqual({ last_message: "Hello" });
});
