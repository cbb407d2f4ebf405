import { useLocation } from "@remix-run/react";
import Reconnecting from "partysocket/ws";
import { useEffect } from "react";
import { CLOSED } from "~/features/chat/limits";
import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";

const MAX_RECONNECTS = 5;
const RECONNECT_DELAY_MS = 1000;
/** Time between two pings of a connection, and between two attempts once it is lost. */
const PING_INTERVAL_MS = 25_000;
const PONG_TIMEOUT_MS = 8000;
/** Close codes after which reconnecting cannot succeed. */
const FINAL_CODES: readonly number[] = [CLOSED.sessionEnded, CLOSED.chatGone, CLOSED.tooMany];

/** State of a live connection; after 5 failed attempts it is "disconnected" until a later one succeeds. */
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

/** Attempts of the page's connections, for those that are lost. */
const retries = new Set<() => void>();

/** Makes one attempt for each lost connection of the page: the shop may be reachable again. */
export function retryConnections(): void {
  for (const retry of retries) retry();
}

/** Retries lost connections when another page has been loaded. */
export function useRetryOnNavigation(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(retryConnections, [key]);
}

/**
 * Opens a live connection (docs/product.md, 7.2) and reconnects it up to 5 times, 1,000 ms apart. Then it is lost, and
 * attempts follow one at a time: at each ping, on focus, and by `retryConnections`.
 */
export function connect({ joinEvent, ...options }: ConnectionOptions): Connection {
  const { socket, ...reconnection } = openSocket(options);
  const stopMonitoring = monitor(socket, reconnection);
  const stopJoining = keepJoined(socket, joinEvent);
  return {
    send: (event) => sendEvent(socket, event),
    reconnect: reconnection.reconnect,
    close() {
      stopJoining();
      stopMonitoring();
      socket.close();
    },
  };
}

function openSocket({ query, onEvent, onStateChange, onEnd }: Omit<ConnectionOptions, "joinEvent">) {
  const url = () => `${window.location.origin.replace(/^http/, "ws")}/socket.io/?${query()}`;
  let failures = 0;
  const socket = new Reconnecting(url, [], {
    minReconnectionDelay: RECONNECT_DELAY_MS,
    maxReconnectionDelay: RECONNECT_DELAY_MS,
    maxRetries: MAX_RECONNECTS,
    minUptime: 0,
    shouldReconnectOnClose: ({ code }) => !FINAL_CODES.includes(code) && failures <= MAX_RECONNECTS,
  });
  socket.addEventListener("open", () => {
    failures = 0;
    onStateChange("connected");
    retryConnections();
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
  const reconnect = () => {
    failures = 0;
    onStateChange("connecting");
    socket.reconnect();
  };
  // One attempt, if the connection is lost.
  const retry = () => {
    if (failures > MAX_RECONNECTS && socket.readyState === Reconnecting.CLOSED) socket.reconnect();
  };
  return { socket, reconnect, retry, onOffline: () => onStateChange("reconnecting") };
}

/** Sends an event; while the connection is closed, it is dropped. */
function sendEvent(socket: Reconnecting, event: ClientEvent): void {
  if (socket.readyState === Reconnecting.OPEN) socket.send(JSON.stringify(event));
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

type Reconnection = Omit<ReturnType<typeof openSocket>, "socket">;

/**
 * Reconnects when a ping stays unanswered, since a socket can die silently, and when the device is online again. Retries a
 * lost connection at each ping, which pages begin at different times, and when the reader returns to the page.
 */
function monitor(socket: Reconnecting, { reconnect, retry, onOffline }: Reconnection): () => void {
  const monitoring = new AbortController();
  const { signal } = monitoring;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  socket.addEventListener("message", () => clearTimeout(timeout));
  const interval = setInterval(() => {
    if (socket.readyState !== Reconnecting.OPEN) return retry();
    socket.send("ping");
    clearTimeout(timeout);
    timeout = setTimeout(reconnect, PONG_TIMEOUT_MS);
  }, PING_INTERVAL_MS);
  retries.add(retry);
  window.addEventListener("offline", onOffline, { signal });
  window.addEventListener("online", reconnect, { signal });
  window.addEventListener("focus", retry, { signal });
  document.addEventListener("visibilitychange", retry, { signal });
  return () => {
    retries.delete(retry);
    monitoring.abort();
    clearInterval(interval);
    clearTimeout(timeout);
  };
}
