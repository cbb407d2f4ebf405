import { exports } from "cloudflare:workers";

const ORIGIN = "http://localhost:8787";

/** Live event in a test. */
export interface LiveEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Live connection with JSON frames, or the raw frames of a Socket.IO client. */
export interface Connection {
  socket: WebSocket;
  /** Text frames in the order in which they came. */
  frames: string[];
  /** Frames parsed as events. */
  heard: () => LiveEvent[];
  say: (event: string, data?: unknown) => void;
  /** Waits for a frame. */
  until: (is: (frame: string) => boolean) => Promise<string>;
  /** Waits for an event and returns its data. */
  event: (name: string, is?: (data: Record<string, unknown>) => boolean) => Promise<Record<string, unknown>>;
  /** Close code. */
  closed: Promise<number>;
}

/** Requests a WebSocket upgrade. */
export function upgrade(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return exports.default.fetch(
    new Request(`${ORIGIN}/socket.io/${query}`, { headers: { Upgrade: "websocket", ...headers } }),
  );
}

/**
 * Opens a live connection.
 *
 * @param query such as "?chat={id}"
 */
export async function connect(query: string, headers: Record<string, string> = {}): Promise<Connection> {
  const answer = await upgrade(query, headers);
  const socket = answer.webSocket;
  if (!socket) throw new Error(`No connection: ${answer.status} ${await answer.text()}`);
  const frames: string[] = [];
  const waiting = new Set<() => void>();
  socket.addEventListener("message", ({ data }) => {
    frames.push(String(data));
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((done) => socket.addEventListener("close", ({ code }) => done(code)));
  socket.accept();
  const until = (is: (frame: string) => boolean) =>
    new Promise<string>((done, failed) => {
      const late = setTimeout(() => failed(new Error(`Not heard; but: ${frames.join("\n")}`)), 10_000);
      const look = () => {
        const found = frames.find(is);
        if (found === undefined) return;
        clearTimeout(late);
        waiting.delete(look);
        done(found);
      };
      waiting.add(look);
      look();
    });
  const heard = () =>
    frames.filter((frame) => frame.startsWith("{")).map((frame) => JSON.parse(frame) as LiveEvent);
  return {
    socket,
    frames,
    heard,
    say: (event, data) => socket.send(JSON.stringify({ event, data })),
    until,
    event: async (name, is = () => true) => {
      const matches = (frame: string) => {
        const { event, data } = JSON.parse(frame) as LiveEvent;
        return event === name && is(data);
      };
      return (JSON.parse(await until(matches)) as LiveEvent).data;
    },
    closed,
  };
}
