import { afterEach, describe, expect, it, vi } from "vitest";
import { postMessage, staffToken, startChat } from "../tests/support/chat";
import { connect, type TestConnection } from "../tests/support/live";

const STOCK = "?EIO=4&transport=websocket";

/** Connects a Socket.IO client and completes the handshake. */
async function stock(headers: Record<string, string> = {}): Promise<TestConnection> {
  const line = await connect(STOCK, headers);
  line.socket.send("40");
  await line.waitForFrame((frame) => frame.startsWith("40"));
  return line;
}

const events = (line: TestConnection) =>
  line.frames
    .filter((frame) => frame.startsWith("42"))
    .map((frame) => JSON.parse(frame.slice(2)) as unknown[]);

/** Waits until the shop has read what a client sent: it answers frames in their order. */
async function answered(line: TestConnection): Promise<void> {
  const acknowledged = line.frames.filter((frame) => frame.startsWith("431")).length;
  line.socket.send('421["join-admin"]');
  await line.waitForFrame(() => line.frames.filter((frame) => frame.startsWith("431")).length > acknowledged);
}

describe("the framing of Engine.IO 4 and Socket.IO", () => {
  it("opens with a handshake, connects the main namespace and refuses others", async () => {
    const line = await connect(STOCK);
    const open = await line.waitForFrame((frame) => frame.startsWith("0"));
    expect(JSON.parse(open.slice(1))).toMatchObject({
      upgrades: [],
      pingInterval: 25_000,
      pingTimeout: 20_000,
    });
    line.socket.send("40/admin,");
    expect(await line.waitForFrame((frame) => frame.startsWith("44/admin,"))).toContain("Invalid namespace");
    line.socket.send("40");
    expect(await line.waitForFrame((frame) => frame.startsWith("40{"))).toMatch(/^40\{"sid":"[\w-]+"\}$/);
  });

  it("acknowledges accepted and rejected events", async () => {
    const { chatId, cookie } = await startChat({});
    const line = await stock({ Cookie: cookie });
    line.socket.send(`421["join-chat","${chatId}"]`);
    expect(await line.waitForFrame((frame) => frame.startsWith("431"))).toBe('431[{"ok":true}]');
    line.socket.send('422["join-chat","guessed"]');
    expect(await line.waitForFrame((frame) => frame.startsWith("432"))).toContain('"ok":false');
    line.socket.send('423["join-admin"]');
    expect(await line.waitForFrame((frame) => frame.startsWith("433"))).toContain("permission");
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

  it("rejects unknown and forged events without closing", async () => {
    const line = await stock();
    for (const event of ["nonsense", "new-message", "__proto__"])
      line.socket.send(`42["${event}",{"seq":1}]`);
    line.socket.send('42["typing",{"chatId":"guessed","senderName":"x"}]');
    await line.waitForFrame(() => events(line).length === 4);
    expect(events(line).every(([event]) => event === "error")).toBe(true);
  });
});

describe("the heartbeat of Engine.IO", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("pings every 25 s, and ends the connection of a client that is silent for 20 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const line = await stock();
    for (const pings of [1, 2]) {
      vi.advanceTimersByTime(24_999);
      expect(line.frames.filter((frame) => frame === "2")).toHaveLength(pings - 1);
      vi.advanceTimersByTime(1);
      await line.waitForFrame(() => line.frames.filter((frame) => frame === "2").length === pings);
      line.socket.send("3");
      await answered(line);
    }
    vi.advanceTimersByTime(25_000);
    await line.waitForFrame(() => line.frames.filter((frame) => frame === "2").length === 3);
    vi.advanceTimersByTime(20_000);
    expect(await line.closed).toBe(1000);
  });
});

describe("rooms of a Socket.IO client", () => {
  it("delivers each room's events once with the missed messages, and the status once", async () => {
    const token = await staffToken();
    const [one, two] = [await startChat({ initialMessage: "One" }), await startChat({})];
    const line = await stock({ Authorization: `Bearer ${token}` });
    line.socket.send(`421["join-chat","${one.chatId}",1]`);
    line.socket.send(`422["join-chat",{"chatId":"${two.chatId}"}]`);
    line.socket.send('423["join-admin"]');
    await line.waitForFrame((frame) => frame.startsWith("433"));
    await postMessage(two.chatId, "Two", two);
    await line.waitForFrame((frame) => frame.includes("new-user-message") && frame.includes('"Two"'));
    await line.waitForFrame((frame) => frame.includes('"Two"') && frame.includes('["new-message"'));
    line.socket.send('424["chat-status-change",{"isOnline":true}]');
    await line.waitForFrame((frame) => frame.includes("chat-status-change"));
    line.socket.send('425["leave-admin"]');
    await line.waitForFrame((frame) => frame.startsWith("435"));
    await postMessage(two.chatId, "Three", two);
    await line.waitForFrame((frame) => frame.includes('"Three"'));
    // The rooms may report the first messages to the consoles before or after this one joins them.
    const isFirst = (payload: unknown) => !/"(?:Two|Three)"/.test(JSON.stringify(payload));
    expect(
      events(line)
        .filter(([event, payload]) => event !== "new-user-message" || !isFirst(payload))
        .map(([event]) => event)
        .toSorted(),
    ).toEqual(["chat-status-change", "new-message", "new-message", "new-message", "new-user-message"]);
  });
});
