// Called inside try: a browser that blocks storage throws on access.
export const getLocalStorage = () => localStorage;

export const getSessionStorage = () => sessionStorage;

/** Reads an entry; empty in a browser without storage. */
export function readEntry(key: string, storage = getLocalStorage): Record<string, unknown> {
  try {
    return Object(JSON.parse(storage().getItem(key) ?? "{}"));
  } catch {
    return {};
  }
}

/** Writes a stored entry. @param value null removes the entry */
export function writeEntry(key: string, value: object | null, storage = getLocalStorage): void {
  try {
    if (value) storage().setItem(key, JSON.stringify(value));
    else storage().removeItem(key);
  } catch {
    // The chat's cookie works without storage.
  }
}
