import { MAX_MESSAGE } from "../limits";
import type { ProductCard } from "../protocol";

/** The chat that this browser continues on the next page and visit; cookies alone decide who may read it. */
export interface StoredChat {
  chatId: string;
  /** seq of the last message displayed in the open panel. */
  seen: number;
}

const CHAT_KEY = "emporia:chat";
const TEXT_KEY = "emporia:chat-words";
const PANEL_KEY = "emporia:chat-shown";
const DETAILS_KEY = "emporia:chat-details";
/** Account that the other entries belong to. */
const ACCOUNT_KEY = "emporia:chat-account";

export type PanelView = "closed" | "open" | "bar";

/** @returns null without a chat, and in a browser without storage */
export function storedChat(): StoredChat | null {
  const { chatId, seen } = readEntry(CHAT_KEY);
  return typeof chatId === "string" && typeof seen === "number" ? { chatId, seen } : null;
}

/** @param chat null removes it */
export function storeChat(chat: StoredChat | null): void {
  writeEntry(CHAT_KEY, chat);
}

/** Text that the server has not stored: the draft in the input field, and unconfirmed messages. */
export interface UnsentText {
  draft: string;
  unsent: { id: string; message: string; card?: ProductCard | undefined; rejected?: boolean }[];
}

/** @param chatId "" for a chat that has not started */
export function storedText(chatId: string): UnsentText {
  const { of, draft, unsent } = readEntry(TEXT_KEY);
  const isOfChat = of === chatId;
  return {
    draft: isOfChat && typeof draft === "string" ? draft : "",
    unsent: isOfChat && Array.isArray(unsent) ? unsent.filter(isUnsent) : [],
  };
}

/** Stores unsent text for the next page or visit, of one chat at a time. */
export function storeText(chatId: string, text: Partial<UnsentText>): void {
  writeEntry(TEXT_KEY, { ...storedText(chatId), ...text, of: chatId });
}

/** Moves the unsent text of a chat that has ended into the draft of the next one. */
export function moveTextToNewChat(chatId: string): void {
  const { draft, unsent } = storedText(chatId);
  const text = [...unsent.map(({ message }) => message), draft].filter(Boolean).join("\n");
  if (text) storeText("", { draft: text.slice(0, MAX_MESSAGE), unsent: [] });
}

/** Name and e-mail address entered before a chat starts. */
export interface VisitorDetails {
  userName: string;
  userEmail: string;
}

/** Reads the details last entered in this browser. */
export function storedDetails(): VisitorDetails {
  const { userName, userEmail } = readEntry(DETAILS_KEY);
  return { userName: String(userName ?? ""), userEmail: String(userEmail ?? "") };
}

export function storeDetails(details: VisitorDetails): void {
  writeEntry(DETAILS_KEY, details);
}

/** Reads the view of the panel on this tab's previous page. */
export function storedPanelView(): PanelView {
  const { shown } = readEntry(PANEL_KEY, getSessionStorage);
  return shown === "open" || shown === "bar" ? shown : "closed";
}

export function storePanelView(shown: PanelView): void {
  writeEntry(PANEL_KEY, { shown }, getSessionStorage);
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

/** Removes the entries of this tab and browser: the reader has lost access to the chat. */
export function clearStorage(): void {
  clear(getLocalStorage);
  clear(getSessionStorage);
}

/** Returns the account that the entries belong to; "" for the anonymous visitor. */
export const storedAccount = () => String(readEntry(ACCOUNT_KEY).userId ?? "");

function clear(storage: () => Storage): void {
  // Loaded on demand: only a browser that changes its reader needs it.
  if (storage === getLocalStorage)
    import("./kept-files").then(
      ({ forgetAllFiles }) => forgetAllFiles(),
      () => undefined,
    );
  for (const key of [CHAT_KEY, TEXT_KEY, PANEL_KEY, DETAILS_KEY]) writeEntry(key, null, storage);
}

// Called inside try: a browser that blocks storage throws on access.
const getLocalStorage = () => localStorage;
const getSessionStorage = () => sessionStorage;

function isUnsent(entry: unknown): entry is UnsentText["unsent"][number] {
  const { id, message } = (entry ?? {}) as Record<string, unknown>;
  return typeof id === "string" && typeof message === "string";
}

function readEntry(key: string, storage = getLocalStorage): Record<string, unknown> {
  try {
    return Object(JSON.parse(storage().getItem(key) ?? "{}"));
  } catch {
    return {};
  }
}

function writeEntry(key: string, value: object | null, storage = getLocalStorage): void {
  try {
    if (value) storage().setItem(key, JSON.stringify(value));
    else storage().removeItem(key);
  } catch {
    // The chat's cookie works without storage.
  }
}
