import { MAX_MESSAGE } from "../limits";
import type { ProductCard } from "../protocol";
import { DETAILS_KEY, readEntry, TEXT_KEY, writeEntry } from "./storage";

/** Text that the server has not stored: the draft in the input field, and unconfirmed messages. */
export interface UnsentText {
  draft: string;
  unsent: { id: string; message: string; card?: ProductCard | undefined; rejected?: boolean }[];
}

/** Returns the text of a chat that was not sent. @param chatId "" for a chat that has not started */
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

function isUnsent(entry: unknown): entry is UnsentText["unsent"][number] {
  const { id, message } = (entry ?? {}) as Record<string, unknown>;
  return typeof id === "string" && typeof message === "string";
}
