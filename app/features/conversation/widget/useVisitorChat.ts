import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { VisitorDetails } from "~/features/chat/introduction";
import { CONTINUED_SECONDS, NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import type { Answerer, History } from "~/features/chat/rooms";
import { answererOf } from "~/features/chat/staff-label";
import { useLatest } from "~/ui/latest";
import {
  countOtherUnread,
  errorMessage,
  markSeen,
  RequestError,
  readChat,
  readSettings,
} from "../client/api";
import type { ConnectionState } from "../client/connection";
import { initialStore, lastSeq, type UnsentMessage } from "../client/message-store";
import type { PanelView, StoredChat } from "../client/storage";
import { storeUnsent } from "../client/unsent";
import { useConversation } from "../client/useConversation";

const SEND_FAILED = "Failed to send message. Please try again.";

/** State and actions of the visitor's chat. */
export type VisitorChat = ReturnType<typeof useVisitorChat>;

/** Reason why a chat is closed to the visitor: the seller deleted it, or it is another visitor's. */
export type CloseReason = "deleted" | "forbidden";

/** Chat as its page came with it. */
export interface LoadedChat {
  chat: VisitorDetails & Pick<ChatView, "state">;
  messages: ChatMessage[];
  answerer: Answerer & { isOnline: boolean };
}

interface VisitorChatOptions {
  /** Delays the connection until the chat id is final. */
  isPending?: boolean;
  loaded?: LoadedChat;
  /** State of the shop before the chat was started. */
  known?: { answerer: Answerer | null; isOnline: boolean | null } | null;
}

/**
 * Connects the visitor to their chat: unsent messages survive the page, and are resent after a reconnect.
 *
 * @param chatId null before a chat has started
 * @returns `isOnline` of the shop, its `answerer` and the `person` who answers here, null until they are known; `isClosed` by
 *   the shop; `isOver` also for a chat that is too old to be continued; `greeting` of the shop, "" until it is known
 */
export function useVisitorChat(
  chatId: string | null,
  onClosed: (reason: CloseReason) => void,
  { isPending = false, loaded, known: shopBefore }: VisitorChatOptions = {},
) {
  const [details, setDetails] = useState<VisitorDetails | null>(loaded?.chat ?? null);
  const { setOnline, readAnswerer, ...shop } = useAnswerer(loaded?.answerer, shopBefore);
  const { closedAt, setState } = useClosedAt(loaded);
  const load = useLoad(chatId, onClosed, ({ chat, messages, reads }) => {
    setDetails(chat);
    setState(chat.state, messages);
    advanceReads(reads);
    dispatch({ type: "loaded", messages });
  });
  const onStateChange = useRefresh(load, readAnswerer);
  const { dispatch, advanceReads, store, ...conversation } = useConversation({
    chatId,
    isPending,
    isKnown: details !== null,
    sender: { isFromAdmin: false, name: details?.userName ?? NEW_CUSTOMER },
    page: useLocation().pathname,
    initialStore: () => initialStore(loaded?.messages ?? [], chatId ? storeUnsent(chatId) : []),
    // Offline, the message waits in its bubble and is sent after the reconnect.
    failureMessage: (error) => (navigator.onLine ? errorMessage(error, SEND_FAILED) : null),
    onStateChange,
    onEvent({ event, data }) {
      if (event === "chat-status-change") setOnline(data.isOnline);
      if (event === "chat-updated" && data.chat) setState(data.chat.state, store.messages);
    },
    onDeleted: () => onClosed("deleted"),
  });
  useEffect(() => {
    if (chatId) storeUnsent(chatId, storableTexts(store.unsent));
  }, [chatId, store.unsent]);
  const isClosed = closedAt !== null && !store.messages.some(isVisitorsAfter(closedAt));
  const isOver = isClosed || isOld(store.messages.at(-1));
  const known = { details, setDetails, isLoaded: details !== null };
  const person = shop.answerer && answererOf(shop.answerer, store.messages);
  return { ...conversation, ...shop, ...known, store, person, isClosed, isOver };
}

const isOld = (last: ChatMessage | undefined) =>
  last !== undefined && last.timestamp.seconds < Date.now() / 1000 - CONTINUED_SECONDS;

/** Reads what may have changed while the connection was lost: the chat may be closed by now, or be another's. */
function useRefresh(load: () => Promise<void>, readAnswerer: () => void) {
  const wasLost = useRef(false);
  return (state: ConnectionState) => {
    const isConnected = state === "connected";
    if (state === "disconnected" || (isConnected && wasLost.current)) void load();
    if (isConnected) readAnswerer();
    wasLost.current = !isConnected;
  };
}

const isVisitorsAfter =
  (after: number) =>
  ({ isFromAdmin, seq }: ChatMessage) =>
    !isFromAdmin && seq > after;

/** Holds the seq after which a visitor's message reopens the chat; null for an open one. */
function useClosedAt(loaded: LoadedChat | undefined) {
  const closedAfter = (state: ChatView["state"], messages: ChatMessage[]) =>
    state === "closed" ? (messages.at(-1)?.seq ?? 0) : null;
  const [closedAt, set] = useState(() => (loaded ? closedAfter(loaded.chat.state, loaded.messages) : null));
  return {
    closedAt,
    setState: (state: ChatView["state"], messages: ChatMessage[]) => set(closedAfter(state, messages)),
  };
}

/**
 * Holds whether the shop is online, and the person who answers; null until they are known. Both are read again when the opening
 * hours of the answer are over.
 */
function useAnswerer(loaded?: LoadedChat["answerer"], known?: VisitorChatOptions["known"]) {
  const [isOnline, set] = useState(loaded?.isOnline ?? known?.isOnline ?? null);
  const [answerer, setAnswerer] = useState<Answerer | null>(loaded ?? known?.answerer ?? null);
  const [greeting, setGreeting] = useState("");
  const events = useRef(0);
  const setOnline = (online: boolean) => {
    events.current++;
    set(online);
    // The shop may have closed.
    if (!online) setAnswerer((known) => known && { ...known, hours: "" });
  };
  const readAnswerer = () => {
    const before = events.current;
    const onRead = (settings: Awaited<ReturnType<typeof readSettings>>) => {
      // An event that arrived meanwhile is newer.
      if (events.current === before) set(settings.isOnline);
      setAnswerer(settings);
      setGreeting(settings.welcomeMessage);
    };
    readSettings().then(onRead, ignore);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    const timer = answerer?.hoursFor && setTimeout(readAnswerer, answerer.hoursFor * 1000);
    return () => clearTimeout(timer);
  }, [answerer]);
  return { isOnline, setOnline, answerer, greeting, readAnswerer };
}

/** Selects the messages without a file; those with one are kept in IndexedDB (client/unsent.ts). */
function storableTexts(unsent: UnsentMessage[]) {
  return unsent.filter(({ file }) => !file).map(({ failed: _, ...message }) => message);
}

/** Reads the chat at once; the result reads it again. */
function useLoad(
  chatId: string | null,
  onClosed: (reason: CloseReason) => void,
  onLoaded: (history: History) => void,
) {
  const latest = useLatest({ onClosed, onLoaded });
  const load = useCallback(async () => {
    if (!chatId) return;
    try {
      latest.current.onLoaded(await readChat(chatId));
    } catch (error) {
      // Other failures are ignored: the connection delivers the messages, too.
      const status = error instanceof RequestError && error.status;
      if (status === 404) latest.current.onClosed("deleted");
      if (status === 403) latest.current.onClosed("forbidden");
    }
  }, [chatId, latest]);
  useEffect(() => void load(), [load]);
  return load;
}

const ignore = () => undefined;

interface ReadState extends Pick<VisitorChat, "isOver" | "isLoaded"> {
  view: PanelView;
  /** seq of the last message, and of the last one that the reader has seen. */
  last: number;
  seen: number;
}

/** Stores what the reader has seen in the open panel, and whether the chat is over. */
export function useStoredState(
  chat: StoredChat | null,
  { view, last, seen, isOver, isLoaded }: ReadState,
  setChat: (chat: StoredChat) => void,
): void {
  useEffect(() => {
    if (view !== "open" || !chat || last <= seen) return;
    setChat({ ...chat, seen: last });
    void markSeen(chat.chatId, last);
  }, [view, chat, seen, last, setChat]);
  useEffect(() => {
    if (chat && isLoaded && isOver !== (chat.isOver ?? false)) setChat({ ...chat, isOver });
  }, [chat, isOver, isLoaded, setChat]);
}

/** Counts the answers that the reader has not seen, here and in other conversations; another tab may have shown them. */
export function useUnread(chat: StoredChat | null, { store, reads }: VisitorChat) {
  const seen = Math.max(chat?.seen ?? 0, reads.visitor.seq);
  const unreadHere = store.messages.filter(({ isFromAdmin, seq }) => isFromAdmin && seq > seen).length;
  const unreadElsewhere = useOtherUnread(chat?.chatId);
  return { last: lastSeq(store), seen, unread: unreadHere + unreadElsewhere, unreadElsewhere };
}

/** Reads the number of unread answers in the reader's other conversations, once for each page load. */
export function useOtherUnread(chatId: string | undefined): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    countOtherUnread(chatId).then(setCount, () => undefined);
  }, [chatId]);
  return count;
}
