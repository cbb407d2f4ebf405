import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { postMessage, startChat } from "../support/chat";
import { manager } from "../support/people";
import { addProduct, addUser, call, openSession } from "../support/shop";

/** Reads that are sent beside the user's, by the account of a session. */
const READS = ["/api/favourite", "/api/chat/mine", "/chat/latest", "/favourites", "/chat"];

let [token, chatId] = ["", ""];
const read = async (path: string) => (await call(path, { token })).text();

beforeAll(async () => {
  const { id } = await addUser();
  token = await openSession(id);
  await addProduct({ id: "lamp", name: "A lamp of walnut" });
  await call("/api/favourite/lamp", { method: "PUT", token });
  ({ chatId } = await startChat({ initialMessage: "Is it for two?" }, { token }));
  await postMessage(chatId, "It is.", { token: (await manager()).token });
});

describe.each([
  ["has ended", "UPDATE sessions SET expires_at = unixepoch() - 1"],
  ["is of a deactivated account", "UPDATE users SET is_user = 0"],
])("a session that %s", (_, end) => {
  it("reads neither favourites nor conversations of its account", async () => {
    await expect.poll(() => read("/chat")).toContain("It is.");
    const before = await Promise.all(READS.map(read));
    for (const [i, text] of before.entries()) expect(text, READS[i]).toMatch(/lamp|It is\.|chatId":"/);
    expect((await call(`/chat/${chatId}`, { token })).status).toBe(200);
    await env.DB.exec(end);
    for (const path of READS) expect(await read(path), path).not.toMatch(/walnut|It is\./);
    expect(await read("/chat/latest")).not.toContain(chatId);
    expect(await read(`/chat/${chatId}`)).not.toContain("It is.");
    expect((await call(`/api/chat/${chatId}/messages`, { token })).status).toBe(403);
    await env.DB.exec("UPDATE sessions SET expires_at = unixepoch() + 3600; UPDATE users SET is_user = 1");
  });
});
