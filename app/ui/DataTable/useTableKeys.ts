import type { KeyboardEvent, MouseEvent } from "react";
import { useNavigate } from "~/ui/navigation";
import { areShortcutsEnabled, isSequence, useShortcuts } from "../shortcuts";

const SEARCH_FIELD = "[data-list-search]";

/** First control of a table's first row, from which the arrow keys move on. */
const FIRST_CONTROL = ".data-grid tbody tr :is(a[href], button:not([disabled]))";

/** Marks the link that a key presses while its row has the focus. */
export const rowKeyAttribute = (key: "e" | "delete" | "x" | "p" | "c" | "s") => ({ "data-row-key": key });

/** Binds `/` to the search field, `n` to the add dialog and ↓ to the first row. @param add URL of the add dialog */
export function useListKeys(add?: string): void {
  const navigate = useNavigate();
  useShortcuts({
    "/": () => {
      const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
      field?.focus();
      field?.select();
    },
    arrowdown: () => document.querySelector<HTMLElement>(FIRST_CONTROL)?.focus(),
    ...(add && { n: () => navigate(add, { preventScrollReset: true }) }),
  });
}

let previous = { key: "", at: 0 };

/** Handles keys of the focused row: up, down, and those that press one of its controls, such as E (update or open). */
export function handleRowKey(event: KeyboardEvent<HTMLTableElement>): void {
  const from = event.target as HTMLElement;
  const row = from.closest("tbody tr");
  if (
    !row ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    from.matches("input:not([type=checkbox]), select, textarea")
  )
    return;
  const key = event.key.toLowerCase();
  const isSecond = isSequence(previous, event);
  previous = { key, at: event.timeStamp };
  if (isSecond) return;
  const isDone = event.shiftKey ? key === "arrowdown" && extend(row, from) : KEY_HANDLERS[key]?.(row, from);
  if (isDone) event.preventDefault();
}

/** Opens the clicked row as E does, unless a control was clicked or text was selected. */
export function handleRowClick({ target }: MouseEvent<HTMLTableElement>): void {
  const element = target as HTMLElement;
  if (element.closest("a, button, input, select, textarea, label, summary")) return;
  if (getSelection()?.toString()) return;
  element.closest("tbody tr")?.querySelector<HTMLElement>('[data-row-key="e"]')?.click();
}

type KeyHandler = (row: Element, from: HTMLElement) => boolean;

const KEY_HANDLERS: Record<string, KeyHandler> = {
  arrowdown: (row, from) => step(row.nextElementSibling, row, from),
  arrowup: (row, from) => step(row.previousElementSibling, row, from),
  e: (row) => press(row, "e"),
  delete: (row) => press(row, "delete"),
  x: (row) => press(row, "x"),
  p: (row) => press(row, "p"),
  c: (row) => press(row, "c"),
  s: (row) => press(row, "s"),
};

const FOCUSABLE = "a[href], button:not([disabled]), input[type=checkbox]";

/** Ticks the row and the next one, which gets the focus. */
function extend(row: Element, from: HTMLElement): boolean {
  if (!areShortcutsEnabled()) return false;
  tick(row);
  return tick(row.nextElementSibling) && step(row.nextElementSibling, row, from);
}

function tick(row: Element | null): boolean {
  const box = row?.querySelector<HTMLInputElement>('[data-row-key="x"]');
  if (box && !box.checked) box.click();
  return box !== null && box !== undefined;
}

/** Focuses the same control of the neighbouring row, else its first one; a spacer is scrolled into view first. */
function step(neighbour: Element | null, row: Element, from: HTMLElement): boolean {
  if (neighbour?.matches(".gap")) {
    row.scrollIntoView({ block: "nearest" });
    return true;
  }
  const index = [...row.querySelectorAll(FOCUSABLE)].indexOf(from);
  const controls = neighbour?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [];
  const next = controls[index] ?? controls[0];
  next?.focus();
  return next !== undefined;
}

function press(row: Element, key: string): boolean {
  const link = row.querySelector<HTMLElement>(`[data-row-key="${key}"]`);
  if (!link || !areShortcutsEnabled()) return false;
  if (link.matches("input:not([type=checkbox])")) link.focus();
  else link.click();
  return true;
}
