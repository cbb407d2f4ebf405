import { STARTS_KEY } from "~/features/chat/open-chat";
import { getLocalStorage, getSessionStorage, readEntry, writeEntry } from "~/ui/browser-storage";
/** The chat that this browser continues on the next page and visit; cookies alone decide who may read it. */
export interface StoredChat {
  chatId: string;
  /** seq of the last message displayed in the open panel. */
  seen: number;
  /** It is closed or older than 30 days: the next question starts another. */
  isOver?: boolean;
}

export const CHAT_KEY = "emporia:chat";
export const TEXT_KEY = "emporia:chat-text";
export const PANEL_KEY = "emporia:chat-panel";
export const DETAILS_KEY = "emporia:chat-details";
export const SKIPPED_KEY = "emporia:chat-skipped";
export const ASKED_KEY = "emporia:chat-asked";
/** Account that the other entries belong to. */
export const ACCOUNT_KEY = "emporia:chat-account";

export type PanelView = "closed" | "open" | "bar";

/** Returns the stored chat; null without one, and in a browser without storage. */
export function storedChat(): StoredChat | null {
  const { chatId, seen, isOver } = readEntry(CHAT_KEY);
  if (typeof chatId !== "string" || typeof seen !== "number") return null;
  return { chatId, seen, ...(isOver === true && { isOver }) };
}

/** Tells that a page was left while it started a chat. */
export const hasStart = () => "start" in Object(readEntry(TEXT_KEY)[""]);

/** Reads the view of the panel on this tab's previous page. */
export function storedPanelView(): PanelView {
  const { view } = readEntry(PANEL_KEY, getSessionStorage);
  return view === "open" || view === "bar" ? view : "closed";
}

/**
 * Assigns the stored entries to the account that is signed in. Entries of another account are removed; those of an
 * anonymous visitor stay when they sign in.
 *
 * @param userId null while nobody is signed in
 */
export function claimStorage(userId: string | null): void {
  for (const storage of [getLocalStorage, getSessionStorage]) {
    const { userId: owner } = readEntry(ACCOUNT_KEY, storage);
    if (typeof owner === "string" && owner !== userId) clear(storage);
    writeEntry(ACCOUNT_KEY, userId === null ? null : { userId }, storage);
  }
}

/** Removes the entries of one reader. */
export function clear(storage: () => Storage): void {
  // Loaded on demand: only a browser that changes its reader needs it.
  if (storage === getLocalStorage)
    import("./unsent").then(
      (files) => files.forgetAllFiles(),
      () => undefined,
    );
  for (const key of [CHAT_KEY, TEXT_KEY, PANEL_KEY, DETAILS_KEY, SKIPPED_KEY, ASKED_KEY, STARTS_KEY])
    writeEntry(key, null, storage);
}
