import type { Line } from "../client/connection";

/** Whether the live connection stands: green or red, and in words (spec 2). */
export function Dot({ line }: { line: Line }) {
  const on = line === "on";
  return (
    <span
      className={on ? "chat-dot" : "chat-dot off"}
      role="img"
      aria-label={on ? "Connected" : "Disconnected"}
    />
  );
}

/** What is wrong with the line, and the button once it was given up. */
export function LineNote({ line, reconnect }: { line: Line; reconnect: () => void }) {
  return (
    <div role="status">
      {line === "off" && (
        <p className="chat-note">
          {navigator.onLine
            ? "Connection lost. Reconnecting..."
            : "You're offline. What you write waits here."}
        </p>
      )}
      {line === "lost" && (
        <p className="chat-note">
          Connection lost.{" "}
          <button type="button" className="chat-link" onClick={reconnect}>
            Reconnect
          </button>
        </p>
      )}
    </div>
  );
}
