/** What a browser remembers of its chat between pages and visits; who may read it is decided by cookies alone. */
export interface Remembered {
  chatId: string;
  /** seq of the last message that was seen in the open panel. */
  seen: number;
}

const CHAT = "emporia:chat";
const SHOWN = "emporia:chat-shown";

/** How much of the panel is to be seen. */
export type Shown = "closed" | "open" | "bar";

/** @returns null where there is none, or where the browser keeps nothing */
export function remembered(): Remembered | null {
  try {
    const { chatId, seen } = JSON.parse(localStorage.getItem(CHAT) ?? "null") ?? {};
    return typeof chatId === "string" && typeof seen === "number" ? { chatId, seen } : null;
  } catch {
    return null;
  }
}

/** @param chat null forgets it */
export function remember(chat: Remembered | null): void {
  try {
    if (chat) localStorage.setItem(CHAT, JSON.stringify(chat));
    else localStorage.removeItem(CHAT);
  } catch {
    // A browser that keeps nothing still has the cookie.
  }
}

/** How the panel stood when this tab's page was left. */
export function shownBefore(): Shown {
  try {
    const shown = sessionStorage.getItem(SHOWN);
    return shown === "open" || shown === "bar" ? shown : "closed";
  } catch {
    return "closed";
  }
}

/** Keeps how the panel stands for this tab's next page. */
export function keepShown(shown: Shown): void {
  try {
    sessionStorage.setItem(SHOWN, shown);
  } catch {
    // It is closed on the next page, then.
  }
}
