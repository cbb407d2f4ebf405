import { send } from "./worker";

const ORIGIN = "http://localhost:8787";

/** Live event received by a test. */
export interface LiveEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Live connection with JSON frames, or the raw frames of a Socket.IO connection. */
export interface TestConnection {
  socket: WebSocket;
  /** Received text frames in order. */
  frames: string[];
  /** Received events in order. */
  events: () => LiveEvent[];
  send: (event: string, data?: unknown) => void;
  waitForFrame: (is: (frame: string) => boolean) => Promise<string>;
  /** Waits for an event and returns its data. */
  waitForEvent: (
    name: string,
    is?: (data: Record<string, unknown>) => boolean,
  ) => Promise<Record<string, unknown>>;
  /** Resolves to the close code. */
  closed: Promise<number>;
}

/** Requests the upgrade to a live connection. */
export function upgrade(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return send(new Request(`${ORIGIN}/socket.io/${query}`, { headers: { Upgrade: "websocket", ...headers } }));
}

/**
 * Opens a live connection.
 *
 * @param query such as "?chat={id}"
 */
export async function connect(query: string, headers: Record<string, string> = {}): Promise<TestConnection> {
  const answer = await upgrade(query, headers);
  const socket = answer.webSocket;
  if (!socket) throw new Error(`No connection: ${answer.status} ${await answer.text()}`);
  const frames: string[] = [];
  const waiters = new Set<() => void>();
  socket.addEventListener("message", ({ data }) => {
    frames.push(String(data));
    for (const check of waiters) check();
  });
  const closed = new Promise<number>((done) => socket.addEventListener("close", ({ code }) => done(code)));
  socket.accept();
  const waitForFrame = (is: (frame: string) => boolean) =>
    new Promise<string>((done, failed) => {
      const timeout = setTimeout(
        () => failed(new Error(`The frame did not arrive; received: ${frames.join("\n")}`)),
        20_000,
      );
      const check = () => {
        const found = frames.find(is);
        if (found === undefined) return;
        clearTimeout(timeout);
        waiters.delete(check);
        done(found);
      };
      waiters.add(check);
      check();
    });
  const events = () =>
    frames.filter((frame) => frame.startsWith("{")).map((frame) => JSON.parse(frame) as LiveEvent);
  return {
    socket,
    frames,
    events,
    send: (event, data) => socket.send(JSON.stringify({ event, data })),
    waitForFrame,
    waitForEvent: async (name, is = () => true) => {
      const matches = (frame: string) => {
        const { event, data } = JSON.parse(frame) as LiveEvent;
        return event === name && is(data);
      };
      return (JSON.parse(await waitForFrame(matches)) as LiveEvent).data;
    },
    closed,
  };
}
