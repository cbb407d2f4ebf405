import type { FileCard } from "~/features/storage/file-card";
import { isPicture, MAX_FILES } from "~/features/storage/files";
import type { ChatMessage, MessageCard } from "./protocol";

/** Names, keys and addresses of the files of a chat, shared by browser and server. */

/** Files of a side of a chat in 24 hours. */
export const MAX_FILES_A_DAY = 50;

/** `chats/{day of the upload}/{chat}/{hash of name and content}-{random}`. */
const FILE_KEY = /^chats\/\d{4}-\d{2}-\d{2}\/([\w-]{1,64})\/([\da-f]{32})-[\da-f]{16}$/;

/** Returns the chat of a file's key; null for any other text. */
export const chatOfFile = (key: string): string | null => FILE_KEY.exec(key)?.[1] ?? null;

/** Returns the part of a key that is the same for the same file. */
const fileHash = (key: string): string => FILE_KEY.exec(key)?.[2] ?? key;

/** Compares the cards of two messages; each upload of a file has a key of its own. */
export const haveSameCards = (one: ChatMessage["cards"], other: ChatMessage["cards"]): boolean =>
  JSON.stringify(identities(one)) === JSON.stringify(identities(other));

const identities = (cards: MessageCard[] = []) =>
  cards.map((card) => (card.type === "file" ? fileHash(card.key) : card));

/** Selects the files among the cards of a message. */
export const filesAmong = (cards: MessageCard[] = []) =>
  cards.filter((card): card is FileCard => card.type === "file");

/** Lists the keys of the files among cards. */
export const fileKeys = (cards: MessageCard[] = []): string[] => filesAmong(cards).map(({ key }) => key);

/** Returns the URL of a file. @param width px, for a picture; its full size by default */
export function fileUrl(key: string, width?: number): string {
  return `/api/chat/file?key=${encodeURIComponent(key)}${width ? `&w=${width}` : ""}`;
}

/** Sentence that names the files of a message, for clients and mails without cards. */
const fileSentence = (names: string[]) => `Attached: ${names.join(", ")}`;

/** Composes the text of a message with files. */
export function textWithFiles(text: string, names: string[]): string {
  return [text, fileSentence(names)].filter(Boolean).join("\n");
}

/** Returns the text to display beside the cards of the files, which name them. */
export function textBesideFiles(message: string, files: FileCard[]): string {
  if (files.length === 0) return message;
  const sentence = fileSentence(files.map(({ name }) => name));
  return message.endsWith(sentence) ? message.slice(0, -sentence.length).trimEnd() : message;
}

/** Seconds within which pictures of one side are displayed together. */
const TOGETHER_SECONDS = 60;

/** Joins pictures sent one after the other, each as a message of its own, into one message for display. */
export function joinPictures<Message extends ChatMessage>(messages: Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const previous = joined.at(-1);
    const cards = [...(previous?.cards ?? []), ...(message.cards ?? [])];
    if (!previous || !areTogether(previous, message) || cards.length > MAX_FILES) joined.push(message);
    else {
      const names = filesAmong(cards).map(({ name }) => name);
      joined[joined.length - 1] = { ...previous, seq: message.seq, cards, message: textWithFiles("", names) };
    }
  }
  return joined;
}

function areTogether(one: ChatMessage, next: ChatMessage): boolean {
  const isSameWriter = one.isFromAdmin === next.isFromAdmin && one.staffName === next.staffName;
  const seconds = next.timestamp.seconds - one.timestamp.seconds;
  const isAlone = next.replyTo !== undefined || seconds > TOGETHER_SECONDS;
  return isSameWriter && !isAlone && hasPicturesOnly(one) && hasPicturesOnly(next);
}

function hasPicturesOnly({ message, cards = [] }: ChatMessage): boolean {
  const pictures = filesAmong(cards).filter(isPicture);
  return cards.length > 0 && pictures.length === cards.length && textBesideFiles(message, pictures) === "";
}
