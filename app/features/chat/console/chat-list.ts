import type { ChatView } from "../protocol";

/** A chat as a live event told of it, and when (epoch milliseconds). */
export interface Heard {
  chat: ChatView;
  at: number;
}

/** How long the list that the server reads may be behind its rooms, milliseconds. */
const BEHIND = 5000;

const nanos = ({ lastMessageTime: { seconds, nanoseconds } }: ChatView) => seconds * 1e9 + nanoseconds;

/** What was loaded, with what was heard since in its place; latest first. */
export function withHeard(loaded: ChatView[], heard: Heard[]): ChatView[] {
  const chats = new Map(loaded.map((chat) => [chat.id, chat]));
  for (const { chat } of heard) {
    const known = chats.get(chat.id);
    if (!known || nanos(known) < nanos(chat)) chats.set(chat.id, chat);
  }
  return [...chats.values()].sort((a, b) => nanos(b) - nanos(a));
}

/** What was heard, and now this. */
export function hear(heard: Heard[], chat: ChatView, now: number): Heard[] {
  return [...heard.filter((other) => other.chat.id !== chat.id), { chat, at: now }];
}

/** What is still news once the list was loaded anew. */
export function stillNews(heard: Heard[], now: number): Heard[] {
  return heard.filter(({ at }) => now - at < BEHIND);
}

/** How many messages nobody has read. */
export function unreadIn(chats: ChatView[]): number {
  return chats.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}
