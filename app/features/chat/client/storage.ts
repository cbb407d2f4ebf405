import { MAX_MESSAGE } from "../limits";

/** What a browser remembers of its chat between pages and visits; who may read it is decided by cookies alone. */
export interface Remembered {
  chatId: string;
  /** seq of the last message that was seen in the open panel. */
  seen: number;
}

const CHAT = "emporia:chat";
const WORDS = "emporia:chat-words";
const SHOWN = "emporia:chat-shown";
const DETAILS = "emporia:chat-details";
/** Account that the rest was kept under. */
const ACCOUNT = "emporia:chat-account";

/** How much of the panel is to be seen. */
export type Shown = "closed" | "open" | "bar";

/** @returns null where there is none, or where the browser keeps nothing */
export function remembered(): Remembered | null {
  const { chatId, seen } = kept(CHAT);
  return typeof chatId === "string" && typeof seen === "number" ? { chatId, seen } : null;
}

/** @param chat null forgets it */
export function remember(chat: Remembered | null): void {
  keep(CHAT, chat);
}

/** What was written and isn't said yet. */
export interface Words {
  /** In the field. */
  draft: string;
  /** Sent, with no word from the shop; under their ids they are stored once. */
  unsent: { id: string; message: string; refused?: boolean }[];
}

/** @param chatId "" for the chat that hasn't begun */
export function wordsFor(chatId: string): Words {
  const { of, draft, unsent } = kept(WORDS);
  const mine = of === chatId;
  return {
    draft: mine && typeof draft === "string" ? draft : "",
    unsent: mine && Array.isArray(unsent) ? unsent.filter(isUnsent) : [],
  };
}

/** Keeps what isn't said yet, for the next page or visit: of one chat at a time. */
export function keepWords(chatId: string, words: Partial<Words>): void {
  keep(WORDS, { ...wordsFor(chatId), ...words, of: chatId });
}

/** A chat has ended: what was written and isn't said there is the start of the next. */
export function moveWords(chatId: string): void {
  const { draft, unsent } = wordsFor(chatId);
  const words = [...unsent.map(({ message }) => message), draft].filter(Boolean).join("\n");
  if (words) keepWords("", { draft: words.slice(0, MAX_MESSAGE), unsent: [] });
}

/** Who writes, as typed before a chat begins. */
export interface Details {
  userName: string;
  userEmail: string;
}

/** What was typed in this tab. */
export function detailsTyped(): Details {
  const { userName, userEmail } = kept(DETAILS, sessionStorageOrNone);
  return { userName: String(userName ?? ""), userEmail: String(userEmail ?? "") };
}

/** Keeps it for this tab's next page. */
export function keepDetails(details: Details): void {
  keep(DETAILS, details, sessionStorageOrNone);
}

/** How the panel stood when this tab's page was left. */
export function shownBefore(): Shown {
  const { shown } = kept(SHOWN, sessionStorageOrNone);
  return shown === "open" || shown === "bar" ? shown : "closed";
}

/** Keeps how the panel stands for this tab's next page. */
export function keepShown(shown: Shown): void {
  keep(SHOWN, { shown }, sessionStorageOrNone);
}

/**
 * Hands what is kept over to the reader of this page. What another account has left is forgotten; what an anonymous
 * visitor has left goes on with them when they sign in.
 *
 * @param userId null while nobody is signed in
 */
export function handOver(userId: string | null): void {
  for (const storage of [localStorageOrNone, sessionStorageOrNone]) {
    const { userId: before } = kept(ACCOUNT, storage);
    if (typeof before === "string" && before !== userId) forgetIn(storage);
    keep(ACCOUNT, userId === null ? null : { userId }, storage);
  }
}

/** Forgets everything that this tab and browser remember: the chat is not this reader's any more. */
export function forgetAll(): void {
  forgetIn(localStorageOrNone);
  forgetIn(sessionStorageOrNone);
}

function forgetIn(storage: () => Storage): void {
  for (const key of [CHAT, WORDS, SHOWN, DETAILS]) keep(key, null, storage);
}

const localStorageOrNone = () => localStorage;
const sessionStorageOrNone = () => sessionStorage;

function isUnsent(entry: unknown): entry is Words["unsent"][number] {
  const { id, message } = (entry ?? {}) as Record<string, unknown>;
  return typeof id === "string" && typeof message === "string";
}

/** A browser that keeps nothing still has the cookie. */
function kept(key: string, storage: () => Storage = localStorageOrNone): Record<string, unknown> {
  try {
    return Object(JSON.parse(storage().getItem(key) ?? "{}"));
  } catch {
    return {};
  }
}

function keep(key: string, value: object | null, storage: () => Storage = localStorageOrNone): void {
  try {
    if (value) storage().setItem(key, JSON.stringify(value));
    else storage().removeItem(key);
  } catch {
    // See above.
  }
}
