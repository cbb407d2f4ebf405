import { clear, createStore, delMany, entries, set } from "idb-keyval";
import { DAY_MS } from "~/domain/durations";
import { newClientId } from "~/features/chat/client-id";
import { QUESTIONS, type Question, type VisitorDetails } from "~/features/chat/introduction";
import { MAX_MESSAGE } from "~/features/chat/limits";
import type { ProductCard } from "~/features/chat/protocol";
import { readEntry, writeEntry } from "~/ui/browser-storage";
import { inTurn } from "~/ui/in-turn";
import { RequestError } from "./api";
import { storedAccount } from "./panel-storage";
import { DETAILS_KEY, SKIPPED_KEY, TEXT_KEY } from "./storage";

/** Text that the server has not stored: the draft in the input field, and unconfirmed messages. */
interface UnsentText {
  draft: string;
  unsent: { id: string; message: string; card?: ProductCard | undefined; rejected?: boolean }[];
  /** Start of a conversation whose answer has not arrived: its key, and what it sends. */
  start?: { key: string; content: string } | undefined;
}

/** Ids of the messages that this page has restored or stored; the others are those of another tab. */
const known = new Set<string>();

/** Returns the text of a chat that was not sent. @param chatId "" for a chat that has not started */
export function storedText(chatId: string): UnsentText {
  const { draft = "", unsent, start } = Object(readEntry(TEXT_KEY)[chatId]) as Record<string, unknown>;
  return {
    draft: String(draft),
    unsent: [unsent].flat().filter(isUnsent),
    start: start as UnsentText["start"],
  };
}

/** Stores unsent text of a chat for the next page or visit. */
export function storeText(chatId: string, text: Partial<UnsentText>): void {
  writeEntry(TEXT_KEY, { ...readEntry(TEXT_KEY), [chatId]: { ...storedText(chatId), ...text } });
}

/**
 * Stores this page's unsent messages of a chat, beside those of other tabs.
 *
 * @param unsent by default those that an earlier page or visit could not send, which become this page's
 * @returns them
 */
export function storeUnsent(chatId: string, unsent = storedText(chatId).unsent): UnsentText["unsent"] {
  // Those that this page still has keep their place: what was written first is sent first.
  const byId = new Map([...storedText(chatId).unsent, ...unsent].map((text) => [text.id, text]));
  for (const { id } of unsent) known.add(id);
  storeText(chatId, {
    unsent: [...byId.values()].filter((text) => unsent.includes(text) || !known.has(text.id)),
  });
  return unsent;
}

/**
 * Starts a conversation under a key, which stays the same while the same content waits for its answer, also on the next page.
 *
 * @param post sends the request
 */
export async function startOnce<Result>(
  content: object,
  post: (key: string) => Promise<Result>,
): Promise<Result> {
  const text = JSON.stringify(content);
  const { start } = storedText("");
  const key = start?.content === text ? start.key : newClientId();
  storeText("", { start: { key, content: text } });
  try {
    const result = await inTurn("chat", () => post(key));
    storeText("", { start: undefined });
    return result;
  } catch (error) {
    // Refused: the next attempt is another start.
    if (error instanceof RequestError && error.status < 500) storeText("", { start: undefined });
    throw error;
  }
}

/** Moves the unsent text of a chat that has ended into the draft of the next one. */
export function moveTextToNewChat(chatId: string): void {
  const { draft, unsent } = storedText(chatId);
  const text = [...unsent.map(({ message }) => message), draft].filter(Boolean).join("\n");
  if (text) storeText("", { draft: text.slice(0, MAX_MESSAGE), unsent: [] });
}

/** Reads the details last entered in this browser; an account has its own. */
export function storedDetails(): VisitorDetails {
  const entered: Record<string, unknown> = storedAccount() ? {} : readEntry(DETAILS_KEY);
  const { userName = "", userEmail = "" } = entered;
  return { userName: String(userName), userEmail: String(userEmail) };
}

export function storeDetails(details: VisitorDetails): void {
  writeEntry(DETAILS_KEY, details);
}

/** Returns the questions of the introduction that were skipped in a chat, the latest one only. */
export function skippedQuestions(chatId: string): Question[] {
  const { chatId: of, questions } = readEntry(SKIPPED_KEY);
  return QUESTIONS.filter((question) => of === chatId && [questions].flat().includes(question));
}

/** Remembers a skipped question. @returns all of them */
export function skipQuestion(chatId: string, question: Question): Question[] {
  const questions = [...skippedQuestions(chatId), question];
  writeEntry(SKIPPED_KEY, { chatId, questions });
  return questions;
}

function isUnsent(entry: unknown): entry is UnsentText["unsent"][number] {
  const { id, message } = Object(entry) as Record<string, unknown>;
  return typeof id === "string" && typeof message === "string";
}

/** Attached to the next message, on its way, or refused by the server (docs/decisions/0022-chat-files.md). */
type FileState = "attached" | "unsent" | "rejected";

interface StoredFile {
  file: File;
  state: FileState;
  /** Reason why the server refused it. */
  reason?: string | undefined;
  /** Epoch milliseconds. */
  at: number;
}

/** File with the client id of its message. */
export interface KeptFile {
  id: string;
  file: File;
  state: FileState;
  /** Reason why the server refused it. */
  reason?: string | undefined;
}

/** Milliseconds after which a file is given up. */
const MAX_AGE_MS = 7 * DAY_MS;

let isKeeping = true;
let opened: ReturnType<typeof createStore> | undefined;
const store = () => {
  opened ??= createStore("emporia-files", "files");
  return opened;
};

/** Runs a step, ignoring that it rejects or throws in a browser without IndexedDB. */
async function attempt<Result>(step: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await step();
  } catch {
    return otherwise;
  }
}

/** Returns false once the browser has refused to keep a file. */
export const canKeepFiles = () => isKeeping;

/** Returns the key of a file; those of another account are out of reach. */
const keyOf = (conversation: string, id = "") => `${storedAccount()}/${conversation}/${id}`;

/**
 * Keeps a file, or changes its state. Never rejects.
 *
 * @param conversation "" for one that has not started
 */
export async function keepFile(conversation: string, { id, ...kept }: KeptFile): Promise<void> {
  const { file, state, reason } = kept;
  const stored: StoredFile = { file, state, reason, at: Date.now() };
  const isKept = await attempt(() => set(keyOf(conversation, id), stored, store()).then(() => true), false);
  isKeeping &&= isKept;
}

/** Forgets files that were sent or removed. Never rejects. */
export async function forgetFiles(conversation: string, ids: string[]): Promise<void> {
  const keys = ids.map((id) => keyOf(conversation, id));
  if (keys.length > 0) await attempt(() => delMany(keys, store()), undefined);
}

/** Reads the kept files of a conversation in the order of their choice, and forgets old ones. Never rejects. */
export async function readKeptFiles(conversation: string): Promise<KeptFile[]> {
  const all = await attempt(() => entries<string, StoredFile>(store()), []);
  const old = all.filter(([, { at }]) => at < Date.now() - MAX_AGE_MS).map(([key]) => key);
  if (old.length > 0) await attempt(() => delMany(old, store()), undefined);
  const prefix = keyOf(conversation);
  return all
    .filter(([key]) => key.startsWith(prefix) && !old.includes(key))
    .sort(([, one], [, other]) => one.at - other.at)
    .map(([key, { file, state, reason }]) => ({ id: key.slice(prefix.length), file, state, reason }));
}

/** Forgets all files: the browser has another reader. Never rejects. */
export const forgetAllFiles = () => attempt(() => clear(store()), undefined);
