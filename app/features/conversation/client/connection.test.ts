import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CLOSED } from "~/features/chat/limits";
import { type ConnectionState, connect, retryConnections } from "./connection";

let attempts: FakeSocket[] = [];
let isReachable = true;

/** Socket that opens, or fails, as soon as it is created. */
class FakeSocket extends EventTarget {
  readyState = 0;
  send = vi.fn();
  constructor() {
    super();
    attempts.push(this);
    setTimeout(() => (isReachable ? this.open() : this.close(1006)));
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  close(code = 1000) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason: "" }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location: { origin: "http://localhost" } }));
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  attempts = [];
  isReachable = true;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens a connection and counts the attempts after an action. */
async function opened() {
  const states: ConnectionState[] = [];
  const onStateChange = (state: ConnectionState) => states.push(state);
  const connection = connect({ query: () => "", onEvent: vi.fn(), onStateChange });
  await vi.advanceTimersByTimeAsync(10);
  const attemptsAfter = async (act: () => unknown) => {
    const before = attempts.length;
    act();
    await vi.advanceTimersByTimeAsync(10);
    return attempts.length - before;
  };
  return { connection, attemptsAfter, state: () => states.at(-1) };
}

/** Opens a connection and loses it. */
async function lost() {
  const live = await opened();
  isReachable = false;
  attempts.at(-1)?.close(1006);
  await vi.advanceTimersByTimeAsync(6000);
  expect(live.state()).toBe("disconnected");
  expect(attempts).toHaveLength(6);
  return live;
}

describe("a live connection", () => {
  it("reconnects 5 times, then with one attempt at each ping until one succeeds", async () => {
    const { connection, state } = await lost();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(attempts).toHaveLength(8);
    expect(state()).toBe("disconnected");
    isReachable = true;
    await vi.advanceTimersByTimeAsync(25_000);
    expect(attempts).toHaveLength(9);
    expect(state()).toBe("connected");
    // The next loss has 5 attempts of its own again.
    isReachable = false;
    attempts.at(-1)?.close(1006);
    await vi.advanceTimersByTimeAsync(6000);
    expect(attempts).toHaveLength(14);
    connection.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts).toHaveLength(14);
  });

  it.each([
    ["the page has the focus", () => window.dispatchEvent(new Event("focus"))],
    ["the page becomes visible", () => document.dispatchEvent(new Event("visibilitychange"))],
    ["a page was loaded or a message was sent", retryConnections],
    ["the browser is online", () => window.dispatchEvent(new Event("online"))],
  ])("comes back when %s", async (_, act) => {
    const { connection, attemptsAfter, state } = await lost();
    isReachable = true;
    expect(await attemptsAfter(act)).toBe(1);
    expect(state()).toBe("connected");
    expect(await attemptsAfter(() => window.dispatchEvent(new Event("focus")))).toBe(0);
    connection.close();
  });

  it("comes back with another connection of the page", async () => {
    const one = await lost();
    isReachable = true;
    const other = await opened();
    await vi.advanceTimersByTimeAsync(10);
    expect(one.state()).toBe("connected");
    for (const { connection } of [one, other]) connection.close();
  });

  it("stays closed when the server has ended it", async () => {
    const { connection, attemptsAfter, state } = await opened();
    attempts.at(-1)?.close(CLOSED.tooMany);
    expect(state()).toBe("disconnected");
    expect(await attemptsAfter(retryConnections)).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts).toHaveLength(1);
    connection.close();
  });
});
