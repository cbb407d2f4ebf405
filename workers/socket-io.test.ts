import { describe, expect, it } from "vitest";
import { beginChat, say, staffToken } from "../tests/support/chat";
import { type Connection, connect } from "../tests/support/live";

const STOCK = "?EIO=4&transport=websocket";

/** A stock client's raw frames, after the handshake. */
async function stock(headers: Record<string, string> = {}): Promise<Connection> {
  const line = await connect(STOCK, headers);
  line.socket.send("40");
  await line.until((frame) => frame.startsWith("40"));
  return line;
}

const events = (line: Connection) =>
  line.frames
    .filter((frame) => frame.startsWith("42"))
    .map((frame) => JSON.parse(frame.slice(2)) as unknown[]);

describe("the framing of Engine.IO 4 and Socket.IO", () => {
  it("opens with a handshake, connects the main namespace and refuses others", async () => {
    const line = await connect(STOCK);
    const open = await line.until((frame) => frame.startsWith("0"));
    expect(JSON.parse(open.slice(1))).toMatchObject({
      upgrades: [],
      pingInterval: 25_000,
      pingTimeout: 20_000,
    });
    line.socket.send("40/admin,");
    expect(await line.until((frame) => frame.startsWith("44/admin,"))).toContain("Invalid namespace");
    line.socket.send("40");
    expect(await line.until((frame) => frame.startsWith("40{"))).toMatch(/^40\{"sid":"[\w-]+"\}$/);
  });

  it("answers acks, both for what was done and what was refused", async () => {
    const { chatId, cookie } = await beginChat({});
    const line = await stock({ Cookie: cookie });
    line.socket.send(`421["join-chat","${chatId}"]`);
    expect(await line.until((frame) => frame.startsWith("431"))).toBe('431[{"ok":true}]');
    line.socket.send('422["join-chat","guessed"]');
    expect(await line.until((frame) => frame.startsWith("432"))).toContain('"ok":false');
    line.socket.send('423["join-admin"]');
    expect(await line.until((frame) => frame.startsWith("433"))).toContain("permission");
    expect(events(line).map(([event]) => event)).toEqual(["error", "error"]);
  });

  it.each([
    "4",
    "42",
    "42{",
    '42["join-chat"',
    '451-["x",{"_placeholder":true,"num":0}]',
    "9",
    "x",
    "41",
    "1",
  ])("ends on %j", async (frame) => {
    const line = await stock();
    line.socket.send(frame);
    expect(await line.closed).toBeGreaterThan(999);
  });

  it("ends on events before CONNECT, on binary and on frames over 16 kB", async () => {
    const early = await connect(STOCK);
    early.socket.send('42["join-admin"]');
    const binary = await stock();
    binary.socket.send(new Uint8Array([4, 2]));
    const big = await stock();
    big.socket.send(`42["typing","${"x".repeat(16 * 1024)}"]`);
    expect(await big.closed).toBe(1009);
    expect(await Promise.all([early.closed, binary.closed])).toEqual([1000, 1008]);
  });

  it("refuses unknown events and forged ones without ending", async () => {
    const line = await stock();
    for (const event of ["nonsense", "new-message", "__proto__"])
      line.socket.send(`42["${event}",{"seq":1}]`);
    line.socket.send('42["typing",{"chatId":"guessed","senderName":"x"}]');
    await line.until(() => events(line).length === 4);
    expect(events(line).every(([event]) => event === "error")).toBe(true);
  });
});

describe("rooms of a stock socket", () => {
  it("joins several, hears each once with what it missed, and the status once", async () => {
    const token = await staffToken();
    const [one, two] = [await beginChat({ initialMessage: "One" }), await beginChat({})];
    const line = await stock({ Authorization: `Bearer ${token}` });
    line.socket.send(`421["join-chat","${one.chatId}",1]`);
    line.socket.send(`422["join-chat",{"chatId":"${two.chatId}"}]`);
    line.socket.send('423["join-admin"]');
    await line.until((frame) => frame.startsWith("433"));
    await say(two.chatId, "Two", two);
    await line.until((frame) => frame.includes("new-user-message"));
    await line.until((frame) => frame.includes('"Two"') && frame.includes('["new-message"'));
    line.socket.send('424["chat-status-change",{"isOnline":true}]');
    await line.until((frame) => frame.includes("chat-status-change"));
    line.socket.send('425["leave-admin"]');
    await line.until((frame) => frame.startsWith("435"));
    await say(two.chatId, "Three", two);
    await line.until((frame) => frame.includes('"Three"'));
    expect(
      events(line)
        .map(([event]) => event)
        .toSorted(),
    ).toEqual(["chat-status-change", "new-message", "new-message", "new-message", "new-user-message"]);
  });
});
