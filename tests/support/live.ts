import { ORIGIN } from "./shop";
import { send } from "./worker";

/** Live event received by a test. */
export interface LiveEvent {
  event: string;
  data: Record<string, unknown>;
}

/** Live connection. Its frames are JSON, or on a connection for Socket.IO packets of its protocol. */
export interface TestConnection {
  socket: WebSocket;
  /** Received text frames in order. */
  frames: string[];
  /** Received events in order. */
  events: () => LiveEvent[];
  /** Sends an event as JSON. */
  send: (event: string, data?: unknown) => void;
  /** Waits for a frame, which may have arrived already. */
  waitForFrame: (matches: (frame: string) => boolean) => Promise<string>;
  /** Waits for a JSON event, which may have arrived already. @returns its data */
  waitForEvent: (
    name: string,
    matches?: (data: Record<string, unknown>) => boolean,
  ) => Promise<Record<string, unknown>>;
  /** Resolves to the close code. */
  closed: Promise<number>;
}

/** Parses a JSON frame; null for a packet of Socket.IO. */
function parseEvent(frame: string): LiveEvent | null {
  return frame.startsWith("{") ? (JSON.parse(frame) as LiveEvent) : null;
}

/** Requests the upgrade to a live connection. @param query such as "?chat={id}" */
export function upgrade(query: string, headers: Record<string, string> = {}): Promise<Response> {
  return send(new Request(`${ORIGIN}/socket.io/${query}`, { headers: { Upgrade: "websocket", ...headers } }));
}

/**
 * Opens a live connection.
 *
 * @param query such as "?chat={id}"
 * @throws Error when the upgrade is rejected
 */
export async function connect(query: string, headers: Record<string, string> = {}): Promise<TestConnection> {
  const answer = await upgrade(query, headers);
  const socket = answer.webSocket;
  if (!socket) throw new Error(`No connection: ${answer.status} ${await answer.text()}`);
  const frames: string[] = [];
  const frameChecks = new Set<() => void>();
  socket.addEventListener("message", ({ data }) => {
    frames.push(String(data));
    for (const check of frameChecks) check();
  });
  const closed = new Promise<number>((resolve) =>
    socket.addEventListener("close", ({ code }) => resolve(code)),
  );
  socket.accept();
  const waitForFrame = (matches: (frame: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const timeout = setTimeout(
        () => reject(new Error(`The frame did not arrive; received: ${frames.join("\n")}`)),
        20_000,
      );
      const check = () => {
        const found = frames.find(matches);
        if (found === undefined) return;
        clearTimeout(timeout);
        frameChecks.delete(check);
        resolve(found);
      };
      frameChecks.add(check);
      check();
    });
  const events = () => frames.map(parseEvent).filter((event) => event !== null);
  return {
    socket,
    frames,
    events,
    send: (event, data) => socket.send(JSON.stringify({ event, data })),
    waitForFrame,
    waitForEvent: async (name, matches = () => true) => {
      const frame = await waitForFrame((text) => {
        const event = parseEvent(text);
        return event?.event === name && matches(event.data);
      });
      return (JSON.parse(frame) as LiveEvent).data;
    },
    closed,
  };
}
