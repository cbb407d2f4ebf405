import Reconnecting from "partysocket/ws";
import { CLOSED } from "../limits";
import type { ServerEvent } from "../protocol";

/** Spec 7: 5 attempts, 1,000 ms apart. */
const ATTEMPTS = 5;
const DELAY = 1000;
/** How often a quiet line is looked at, and how long it may take to answer, milliseconds. */
const PING_EVERY = 25_000;
const PONG_WITHIN = 8000;
const FINAL: readonly number[] = Object.values(CLOSED);

/** connecting; connected; waiting for the next attempt; given up, so that a button is needed. */
export type Line = "connecting" | "on" | "off" | "lost";

interface LiveOptions {
  /** null for the lobby. */
  chatId: string | null;
  /** seq of the last message that is known: what came after it is sent at once. */
  after(): number;
  onEvent(event: ServerEvent): void;
  onLine(line: Line): void;
  /** The chat has been deleted, or the session has ended: nothing comes any more. */
  onEnd(code: number): void;
}

/** A live connection. */
export interface Live {
  send(event: "typing" | "stop-typing", data: { chatId: string; senderName: string }): void;
  reconnect(): void;
  close(): void;
}

/** Opens the live connection (contract: Live events) and keeps it open. */
export function connect({ chatId, after, onEvent, onLine, onEnd }: LiveOptions): Live {
  const address = () => addressOf(chatId, after());
  const delays = { minReconnectionDelay: DELAY, maxReconnectionDelay: DELAY };
  const socket = new Reconnecting(address, [], { ...delays, maxRetries: ATTEMPTS, minUptime: 0 });
  let failures = 0;
  const again = () => {
    failures = 0;
    onLine("connecting");
    socket.reconnect();
  };
  const stopPinging = pinging(socket, again);
  const offline = () => onLine("off");
  socket.addEventListener("open", () => {
    failures = 0;
    onLine("on");
  });
  socket.addEventListener("close", ({ code }) => {
    failures++;
    if (FINAL.includes(code)) {
      socket.close();
      onEnd(code);
    }
    onLine(failures > ATTEMPTS || FINAL.includes(code) ? "lost" : "off");
  });
  socket.addEventListener("message", ({ data }) => read(data, onEvent));
  window.addEventListener("offline", offline);
  window.addEventListener("online", again);
  return {
    send: (event, data) => void (socket.readyState === 1 && socket.send(JSON.stringify({ event, data }))),
    reconnect: again,
    close() {
      stopPinging();
      window.removeEventListener("offline", offline);
      window.removeEventListener("online", again);
      socket.close();
    },
  };
}

function addressOf(chatId: string | null, after: number): string {
  const query = chatId ? `?chat=${encodeURIComponent(chatId)}&after=${after}` : "";
  return `${window.location.origin.replace(/^http/, "ws")}/socket.io/${query}`;
}

function read(data: unknown, onEvent: LiveOptions["onEvent"]): void {
  if (typeof data === "string" && data !== "pong") onEvent(JSON.parse(data) as ServerEvent);
}

/** A line may die without a word: one that doesn't answer a ping is opened anew. */
function pinging(socket: Reconnecting, again: () => void): () => void {
  let silent: ReturnType<typeof setTimeout> | undefined;
  socket.addEventListener("message", () => clearTimeout(silent));
  const timer = setInterval(() => {
    if (socket.readyState !== 1) return;
    socket.send("ping");
    clearTimeout(silent);
    silent = setTimeout(again, PONG_WITHIN);
  }, PING_EVERY);
  return () => {
    clearInterval(timer);
    clearTimeout(silent);
  };
}
