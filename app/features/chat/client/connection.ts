import Reconnecting from "partysocket/ws";
import { CLOSED } from "../limits";
import type { ClientEvent, ServerEvent } from "../protocol";

/** Spec 7: 5 attempts, 1,000 ms apart. */
const ATTEMPTS = 5;
const DELAY = 1000;
/** How often a quiet line is looked at, and how long it may take to answer, milliseconds. */
const PING_EVERY = 25_000;
const PONG_WITHIN = 8000;
/** What no new attempt would mend. */
const FINAL: readonly number[] = [CLOSED.sessionEnded, CLOSED.chatGone, CLOSED.tooMany];

/** connecting; connected; waiting for the next attempt; given up, so that a button is needed. */
export type Line = "connecting" | "on" | "off" | "lost";

interface LiveOptions {
  /** What the line is for, asked anew for each attempt: `chat={id}&after={seq}`, `room=admin`, nothing for the lobby. */
  query(): string;
  onEvent(event: ServerEvent): void;
  onLine(line: Line): void;
  /** The chat was deleted, the session has ended, or too many connections are open: nothing comes any more. */
  onEnd?(code: number): void;
}

/** A live connection. */
export interface Live {
  say(event: ClientEvent): void;
  reconnect(): void;
  close(): void;
}

/** Opens the live connection (contract: Live events) and keeps it open. */
export function connect({ query, onEvent, onLine, onEnd }: LiveOptions): Live {
  const address = () => `${window.location.origin.replace(/^http/, "ws")}/socket.io/?${query()}`;
  const delays = { minReconnectionDelay: DELAY, maxReconnectionDelay: DELAY };
  const socket = new Reconnecting(address, [], {
    ...delays,
    maxRetries: ATTEMPTS,
    minUptime: 0,
    shouldReconnectOnClose: ({ code }) => !FINAL.includes(code),
  });
  let failures = 0;
  const again = () => {
    failures = 0;
    onLine("connecting");
    socket.reconnect();
  };
  socket.addEventListener("open", () => {
    failures = 0;
    onLine("on");
  });
  socket.addEventListener("close", ({ code }) => {
    failures++;
    const isFinal = FINAL.includes(code);
    onLine(isFinal || failures > ATTEMPTS ? "lost" : "off");
    if (isFinal) onEnd?.(code);
  });
  socket.addEventListener("message", ({ data }) => read(data, onEvent));
  const stopLooking = looking(socket, again, () => onLine("off"));
  return {
    say: (event) => void (socket.readyState === 1 && socket.send(JSON.stringify(event))),
    reconnect: again,
    close() {
      stopLooking();
      socket.close();
    },
  };
}

function read(data: unknown, onEvent: LiveOptions["onEvent"]): void {
  if (typeof data === "string" && data !== "pong") onEvent(JSON.parse(data) as ServerEvent);
}

/**
 * A line may die without a word: one that doesn't answer a ping is opened anew, and so is each one when the device is
 * back on its network.
 */
function looking(socket: Reconnecting, again: () => void, offline: () => void): () => void {
  let silent: ReturnType<typeof setTimeout> | undefined;
  socket.addEventListener("message", () => clearTimeout(silent));
  const timer = setInterval(() => {
    if (socket.readyState !== 1) return;
    socket.send("ping");
    clearTimeout(silent);
    silent = setTimeout(again, PONG_WITHIN);
  }, PING_EVERY);
  window.addEventListener("offline", offline);
  window.addEventListener("online", again);
  return () => {
    clearInterval(timer);
    clearTimeout(silent);
    window.removeEventListener("offline", offline);
    window.removeEventListener("online", again);
  };
}
