const KEY = "emporia_viewed";
const MAX_VIEWED = 12;

/** Returns the ids of products that this device has viewed, latest first. */
export function viewedIds(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string").slice(0, MAX_VIEWED) : [];
  } catch {
    return [];
  }
}

/** Remembers a viewed product on this device alone; without storage nothing is remembered. */
export function rememberViewed(id: string): void {
  const ids = [id, ...viewedIds().filter((other) => other !== id)].slice(0, MAX_VIEWED);
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Storage is full or forbidden.
  }
}

export function clearViewed(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is forbidden, and therefore empty.
  }
}
