/** Milliseconds that the typing indicator stays visible after an event. */
export const TYPING_INDICATOR_MS = 3000;
const STOP_AFTER_MS = 2000;
/** Keeps the indicator visible without an event for each key of a held one. */
const REPEAT_INTERVAL_MS = 1000;

/** Typing events of one input field. */
export interface TypingNotifier {
  keyPressed(): void;
  /** Ends typing at once: the message was sent, or the field was left. */
  stop(): void;
}

/**
 * Sends `typing` at most once a second while keys are pressed, and `stop-typing` 2 s after the last one
 * (docs/product.md, 7.1).
 */
export function typingNotifier(send: (event: "typing" | "stop-typing") => void): TypingNotifier {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastSent = Number.NEGATIVE_INFINITY;
  const stop = () => {
    clearTimeout(timer);
    if (timer !== undefined) send("stop-typing");
    timer = undefined;
    lastSent = Number.NEGATIVE_INFINITY;
  };
  return {
    keyPressed() {
      clearTimeout(timer);
      timer = setTimeout(stop, STOP_AFTER_MS);
      const now = Date.now();
      if (now - lastSent < REPEAT_INTERVAL_MS) return;
      lastSent = now;
      send("typing");
    },
    stop,
  };
}
