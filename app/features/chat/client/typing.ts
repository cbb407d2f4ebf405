/** Spec 9: how long the typing indicator stands, and how long after the last key it is taken back, milliseconds. */
export const TYPING_FOR = 3000;
const STOP_AFTER = 2000;
/** A key held down is not worth thirty frames a second: said once in so many milliseconds, it stands all the time. */
const SAY_EVERY = 1000;

/** What a field to write in tells of itself. */
export interface Typing {
  /** Something was typed. */
  typed(): void;
  /** It was sent, or is left: nobody is typing any more. */
  stopped(): void;
}

/**
 * Tells the others that somebody types, and 2 s after the last key that they stopped (spec 7, Live connection).
 *
 * @param say sends the event on
 */
export function typingTold(say: (event: "typing" | "stop-typing") => void): Typing {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saidAt = Number.NEGATIVE_INFINITY;
  const stopped = () => {
    clearTimeout(timer);
    if (timer !== undefined) say("stop-typing");
    timer = undefined;
    saidAt = Number.NEGATIVE_INFINITY;
  };
  return {
    typed() {
      clearTimeout(timer);
      timer = setTimeout(stopped, STOP_AFTER);
      const now = Date.now();
      if (now - saidAt < SAY_EVERY) return;
      saidAt = now;
      say("typing");
    },
    stopped,
  };
}
