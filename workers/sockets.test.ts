import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { postMessage, staffToken, startChat } from "../tests/support/chat";
import { connect, type TestConnection } from "../tests/support/live";
import { afterCatchUp, countEvent } from "./limits";

const REPLACED = 4409;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const from = (address: string) => ({ "CF-Connecting-IP": address });

async function open(
  count: number,
  query: string,
  headers: Record<string, string>,
): Promise<TestConnection[]> {
  const lines: TestConnection[] = [];
  for (let i = 0; i < count; i++) lines.push(await connect(query, headers));
  return lines;
}

/** Waits until the first `count` connections are closed, and returns their close codes. */
async function closedOf(lines: TestConnection[], count: number): Promise<number[]> {
  const codes = await Promise.all(lines.slice(0, count).map(({ closed }) => closed));
  for (const line of lines.slice(count)) {
    line.socket.send("ping");
    await line.waitForFrame((frame) => frame === "pong" || frame === "2");
  }
  return codes;
}

describe("open connections", () => {
  it("are limited to 8 for a visitor in a chat: the oldest is closed, also after hibernation", async () => {
    const { chatId, cookie } = await startChat({});
    const lines = await open(8, `?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.1") });
    lines.push(await connect(`?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.2") }));
    expect(await closedOf(lines, 1)).toEqual([REPLACED]);
    await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
    lines.push(await connect(`?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.2") }));
    expect(await closedOf(lines, 2)).toEqual([REPLACED, REPLACED]);
  });

  it("are limited to 8 for a seller in a chat and in the admin room, apart from other sellers", async () => {
    const [one, other] = [await staffToken(), await staffToken()];
    const { chatId, cookie } = await startChat({});
    for (const query of ["?room=admin", `?chat=${chatId}`]) {
      const others = await connect(query, bearer(other));
      const lines = await open(9, query, bearer(one));
      expect(await closedOf([...lines, others], 1)).toEqual([REPLACED]);
    }
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    await postMessage(chatId, "Hello", { cookie });
    await visitor.waitForEvent("new-message");
  });

  it("are limited to 20 for an address in all rooms, and for an IPv6 network", async () => {
    for (const addresses of [["203.0.113.3"], ["2001:db8:1:2::a", "2001:db8:1:2:ffff::b"]]) {
      const lines: TestConnection[] = [];
      for (let i = 0; i < 24; i++) {
        const headers = from(addresses[i % addresses.length] ?? "");
        if (i % 3 > 0) lines.push(await connect("", headers));
        else {
          const { chatId, cookie } = await startChat({});
          lines.push(await connect(`?chat=${chatId}`, { Cookie: cookie, ...headers }));
        }
      }
      const others = await connect("", from("203.0.113.4"));
      expect(await closedOf([...lines, others], 4)).toEqual([REPLACED, REPLACED, REPLACED, REPLACED]);
    }
  });

  it("do not count once closed, and an address without any stores nothing", async () => {
    const address = "203.0.113.5";
    const registry = env.ADDRESS_CONNECTIONS.getByName(address);
    const query = (sql: string) =>
      runInDurableObject(registry, (_, { storage }) => storage.sql.exec(sql).toArray());
    const first = await connect("", from(address));
    for (const line of await open(19, "", from(address))) line.socket.close(1000);
    await expect.poll(() => query("SELECT count(*) AS open FROM connections")).toEqual([{ open: 1 }]);
    const lines = [first, ...(await open(19, "", from(address)))];
    expect(await closedOf(lines, 0)).toEqual([]);
    for (const line of lines) line.socket.close(1000);
    await expect.poll(() => query("SELECT name FROM sqlite_master WHERE name = 'connections'")).toEqual([]);
  });

  it("of staff do not count for their address", async () => {
    const staff = await connect("?room=admin", { ...bearer(await staffToken()), ...from("203.0.113.6") });
    const lines = await open(21, "", from("203.0.113.6"));
    expect(await closedOf([...lines, staff], 1)).toEqual([REPLACED]);
  });

  // The runtime would answer after 12 s.
  it("have their Close frame answered, for which a browser waits", { timeout: 9_000 }, async () => {
    const { chatId, cookie } = await startChat({});
    const connections = await Promise.all([
      connect(""),
      connect(`?chat=${chatId}`, { Cookie: cookie }),
      connect("?room=admin", bearer(await staffToken())),
    ]);
    for (const { socket } of connections) socket.close(1000);
    await Promise.all(connections.map(({ closed }) => closed));
    expect(connections.map(({ socket }) => socket.readyState)).toEqual([3, 3, 3]);
  });
});

describe("Socket.IO connections", () => {
  const STOCK = "?EIO=4&transport=websocket";

  it("count for their address before CONNECT, and are disconnected without a reconnect", async () => {
    const silent = await connect(STOCK, from("203.0.113.7"));
    const connected = await connect(STOCK, from("203.0.113.7"));
    connected.socket.send("40");
    await connected.waitForFrame((frame) => frame.startsWith("40"));
    await open(20, "", from("203.0.113.7"));
    await silent.closed;
    await connected.closed;
    expect(connected.frames.at(-1)).toBe("41");
  });

  it("count among the visitor's connections to a chat", async () => {
    const { chatId, cookie } = await startChat({});
    const headers = { Cookie: cookie, ...from("203.0.113.8") };
    const stock = await connect(STOCK, headers);
    stock.socket.send("40");
    stock.socket.send(`421["join-chat","${chatId}"]`);
    await stock.waitForFrame((frame) => frame.startsWith("431"));
    await open(8, `?chat=${chatId}`, headers);
    await stock.closed;
    expect(stock.frames.at(-1)).toBe("41");
  });
});

describe("live events", () => {
  const flood = async (lines: TestConnection[], chatId: string, each: number) => {
    const open = lines.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
    for (let i = 0; i < each; i++)
      for (const line of open) line.send("typing", { chatId, senderName: "Ines" });
    for (const line of open) {
      line.socket.send("ping");
      await Promise.race([line.closed, line.waitForFrame((frame) => frame === "pong")]);
    }
  };
  const typed = (line: TestConnection) => line.events().filter(({ event }) => event === "user-typing").length;

  it("are counted per client: 20 connections relay 100 events in 10 seconds", async () => {
    const { chatId, cookie } = await startChat({});
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    const lines = await open(20, `?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.9") });
    await flood(lines, chatId, 5);
    await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
    await flood(lines.slice(-8), chatId, 12);
    await postMessage(chatId, "End", { cookie });
    await seller.waitForEvent("new-message", ({ message }) => message === "End");
    expect(typed(seller)).toBeLessThanOrEqual(100);
    expect(typed(seller)).toBeGreaterThan(0);
  });

  it("count after their connection has closed", async () => {
    const { chatId, cookie } = await startChat({});
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    for (let i = 0; i < 4; i++) {
      const line = await connect(`?chat=${chatId}`, { Cookie: cookie });
      await flood([line], chatId, 50);
      line.socket.close(1000);
      const visitors = (_: unknown, ctx: DurableObjectState) =>
        ctx.getWebSockets("visitor").filter(({ readyState }) => readyState === WebSocket.OPEN).length;
      await expect.poll(() => runInDurableObject(env.CHAT_ROOM.getByName(chatId), visitors)).toBe(0);
    }
    await postMessage(chatId, "End", { cookie });
    await seller.waitForEvent("new-message", ({ message }) => message === "End");
    // 100, and more where the machine takes longer than the ten seconds of a limit.
    expect(typed(seller)).toBeLessThan(200);
    expect(typed(seller)).toBeGreaterThanOrEqual(100);
  });

  it("of the seller are counted apart from a visitor's flood", async () => {
    const { chatId, cookie } = await startChat({});
    const [visitor, seller] = [
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
      await connect(`?chat=${chatId}`, bearer(await staffToken())),
    ];
    await flood([visitor], chatId, 150);
    seller.send("typing", { chatId, senderName: "" });
    await visitor.waitForFrame((frame) => frame.includes('"user-typing"'));
  });
});

it("a catch-up does not take back the events of a connection that floods", () => {
  let count = { since: Date.now(), events: 0 };
  const send = (events: number) => {
    let verdict = "";
    for (let i = 0; i < events; i++) ({ count, verdict } = countEvent(count, env, count.since));
    return verdict;
  };
  while (send(1) !== "drop");
  count = afterCatchUp(count, env);
  expect(send(1)).toBe("drop");
});
