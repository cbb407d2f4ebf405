/** Text typed in this tab that has not been saved. A browser that blocks storage keeps none. */

const PREFIX = "emporia:draft:";

/** @returns "" without a draft */
export function storedDraft(key: string): string {
  try {
    return sessionStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return "";
  }
}

/** @param draft "" removes it */
export function storeDraft(key: string, draft: string): void {
  try {
    if (draft) sessionStorage.setItem(PREFIX + key, draft);
    else sessionStorage.removeItem(PREFIX + key);
  } catch {
    // The text stays in its field.
  }
}
