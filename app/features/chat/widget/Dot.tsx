import type { Line } from "./live";

/** Whether the live connection stands: green or red, and in words (spec 2). */
export function Dot({ line }: { line: Line }) {
  const on = line === "on";
  return (
    <span className={on ? "dot" : "dot dot-off"} role="img" aria-label={on ? "Connected" : "Disconnected"} />
  );
}
