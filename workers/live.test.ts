import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { postMessage, staffToken, startChat } from "../tests/support/chat";
import { connect, upgrade } from "../tests/support/live";
import { addUser, call, signIn } from "../tests/support/shop";
import { send } from "../tests/support/worker";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe("access to live connections", () => {
  it("refuses an Origin that isn't the shop's own", async () => {
    expect((await upgrade("", { Origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await upgrade("", { Origin: "null" })).status).toBe(403);
    for (const site of ["cross-site", "same-site"])
      expect((await upgrade("", { Origin: "", "Sec-Fetch-Site": site })).status).toBe(403);
    expect((await upgrade("", { Origin: "http://localhost:8787" })).status).toBe(101);
  });

  it("accepts the origin of SHOP_URL behind a proxy with another host name, for API calls too", async () => {
    const asked = (path: string, Origin: string, init: RequestInit = {}) => {
      const headers = { Origin, Cookie: "emporia_theme=dark", ...(init.headers as object) };
      return send(new Request(`http://inside.internal:9000${path}`, { ...init, headers }));
    };
    const socket = { headers: { Upgrade: "websocket" } };
    const begin = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
    const shop = "http://localhost:8787";
    expect((await asked("/socket.io/", shop, socket)).status).toBe(101);
    expect((await asked("/api/chat/create", shop, begin)).status).toBe(201);
    expect((await asked("/socket.io/", "https://elsewhere.example", socket)).status).toBe(403);
    expect((await asked("/api/chat/create", "https://elsewhere.example", begin)).status).toBe(403);
  });

  it("rejects others from a chat, whether it exists or not, and from the admin room", async () => {
    const { chatId } = await startChat({});
    const { cookie } = await startChat({});
    const customer = await addUser();
    const token = await signIn(customer.email, customer.password);
    const strangers: Record<string, string>[] = [{}, { Cookie: cookie }, bearer(token)];
    for (const headers of strangers)
      for (const query of [`?chat=${chatId}`, "?chat=guessed", "?room=admin"])
        expect((await upgrade(query, headers)).status).toBe(403);
  });

  it("answers 404 to staff for a missing chat, and 400 without an upgrade", async () => {
    expect((await upgrade("?chat=guessed", bearer(await staffToken()))).status).toBe(404);
    expect((await call("/socket.io/")).status).toBe(400);
    expect((await upgrade("?EIO=3&transport=websocket")).status).toBe(400);
  });
});

describe("a conversation", () => {
  it("delivers messages to both sides, and the visitor's to the admin room", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({ userName: "Ines" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const seller = await connect(`?chat=${chatId}`, bearer(token));
    const console = await connect("?room=admin", bearer(token));
    const sent = await (await postMessage(chatId, "Is it oak?", { cookie })).json();
    expect(await visitor.waitForEvent("new-message")).toEqual(sent);
    expect(await seller.waitForEvent("new-message")).toEqual(sent);
    expect(await console.waitForEvent("new-user-message")).toMatchObject({
      chatId,
      message: sent as object,
      chat: { id: chatId, userName: "Ines", unreadCount: 1, lastMessage: "Is it oak?" },
    });
    await postMessage(chatId, "It is.", { token });
    expect(
      await visitor.waitForEvent("new-message", ({ isFromAdmin }) => isFromAdmin === true),
    ).toMatchObject({
      message: "It is.",
    });
    expect(await console.waitForEvent("chat-updated")).toMatchObject({
      chatId,
      chat: { id: chatId, lastMessage: "It is." },
    });
    expect(console.events().map(({ event }) => event)).toEqual(["new-user-message", "chat-updated"]);
  });

  it("relays typing to the other side, under the server's name for the sender", async () => {
    const { chatId, cookie } = await startChat({ userName: "Ines" });
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    visitor.send("typing", { chatId, senderName: "Support Team" });
    expect(await seller.waitForEvent("user-typing")).toEqual({
      chatId,
      isTyping: true,
      senderName: "Ines",
      isStaff: false,
    });
    seller.send("stop-typing", { chatId, senderName: "Mallory" });
    expect(await visitor.waitForEvent("user-typing")).toEqual({
      chatId,
      isTyping: false,
      senderName: "Support Team",
      isStaff: true,
    });
    expect(visitor.events()).toHaveLength(1);
  });

  it("rejects events that a visitor may not send, and keeps the connection", async () => {
    const { chatId, cookie } = await startChat({});
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const forged = [
      "chat-status-change",
      "join-admin",
      "new-message",
      "new-user-message",
      "user-typing",
      "nonsense",
    ];
    for (const event of forged) {
      visitor.send(event, { isOnline: false, chatId, message: "x", isFromAdmin: true, seq: 1 });
      await visitor.waitForEvent("error", (data) => data.event === event);
    }
    visitor.send("join-chat", { chatId: "another" });
    await visitor.waitForEvent("error", (data) => data.event === "join-chat");
    expect(visitor.events().every(({ event }) => event === "error")).toBe(true);
    expect(await (await call("/api/chat/settings")).json()).toMatchObject({ isOnline: true });
  });

  it("ends with code 4404 when it is deleted", async () => {
    const { chatId, cookie } = await startChat({});
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    await call(`/api/chat/${chatId}`, { method: "DELETE", token: await staffToken() });
    expect(await visitor.closed).toBe(4404);
    expect((await upgrade(`?chat=${chatId}`, { Cookie: cookie })).status).toBe(404);
  });
});

describe("bad frames", () => {
  it("answers malformed JSON and binary with an error and stays", async () => {
    const lobby = await connect("");
    for (const frame of [
      "{",
      "[]",
      "null",
      '"typing"',
      '{"event":7}',
      '{"event":"typing","data":{"chatId":7}}',
    ])
      lobby.socket.send(frame);
    lobby.socket.send(new Uint8Array([1, 2, 3]));
    await lobby.waitForFrame(() => lobby.frames.length === 7);
    expect(lobby.events().map(({ event }) => event)).toEqual(Array(7).fill("error"));
    lobby.socket.send("ping");
    expect(await lobby.waitForFrame((frame) => frame === "pong")).toBe("pong");
  });

  it("closes with 1009 for a frame over 16 kB, and for one of 1 MB", async () => {
    for (const size of [16 * 1024 + 1, 1024 * 1024]) {
      const lobby = await connect("");
      lobby.socket.send("x".repeat(size));
      expect(await lobby.closed).toBe(1009);
    }
  });

  it("drops events past 100 in 10 seconds and closes on a flood, while POST goes on", async () => {
    const { chatId, cookie } = await startChat({});
    const flooding = await connect(`?chat=${chatId}`, { Cookie: cookie });
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    for (let i = 0; i < 150; i++) flooding.send("typing", { chatId, senderName: "Ines" });
    await flooding.waitForEvent("error", ({ message }) => String(message).startsWith("Too many"));
    expect((await postMessage(chatId, "Still here", { cookie })).status).toBe(201);
    await seller.waitForEvent("new-message");
    expect(seller.events().filter(({ event }) => event === "user-typing")).toHaveLength(100);
    for (let i = 0; i < 1000; i++) flooding.send("typing", { chatId, senderName: "Ines" });
    expect(await flooding.closed).toBe(1008);
  });
});

describe("chat-status-change", () => {
  it("reaches lobbies, rooms and consoles when staff change it, by API or live", async () => {
    const token = await staffToken();
    const { chatId, cookie } = await startChat({});
    const lines = [
      await connect(""),
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
      await connect("?room=admin", bearer(token)),
    ];
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: false }, token });
    const isOff = ({ isOnline }: Record<string, unknown>) => isOnline === false;
    for (const line of lines) await line.waitForEvent("chat-status-change", isOff);
    lines[2]?.send("leave-admin");
    lines[2]?.send("chat-status-change", { isOnline: true });
    for (const line of lines)
      await line.waitForEvent("chat-status-change", ({ isOnline }) => isOnline === true);
    expect(await (await call("/api/chat/settings")).json()).toMatchObject({ isOnline: true });
  });
});

describe("a session that ends", () => {
  it("closes its connections: sign-out, deactivation", async () => {
    const { chatId } = await startChat({});
    const staff = await addUser({ isManager: true });
    const token = await signIn(staff.email, staff.password);
    const console = await connect("?room=admin", bearer(token));
    const seller = await connect(`?chat=${chatId}`, bearer(token));
    await call("/api/auth/logout", { method: "POST", token });
    expect(await Promise.all([console.closed, seller.closed])).toEqual([4401, 4401]);

    const again = await connect(`?chat=${chatId}`, bearer(await signIn(staff.email, staff.password)));
    const admin = await staffToken("isAdmin");
    await call(`/api/user/${staff.id}`, { method: "PUT", json: { isUser: false }, token: admin });
    expect(await again.closed).toBe(4401);
  });

  it.each([
    ["a new password", { password: "Password2!", confirmPassword: "Password2!" }],
    ["the loss of the role", { isManager: false }],
  ])("closes its connections: %s by an admin", async (_, json) => {
    const { chatId } = await startChat({});
    const staff = await addUser({ isManager: true });
    const token = await signIn(staff.email, staff.password);
    const lines = [];
    for (const query of ["?room=admin", `?chat=${chatId}`, ""])
      lines.push(await connect(query, bearer(token)));
    const admin = await staffToken("isAdmin");
    expect((await call(`/api/user/${staff.id}`, { method: "PUT", json, token: admin })).status).toBe(200);
    expect(await Promise.all(lines.map(({ closed }) => closed))).toEqual([4401, 4401, 4401]);
    expect((await upgrade("?room=admin", bearer(token))).status).toBe(403);
  });

  it("closes a customer's connections to their own chat, not those of anonymous visitors", async () => {
    const { email, password, id } = await addUser();
    const token = await signIn(email, password);
    const { chatId, cookie } = await startChat({}, { token });
    const anonymous = await startChat({});
    const byAccount = await connect(`?chat=${chatId}`, bearer(token));
    const byCookie = await connect(`?chat=${chatId}`, { Cookie: cookie, ...bearer(token) });
    const byVisitor = await connect(`?chat=${anonymous.chatId}`, { Cookie: anonymous.cookie });
    await call("/api/auth/logout", { method: "POST", token });
    expect(await Promise.all([byAccount.closed, byCookie.closed])).toEqual([4401, 4401]);
    await postMessage(anonymous.chatId, "Still here", anonymous);
    await byVisitor.waitForEvent("new-message");
    const later = await connect(`?chat=${chatId}`, bearer(await signIn(email, password)));
    await env.DB.prepare("UPDATE sessions SET expires_at = 1 WHERE user_id = ?").bind(id).run();
    await env.CHAT_ROOM.getByName(chatId).closeEndedSessions();
    expect(await later.closed).toBe(4401);
  });

  it("closes its connections on the next message when the report of its end was lost", async () => {
    const staff = await addUser({ isManager: true });
    const { chatId, cookie } = await startChat({});
    const seller = await connect(`?chat=${chatId}`, bearer(await signIn(staff.email, staff.password)));
    await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(staff.id).run();
    await postMessage(chatId, "Anyone?", { cookie });
    expect(await seller.closed).toBe(4401);
  });
});
