import { useCallback, useEffect, useRef, useState } from "react";
import { TYPING_INDICATOR_MS } from "../limits";
import type { ChatMessage, ProductCard } from "../protocol";

/** A message of the reader's own that the server has not confirmed. */
export interface UnsentMessage {
  /** Client id; a retry sends the same one, so that the server stores the message once. */
  id: string;
  message: string;
  card?: ProductCard | undefined;
  /** Epoch seconds; missing for a message restored from an earlier visit. */
  sentAt?: number;
  failed: boolean;
  /** The server rejected it: it waits for a manual retry, while others are resent after a reconnect. */
  rejected?: boolean;
  /** Why the server can't take it, however often it is sent. */
  reason?: string;
  /** File of a message that has no text of its own. */
  file?: File;
  /** Share of the file that was sent, 0 to 1; missing before its upload begins. */
  progress?: number;
}

/** Unsent message with a file. */
export type UnsentFileMessage = UnsentMessage & { file: File };

export const hasFile = (message: UnsentMessage): message is UnsentFileMessage => message.file !== undefined;
export const isTextOnly = (message: UnsentMessage) => !hasFile(message);

/** Messages of a conversation, sorted by seq, and the unsent ones in sending order. */
export interface MessageStore {
  messages: ChatMessage[];
  unsent: UnsentMessage[];
}

/** A change of the store. `sentId` is the client id of a stored message, `nextId` replaces an id that was taken. */
export type Action =
  | { type: "loaded"; messages: ChatMessage[] }
  | { type: "stored"; message: ChatMessage; sentId?: string }
  | {
      type: "sending";
      id: string;
      message: string;
      card?: ProductCard | undefined;
      sentAt: number;
      file?: File;
    }
  | { type: "progress"; id: string; progress: number }
  | { type: "failed"; id: string; rejected?: boolean; reason?: string; nextId?: string }
  | { type: "cancelled"; id: string };

/**
 * Creates the store of a conversation.
 *
 * @param unsent messages that an earlier page or visit could not send
 */
export function initialStore(messages: ChatMessage[], unsent: Omit<UnsentMessage, "failed">[]): MessageStore {
  return withMessages(
    { messages: [], unsent: unsent.map((message) => ({ ...message, failed: true })) },
    messages,
  );
}

/** Applies a change; a message appears once, whether it comes by POST, by the connection or by a read. */
export function messageReducer(store: MessageStore, action: Action): MessageStore {
  switch (action.type) {
    case "loaded":
      return withMessages(store, action.messages);
    case "stored": {
      const unsent = store.unsent.filter(({ id }) => id !== action.sentId);
      return withMessages({ ...store, unsent }, [action.message]);
    }
    case "sending": {
      const { type: _, ...message } = action;
      const sending = { ...message, failed: false };
      if (!store.unsent.some(({ id }) => id === sending.id))
        return { ...store, unsent: [...store.unsent, sending] };
      return {
        ...store,
        unsent: store.unsent.map((unsent) => (unsent.id === sending.id ? sending : unsent)),
      };
    }
    case "progress":
      return {
        ...store,
        unsent: store.unsent.map((unsent) =>
          unsent.id === action.id ? { ...unsent, progress: action.progress } : unsent,
        ),
      };
    case "cancelled":
      return { ...store, unsent: store.unsent.filter(({ id }) => id !== action.id) };
    case "failed": {
      const { id, rejected, reason, nextId = id } = action;
      const markFailed = (unsent: UnsentMessage) =>
        unsent.id === id
          ? { ...unsent, id: nextId, failed: true, ...(rejected && { rejected }), ...(reason && { reason }) }
          : unsent;
      return { ...store, unsent: store.unsent.map(markFailed) };
    }
  }
}

/** Returns the seq of the last message; 0 without any. */
export const lastSeq = ({ messages }: MessageStore) => messages.at(-1)?.seq ?? 0;

/**
 * Finds where a catch-up starts: a POST can deliver a later message before the earlier ones have arrived.
 *
 * @returns seq of the last message with none missing before it; 0 without any
 */
export function lastContiguousSeq({ messages }: MessageStore): number {
  let last = 0;
  for (const { seq } of messages) if (seq === last + 1) last = seq;
  return last;
}

function withMessages({ messages, unsent }: MessageStore, added: ChatMessage[]): MessageStore {
  const byId = new Map([...messages, ...added].map((message) => [message.id, message]));
  return {
    messages: [...byId.values()].sort((a, b) => a.seq - b.seq),
    // A different message can have the same id: then this one is still unsent.
    unsent: unsent.filter(({ id, message, file }) =>
      file ? !byId.has(id) : byId.get(id)?.message !== message,
    ),
  };
}

const STOP_AFTER_MS = 2000;
/** Keeps the indicator visible without an event for each key of a held one. */
const REPEAT_INTERVAL_MS = 1000;

/** Typing events of one input field. */
export interface TypingNotifier {
  /** Notes a change of the field; nobody types in an empty one. */
  changed(text: string): void;
  /** Ends typing at once: the message was sent, or the field was left. */
  stop(): void;
}

/**
 * Sends `typing` at most once a second while keys are pressed, and `stop-typing` 2 s after the last one
 * (docs/product.md, 7.1).
 */
export function typingNotifier(send: (event: "typing" | "stop-typing") => void): TypingNotifier {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastSent = Number.NEGATIVE_INFINITY;
  const stop = () => {
    clearTimeout(timer);
    if (timer !== undefined) send("stop-typing");
    timer = undefined;
    lastSent = Number.NEGATIVE_INFINITY;
  };
  return {
    changed(text) {
      if (text === "") return stop();
      clearTimeout(timer);
      timer = setTimeout(stop, STOP_AFTER_MS);
      const now = Date.now();
      if (now - lastSent < REPEAT_INTERVAL_MS) return;
      lastSent = now;
      send("typing");
    },
    stop,
  };
}

/** Person who is typing; `isStaff` is a colleague in the console, and the shop for the visitor. */
export interface Typist {
  senderName: string;
  isStaff: boolean;
}

/** Adds or removes a person; those who go on typing keep their place. */
export function withTypist(
  typists: Typist[],
  { senderName, isStaff, isTyping }: Typist & { isTyping: boolean },
): Typist[] {
  const isSame = (other: Typist) => other.senderName === senderName && other.isStaff === isStaff;
  if (isTyping) return typists.some(isSame) ? typists : [...typists, { senderName, isStaff }];
  return typists.filter((other) => !isSame(other));
}

/**
 * Holds the people who are typing, each for 3 s after their last event.
 *
 * @returns also a handler of events, and a function that removes a side, whose message has arrived
 */
export function useTypists() {
  const [typists, set] = useState<Typist[]>([]);
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const { current } = timers;
    return () => current.forEach(clearTimeout);
  }, []);
  const onTyping = useCallback((event: Typist & { isTyping: boolean }) => {
    const key = `${event.isStaff} ${event.senderName}`;
    clearTimeout(timers.current.get(key));
    set((current) => withTypist(current, event));
    const stop = () => set((current) => withTypist(current, { ...event, isTyping: false }));
    if (event.isTyping) timers.current.set(key, setTimeout(stop, TYPING_INDICATOR_MS));
  }, []);
  const removeSide = useCallback(
    (isStaff: boolean) => set((current) => current.filter((typist) => typist.isStaff !== isStaff)),
    [],
  );
  return [typists, onTyping, removeSide] as const;
}
