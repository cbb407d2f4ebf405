/** Beginning of the keys of drafts in local storage. A browser that blocks storage keeps none. */
const PREFIX = "emporia:draft:";

/** Returns the stored draft; "" without one. */
export function storedDraft(key: string): string {
  try {
    return localStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return "";
  }
}

/** Stores a draft. @param draft "" removes it */
export function storeDraft(key: string, draft: string): void {
  try {
    if (draft) localStorage.setItem(PREFIX + key, draft);
    else localStorage.removeItem(PREFIX + key);
  } catch {
    // The text stays in its field.
  }
}
