import type { ChatMessage, ProductCard, QuotedMessage } from "~/features/chat/protocol";

/** A message of the reader's own that the server has not confirmed. */
export interface UnsentMessage {
  /** Client id; a retry sends the same one, so that the server stores the message once. */
  id: string;
  message: string;
  card?: ProductCard | undefined;
  replyTo?: QuotedMessage | undefined;
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
      replyTo?: QuotedMessage | undefined;
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
  const change = (id: string, changed: (message: UnsentMessage) => UnsentMessage) => ({
    ...store,
    unsent: store.unsent.map((unsent) => (unsent.id === id ? changed(unsent) : unsent)),
  });
  const without = (id?: string) => ({ ...store, unsent: store.unsent.filter((unsent) => unsent.id !== id) });
  switch (action.type) {
    case "loaded":
      return withMessages(store, action.messages);
    case "stored":
      return withMessages(without(action.sentId), [action.message]);
    case "sending": {
      const { type: _, ...message } = action;
      const sending = { ...message, failed: false };
      return store.unsent.some(({ id }) => id === sending.id)
        ? change(sending.id, () => sending)
        : { ...store, unsent: [...store.unsent, sending] };
    }
    case "progress":
      return change(action.id, (unsent) => ({ ...unsent, progress: action.progress }));
    case "cancelled":
      return without(action.id);
    case "failed": {
      const { type: _, id, nextId = id, ...failure } = action;
      return change(id, (unsent) => ({ ...unsent, ...failure, id: nextId, failed: true }));
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
