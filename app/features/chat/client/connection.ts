import Reconnecting from "partysocket/ws";
import { CLOSED } from "../limits";
import type { ClientEvent, ServerEvent } from "../protocol";

const MAX_RECONNECTS = 5;
const RECONNECT_DELAY_MS = 1000;
const PING_INTERVAL_MS = 25_000;
const PONG_TIMEOUT_MS = 8000;
/** Close codes after which reconnecting cannot succeed. */
const FINAL_CODES: readonly number[] = [CLOSED.sessionEnded, CLOSED.chatGone, CLOSED.tooMany];

/** State of a live connection; "disconnected" is final until the user reconnects. */
export type ConnectionState = "connecting" | "connected" | "reconnecting" | "disconnected";

interface ConnectionOptions {
  /** Returns the query string for each attempt: `chat={id}&after={seq}`, `room=admin`, or "" for the lobby. */
  query(): string;
  /** Returns the event by which the page joins, and reports whether it is in the foreground. */
  joinEvent?(visible: boolean): ClientEvent | null;
  onEvent(event: ServerEvent): void;
  onStateChange(state: ConnectionState): void;
  /** Receives the close code when the server has ended the connection for good. */
  onEnd?(code: number): void;
}

/** A live connection. */
export interface Connection {
  send(event: ClientEvent): void;
  reconnect(): void;
  close(): void;
}

/** Opens a live connection (docs/product.md, 7.2) and reconnects it up to 5 times, 1,000 ms apart. */
export function connect({ query, joinEvent, onEvent, onStateChange, onEnd }: ConnectionOptions): Connection {
  const url = () => `${window.location.origin.replace(/^http/, "ws")}/socket.io/?${query()}`;
  const socket = new Reconnecting(url, [], {
    minReconnectionDelay: RECONNECT_DELAY_MS,
    maxReconnectionDelay: RECONNECT_DELAY_MS,
    maxRetries: MAX_RECONNECTS,
    minUptime: 0,
    shouldReconnectOnClose: ({ code }) => !FINAL_CODES.includes(code),
  });
  let failures = 0;
  const reconnect = () => {
    failures = 0;
    onStateChange("connecting");
    socket.reconnect();
  };
  socket.addEventListener("open", () => {
    failures = 0;
    onStateChange("connected");
  });
  socket.addEventListener("close", ({ code }) => {
    failures++;
    const isFinal = FINAL_CODES.includes(code);
    onStateChange(isFinal || failures > MAX_RECONNECTS ? "disconnected" : "reconnecting");
    if (isFinal) onEnd?.(code);
  });
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string" && data !== "pong") onEvent(JSON.parse(data) as ServerEvent);
  });
  const stopMonitoring = monitor(socket, reconnect, () => onStateChange("reconnecting"));
  const stopJoining = keepJoined(socket, joinEvent);
  return {
    send: (event) => sendEvent(socket, event),
    reconnect,
    close() {
      stopJoining();
      stopMonitoring();
      socket.close();
    },
  };
}

/** Sends an event; while the connection is closed, it is dropped. */
function sendEvent(socket: Reconnecting, event: ClientEvent): void {
  if (socket.readyState === 1) socket.send(JSON.stringify(event));
}

/** Joins whenever the socket opens, and again when the page moves to the foreground or the background. */
function keepJoined(socket: Reconnecting, joinEvent: ConnectionOptions["joinEvent"]): () => void {
  const join = () => {
    const event = joinEvent?.(document.visibilityState === "visible");
    if (event) sendEvent(socket, event);
  };
  socket.addEventListener("open", join);
  document.addEventListener("visibilitychange", join);
  return () => document.removeEventListener("visibilitychange", join);
}

/** Reconnects when a ping stays unanswered, since a socket can die silently, and when the device is online again. */
function monitor(socket: Reconnecting, reconnect: () => void, onOffline: () => void): () => void {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  socket.addEventListener("message", () => clearTimeout(timeout));
  const interval = setInterval(() => {
    if (socket.readyState !== 1) return;
    socket.send("ping");
    clearTimeout(timeout);
    timeout = setTimeout(reconnect, PONG_TIMEOUT_MS);
  }, PING_INTERVAL_MS);
  window.addEventListener("offline", onOffline);
  window.addEventListener("online", reconnect);
  return () => {
    clearInterval(interval);
    clearTimeout(timeout);
    window.removeEventListener("offline", onOffline);
    window.removeEventListener("online", reconnect);
  };
}
