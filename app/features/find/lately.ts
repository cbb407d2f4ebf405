import { getSessionStorage, readEntry, writeEntry } from "~/ui/browser-storage";
import type { Hit } from "./hits";

/** Hits that are remembered. */
const MAX_LATELY = 4;
const KEY = "emporia:found-lately";

const isHit = (hit: Partial<Hit> | null): hit is Hit =>
  [hit?.id, hit?.title, hit?.text, hit?.to, hit?.icon].every((text) => typeof text === "string");

/** Returns what was opened from the search in this tab, the latest first. */
export function openedLately(): Hit[] {
  const { hits } = readEntry(KEY, getSessionStorage) as { hits?: unknown };
  return Array.isArray(hits) ? hits.filter(isHit) : [];
}

/** Remembers what was opened, until the tab is closed. */
export function rememberOpened({ id, title, text, to, icon, image, cents }: Hit): void {
  const others = openedLately().filter((hit) => hit.to !== to);
  const hit = { id, title, text, to, icon, image, cents };
  writeEntry(KEY, { hits: [hit, ...others].slice(0, MAX_LATELY) }, getSessionStorage);
}
