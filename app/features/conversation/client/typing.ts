import { useCallback, useEffect, useRef, useState } from "react";
import { TYPING_INDICATOR_MS } from "~/features/chat/limits";

const STOP_AFTER_MS = 2000;
/** Keeps the indicator visible without an event for each key of a held one. */
const REPEAT_INTERVAL_MS = 1000;

/** Typing events of one input field. */
export interface TypingNotifier {
  /** Notes a change of the field; nobody types in an empty one. */
  changed(text: string): void;
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
    changed(text) {
      if (text === "") return stop();
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

/** Person who is typing; `isStaff` is a colleague in the console, and the shop for the visitor. */
export interface Typist {
  senderName: string;
  isStaff: boolean;
}

/** Adds or removes a person; those who go on typing keep their place. */
export function withTypist(
  typists: Typist[],
  { senderName, isStaff, isTyping }: Typist & { isTyping: boolean },
): Typist[] {
  const isSame = (other: Typist) => other.senderName === senderName && other.isStaff === isStaff;
  if (isTyping) return typists.some(isSame) ? typists : [...typists, { senderName, isStaff }];
  return typists.filter((other) => !isSame(other));
}

/**
 * Holds the people who are typing, each for 3 s after their last event.
 *
 * @returns also a handler of events, and a function that removes a side, whose message has arrived
 */
export function useTypists() {
  const [typists, set] = useState<Typist[]>([]);
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const { current } = timers;
    return () => current.forEach(clearTimeout);
  }, []);
  const onTyping = useCallback((event: Typist & { isTyping: boolean }) => {
    const key = `${event.isStaff} ${event.senderName}`;
    clearTimeout(timers.current.get(key));
    set((current) => withTypist(current, event));
    const stop = () => set((current) => withTypist(current, { ...event, isTyping: false }));
    if (event.isTyping) timers.current.set(key, setTimeout(stop, TYPING_INDICATOR_MS));
  }, []);
  const removeSide = useCallback(
    (isStaff: boolean) => set((current) => current.filter((typist) => typist.isStaff !== isStaff)),
    [],
  );
  return [typists, onTyping, removeSide] as const;
}
