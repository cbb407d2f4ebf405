import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { beginChat, say, staffToken } from "../tests/support/chat";
import { type Connection, connect } from "../tests/support/live";

const REPLACED = 4409;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const from = (address: string) => ({ "CF-Connecting-IP": address });

async function open(count: number, query: string, headers: Record<string, string>): Promise<Connection[]> {
  const lines: Connection[] = [];
  for (let i = 0; i < count; i++) lines.push(await connect(query, headers));
  return lines;
}

/** Which of these were closed, once the first `count` have been; with what code. */
async function closedOf(lines: Connection[], count: number): Promise<number[]> {
  const codes = await Promise.all(lines.slice(0, count).map(({ closed }) => closed));
  for (const line of lines.slice(count)) {
    line.socket.send("ping");
    await line.until((frame) => frame === "pong" || frame === "2");
  }
  return codes;
}

describe("open connections", () => {
  it("of a visitor in a chat are 8: the oldest is closed for good, also after the object slept", async () => {
    const { chatId, cookie } = await beginChat({});
    const lines = await open(8, `?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.1") });
    lines.push(await connect(`?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.2") }));
    expect(await closedOf(lines, 1)).toEqual([REPLACED]);
    await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
    lines.push(await connect(`?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.2") }));
    expect(await closedOf(lines, 2)).toEqual([REPLACED, REPLACED]);
  });

  it("of a seller are 8 in a chat and 8 in the admin room, and none of another seller's", async () => {
    const [one, other] = [await staffToken(), await staffToken()];
    const { chatId, cookie } = await beginChat({});
    for (const query of ["?room=admin", `?chat=${chatId}`]) {
      const others = await connect(query, bearer(other));
      const lines = await open(9, query, bearer(one));
      expect(await closedOf([...lines, others], 1)).toEqual([REPLACED]);
    }
    const visitor = await connect(`?chat=${chatId}`, { Cookie: cookie });
    await say(chatId, "Hello", { cookie });
    await visitor.event("new-message");
  });

  it("of an address are 20, whatever they are for; of one IPv6 network too", async () => {
    for (const addresses of [["203.0.113.3"], ["2001:db8:1:2::a", "2001:db8:1:2:ffff::b"]]) {
      const lines: Connection[] = [];
      for (let i = 0; i < 24; i++) {
        const headers = from(addresses[i % addresses.length] ?? "");
        if (i % 3 > 0) lines.push(await connect("", headers));
        else {
          const { chatId, cookie } = await beginChat({});
          lines.push(await connect(`?chat=${chatId}`, { Cookie: cookie, ...headers }));
        }
      }
      const others = await connect("", from("203.0.113.4"));
      expect(await closedOf([...lines, others], 4)).toEqual([REPLACED, REPLACED, REPLACED, REPLACED]);
    }
  });

  it("that have closed count no more, and an address without any leaves nothing stored", async () => {
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

  it("of staff don't count for their address: a visitor beside them can't close the console", async () => {
    const staff = await connect("?room=admin", { ...bearer(await staffToken()), ...from("203.0.113.6") });
    const lines = await open(21, "", from("203.0.113.6"));
    expect(await closedOf([...lines, staff], 1)).toEqual([REPLACED]);
  });
});

describe("stock Socket.IO connections", () => {
  const STOCK = "?EIO=4&transport=websocket";

  it("count for their address before they say anything, and are told to stay away", async () => {
    const silent = await connect(STOCK, from("203.0.113.7"));
    const connected = await connect(STOCK, from("203.0.113.7"));
    connected.socket.send("40");
    await connected.until((frame) => frame.startsWith("40"));
    await open(20, "", from("203.0.113.7"));
    await silent.closed;
    await connected.closed;
    expect(connected.frames.at(-1)).toBe("41");
  });

  it("count in a chat as the visitor's others do", async () => {
    const { chatId, cookie } = await beginChat({});
    const headers = { Cookie: cookie, ...from("203.0.113.8") };
    const stock = await connect(STOCK, headers);
    stock.socket.send("40");
    stock.socket.send(`421["join-chat","${chatId}"]`);
    await stock.until((frame) => frame.startsWith("431"));
    await open(8, `?chat=${chatId}`, headers);
    await stock.closed;
    expect(stock.frames.at(-1)).toBe("41");
  });
});

describe("live events", () => {
  const flood = async (lines: Connection[], chatId: string, each: number) => {
    const open = lines.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
    for (let i = 0; i < each; i++)
      for (const line of open) line.say("typing", { chatId, senderName: "Ines" });
    for (const line of open) {
      line.socket.send("ping");
      await Promise.race([line.closed, line.until((frame) => frame === "pong")]);
    }
  };
  const typed = (line: Connection) => line.heard().filter(({ event }) => event === "user-typing").length;

  it("are counted per person: 20 connections send a seller 100 events in 10 seconds", async () => {
    const { chatId, cookie } = await beginChat({});
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    const lines = await open(20, `?chat=${chatId}`, { Cookie: cookie, ...from("203.0.113.9") });
    await flood(lines, chatId, 5);
    await evictDurableObject(env.CHAT_ROOM.getByName(chatId));
    await flood(lines.slice(-8), chatId, 12);
    await say(chatId, "End", { cookie });
    await seller.event("new-message", ({ message }) => message === "End");
    expect(typed(seller)).toBeLessThanOrEqual(100);
    expect(typed(seller)).toBeGreaterThan(0);
  });

  it("that a closed connection sent still count", async () => {
    const { chatId, cookie } = await beginChat({});
    const seller = await connect(`?chat=${chatId}`, bearer(await staffToken()));
    for (let i = 0; i < 4; i++) {
      const line = await connect(`?chat=${chatId}`, { Cookie: cookie });
      await flood([line], chatId, 50);
      line.socket.close(1000);
      const visitors = (_: unknown, ctx: DurableObjectState) =>
        ctx.getWebSockets("visitor").filter(({ readyState }) => readyState === WebSocket.OPEN).length;
      await expect.poll(() => runInDurableObject(env.CHAT_ROOM.getByName(chatId), visitors)).toBe(0);
    }
    await say(chatId, "End", { cookie });
    await seller.event("new-message", ({ message }) => message === "End");
    expect(typed(seller)).toBe(100);
  });

  it("of the seller are theirs: a visitor's flood doesn't use them up", async () => {
    const { chatId, cookie } = await beginChat({});
    const [visitor, seller] = [
      await connect(`?chat=${chatId}`, { Cookie: cookie }),
      await connect(`?chat=${chatId}`, bearer(await staffToken())),
    ];
    await flood([visitor], chatId, 150);
    seller.say("typing", { chatId, senderName: "" });
    await visitor.until((frame) => frame.includes('"user-typing"'));
  });
});
