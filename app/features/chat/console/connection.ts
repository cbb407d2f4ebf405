import LiveSocket from "partysocket/ws";
import { CLOSED } from "../limits";
import type { ClientEvent, ServerEvent } from "../protocol";

/** How a live connection stands; "lost" until somebody asks for another try. */
export type LinkState = "connecting" | "connected" | "lost";

export interface Connection {
  say(event: ClientEvent): void;
  /** Tries anew after it was lost. */
  retry(): void;
  end(): void;
}

/** Spec 7, Real-time channel: 5 attempts, 1,000 ms apart. */
const ATTEMPTS = 5;
const DELAY = 1000;
const FINAL: readonly number[] = [CLOSED.sessionEnded, CLOSED.chatGone];

/**
 * Opens a live connection with JSON frames.
 *
 * @param query what it is for, asked anew for each attempt, such as `room=admin`
 * @param hear gets each event
 * @param changed gets its state
 */
export function connect(
  query: () => string,
  hear: (event: ServerEvent) => void,
  changed: (state: LinkState) => void,
): Connection {
  const address = () => `${window.location.origin.replace(/^http/, "ws")}/socket.io/?${query()}`;
  const socket = new LiveSocket(address, [], {
    minReconnectionDelay: DELAY,
    maxReconnectionDelay: DELAY,
    reconnectionDelayGrowFactor: 1,
    maxRetries: ATTEMPTS,
    maxEnqueuedMessages: 0,
    shouldReconnectOnClose: ({ code }) => !FINAL.includes(code),
  });
  socket.addEventListener("open", () => changed("connected"));
  socket.addEventListener("close", ({ code }) => {
    changed(FINAL.includes(code) || socket.retryCount >= ATTEMPTS ? "lost" : "connecting");
  });
  socket.addEventListener("message", ({ data }) => hear(JSON.parse(String(data)) as ServerEvent));
  return {
    say: (event) => socket.readyState === LiveSocket.OPEN && socket.send(JSON.stringify(event)),
    retry() {
      changed("connecting");
      socket.reconnect();
    },
    end: () => socket.close(),
  };
}
