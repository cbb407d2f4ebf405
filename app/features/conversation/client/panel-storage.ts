import { getLocalStorage, getSessionStorage, readEntry, writeEntry } from "~/ui/browser-storage";
import { ACCOUNT_KEY, CHAT_KEY, clear, PANEL_KEY, type PanelView, type StoredChat } from "./storage";

/** Stores the chat. @param chat null removes it */
export function storeChat(chat: StoredChat | null): void {
  writeEntry(CHAT_KEY, chat);
}

export function storePanelView(view: PanelView): void {
  writeEntry(PANEL_KEY, { view }, getSessionStorage);
}

/** Removes the entries of this tab and browser: the reader has lost access to the chat. */
export function clearStorage(): void {
  clear(getLocalStorage);
  clear(getSessionStorage);
}

/** Returns the account that the entries belong to; "" for the anonymous visitor. */
export const storedAccount = () => String(readEntry(ACCOUNT_KEY).userId ?? "");
