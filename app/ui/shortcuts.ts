import { useEffect } from "react";
import { useLatest } from "./latest";

/** Actions by key, such as `j`, or by key sequence, such as `g d`. */
export type Shortcuts = Record<string, () => void>;

const DISABLED_KEY = "emporia:single-keys-off";
/** Key that begins sequences. */
const SEQUENCE_KEY = "g";
/** Maximum milliseconds between the keys of a sequence. */
const SEQUENCE_TIMEOUT = 1500;

/** Detects the second key of a sequence. @param previous key pressed before, and when */
export const isSequence = (previous: { key: string; at: number }, { timeStamp }: { timeStamp: number }) =>
  previous.key === SEQUENCE_KEY && timeStamp - previous.at < SEQUENCE_TIMEOUT;

/** Reads the setting for single-key shortcuts, which users of speech input can disable (WCAG 2.1.4). */
export function areShortcutsEnabled(): boolean {
  try {
    return localStorage.getItem(DISABLED_KEY) === null;
  } catch {
    return true;
  }
}

export function setShortcutsEnabled(on: boolean): void {
  try {
    if (on) localStorage.removeItem(DISABLED_KEY);
    else localStorage.setItem(DISABLED_KEY, "1");
  } catch {
    // Without storage they stay enabled.
  }
}

/** Binds keys while no input has the focus and no dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useLatest(shortcuts);
  useEffect(() => {
    let first = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent) => {
      if (isIgnored(event) || !areShortcutsEnabled()) return;
      const key = event.key.toLowerCase();
      const isSecond = isSequence(first, event);
      first = { key, at: event.timeStamp };
      // The second key of a sequence belongs to it, also where only another component knows the sequence.
      const action = latest.current[isSecond ? `${SEQUENCE_KEY} ${key}` : key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [latest]);
}

function isIgnored({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
  return (
    defaultPrevented ||
    ctrlKey ||
    metaKey ||
    altKey ||
    isTyping ||
    document.querySelector("dialog:modal") !== null
  );
}
