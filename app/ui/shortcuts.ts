import { useEffect, useRef } from "react";

/** Acts by key, such as `j`, or by keys one after the other, such as `g d`. */
export type Shortcuts = Record<string, () => void>;

const OFF = "emporia:single-keys-off";
/** Within how many milliseconds the second key follows the first. */
const TOGETHER = 1500;

/** Whether keys act on their own; speech input must be able to switch that off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
}

/** Switches them on or off, in this browser. */
export function setShortcutsOn(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  } catch {
    // A browser that keeps nothing for us keeps them on.
  }
}

/** Makes keys act while nobody is typing and no dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    let first = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent) => {
      if (isBusy(event) || !areShortcutsOn()) return;
      const key = event.key.toLowerCase();
      const pair = event.timeStamp - first.at < TOGETHER ? latest.current[`${first.key} ${key}`] : undefined;
      first = { key, at: event.timeStamp };
      const act = pair ?? latest.current[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isBusy({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
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
