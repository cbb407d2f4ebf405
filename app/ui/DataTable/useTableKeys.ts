import { useNavigate } from "@remix-run/react";
import type { KeyboardEvent } from "react";
import { areShortcutsEnabled, useShortcuts } from "../shortcuts";

/** What `/` goes to. */
const SEARCH_FIELD = "[data-list-search]";

/** The attribute of a row's link that a key stands for. */
export const handleTableKey = (key: "e" | "delete") => ({ "data-row-key": key });

/**
 * The keys of a list: `/` searches, `n` adds.
 *
 * @param add address of the dialog that adds
 */
export function useListKeys(add?: string): void {
  const navigate = useNavigate();
  useShortcuts({
    "/": () => {
      const field = document.querySelector<HTMLInputElement>(SEARCH_FIELD);
      field?.focus();
      field?.select();
    },
    ...(add && { n: () => navigate(add, { preventScrollReset: true }) }),
  });
}

/** The keys of the row that has the focus: up and down to its neighbours, E updates, Del deletes. */
export function handleRowKey(event: KeyboardEvent<HTMLTableElement>): void {
  const from = event.target as HTMLElement;
  const row = from.closest("tbody tr");
  if (!row || event.ctrlKey || event.metaKey || event.altKey || from.matches("input, select, textarea"))
    return;
  const act = ACTS[event.key.toLowerCase()];
  if (act?.(row, from)) event.preventDefault();
}

type Act = (row: Element, from: HTMLElement) => boolean;

const ACTS: Record<string, Act> = {
  arrowdown: (row, from) => step(row.nextElementSibling, row, from),
  arrowup: (row, from) => step(row.previousElementSibling, row, from),
  e: (row) => press(row, "e"),
  delete: (row) => press(row, "delete"),
};

const REACHABLE = "a[href], button:not([disabled])";

/** To the same control of the neighbour, or to its first one; a row that was scrolled away comes back first. */
function step(neighbour: Element | null, row: Element, from: HTMLElement): boolean {
  if (neighbour?.matches(".gap")) {
    row.scrollIntoView({ block: "nearest" });
    return true;
  }
  const params = [...row.querySelectorAll(REACHABLE)].indexOf(from);
  const controls = neighbour?.querySelectorAll<HTMLElement>(REACHABLE) ?? [];
  const next = controls[params] ?? controls[0];
  next?.focus();
  return next !== undefined;
}

function press(row: Element, key: string): boolean {
  const link = row.querySelector<HTMLElement>(`[data-row-key="${key}"]`);
  if (!link || !areShortcutsEnabled()) return false;
  link.click();
  return true;
}
