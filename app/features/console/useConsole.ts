import { useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { consoleUrl, parseConsoleParams } from "~/features/chat/console-params";
import type { ChatFilter } from "~/features/chat/limits";
import type { ChatMessage, ChatView } from "~/features/chat/protocol";
import { markRead, readUnread } from "~/features/conversation/client/api";
import type { ConnectionState } from "~/features/conversation/client/connection";
import { useAdminRoom } from "~/features/conversation/client/useAdminRoom";
import { useLatest } from "~/ui/latest";
import { useNavigate } from "~/ui/navigation";
import { useShortcuts } from "~/ui/shortcuts";
import { showToast } from "~/ui/Toasts";
import type { Unread } from "~/ui/UnreadCount";
import { NO_FOCUS } from "./Conversation";
import type { ConsoleData } from "./page.server";
import { useNotes } from "./useNotes";

/** Milliseconds by which the list in D1 may lag behind the chat rooms. */
const LIST_LAG_MS = 5000;
/** Chats that live events add to the list before it is loaded again: a flood of new ones does not grow it without end. */
const MAX_UPDATES = 100;
const NO_CHATS: ChatView[] = [];

/** A chat as a live event reported it, null for a deleted one, and when (epoch milliseconds). */
interface LiveUpdate {
  id: string;
  chat: ChatView | null;
  at: number;
}

/** Connection of the open conversation. */
type ConversationConnection = { state: ConnectionState; reconnect(): void };

/** Live state of the console. */
export type LiveConsole = ReturnType<typeof useConsole>;

/**
 * Keeps the list of chats live. A visitor's message plays the sound, raises the unread count of its chat, and is
 * marked as read at once when that chat is open in a visible tab.
 */
export function useConsole(page: ConsoleData) {
  const { chats, updates, update } = useLiveChats(page);
  const openChatId = page.params.tab === "chats" ? page.history?.chat.id : undefined;
  const { revalidate } = useRevalidator();
  const { noteEvents, ...notes } = useNotes(page);
  // Chat that somebody has deleted while this page was open.
  const [deletedId, setDeletedId] = useState<string | null>(null);
  const room = useAdminRoom({
    onMessage: ({ chatId, chat, message }) => {
      update(chatId, chat);
      if (chatId !== openChatId && !isListVisible()) void announce(chat, message);
    },
    onUpdate: (id, chat, assignedBy) => {
      update(id, chat);
      void withToasts((toasts) => toasts.updateToasts(id, chat, assignedBy, page.userId));
      if (!chat) setDeletedId(id);
    },
    ...noteEvents,
    onReconnected: revalidate,
  });
  const { setUnread } = room;
  const counts = useFilterCounts(page, updates.at(-1));
  const updateChat = useCallback(
    (chat: ChatView) => {
      update(chat.id, chat);
      setUnread(chat.id, chat.unreadCount);
    },
    [update, setUnread],
  );
  const openChat = chats.find(({ id }) => id === openChatId);
  useMarkRead(openChat, updateChat);
  const [conversation, setConversation] = useState<ConversationConnection | null>(null);
  const reconnect = () => {
    if (room.state !== "connected") room.reconnect();
    if (conversation && conversation.state !== "connected") conversation.reconnect();
  };
  const state = conversation && room.state === "connected" ? conversation.state : room.state;
  const unread: Unread = room.unread ?? { count: countUnread(chats) };
  return { chats, counts, unread, state, deletedId, reconnect, updateChat, setConversation, ...notes };
}

/** Loads the toasts, which the list of routes needn't name; the list and the title report messages, too. */
const withToasts = (use: (toasts: typeof import("./StaffNotifications")) => void) =>
  import("./StaffNotifications").then(use, () => undefined);

const announce = (chat: ChatView, message: ChatMessage) =>
  withToasts((toasts) => toasts.showMessageToast(chat, message));

/** On phones an open chat covers the list, and the other tabs have none. */
const isListVisible = () => document.querySelector(".chat-list")?.checkVisibility() ?? false;

/** Keeps the list of chats with the updates of live events, which the server's list may not contain yet. */
function useLiveChats({ chats: list, params, userId }: ConsoleData) {
  const loaded = list?.rows ?? null;
  const { q, filter, report } = params;
  const [updates, setUpdates] = useState<LiveUpdate[]>([]);
  const update = useCallback((id: string, chat: ChatView | null) => {
    const added = { id, chat, at: Date.now() };
    setUpdates((current) => [...current.filter((other) => other.id !== id).slice(1 - MAX_UPDATES), added]);
  }, []);
  useEffect(() => {
    if (loaded) setUpdates((current) => current.filter(({ at }) => Date.now() - at < LIST_LAG_MS));
  }, [loaded]);
  const chats = useMemo(() => {
    const isListed = (chat: ChatView, isKnown: boolean) =>
      (isKnown || (q === "" && !report)) && (filter === null || FILTERS[filter](chat, userId));
    return mergeUpdates(loaded ?? NO_CHATS, updates, isListed);
  }, [loaded, updates, q, filter, report, userId]);
  return { chats, updates, update };
}

/** Milliseconds after a live event, to read the counts once for the events of one moment. */
const COUNT_DELAY_MS = 500;

/** Keeps the number of chats of each filter; live events do not say which filters a chat has left. */
function useFilterCounts({ chats }: ConsoleData, latest: LiveUpdate | undefined) {
  const loaded = chats?.counts ?? null;
  const [counts, setCounts] = useState(loaded);
  useEffect(() => setCounts(loaded), [loaded]);
  useEffect(() => {
    if (!latest) return;
    const read = () =>
      readUnread().then(
        ({ filters }) => setCounts(filters),
        // The next event reads them again.
        () => undefined,
      );
    const timer = setTimeout(read, COUNT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return counts;
}

/** Counts the unread messages of the listed chats. */
export function countUnread(chats: ChatView[]): number {
  return chats.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}

const nanoseconds = ({ lastMessageTime: time }: ChatView) => time.seconds * 1e9 + time.nanoseconds;

/** Conditions of the filters, as in list.queries.server.ts. */
const FILTERS: Record<ChatFilter, (chat: ChatView, userId: string) => boolean> = {
  unanswered: ({ waitingSince }) => waitingSince !== null,
  mine: ({ assigneeId }, userId) => assigneeId === userId,
  open: ({ state }) => state === "open",
  closed: ({ state }) => state === "closed",
};

/** Replaces chats by newer updates, and drops those that no longer match the list; latest first. */
function mergeUpdates(
  loaded: ChatView[],
  updates: LiveUpdate[],
  isListed: (chat: ChatView, isKnown: boolean) => boolean,
): ChatView[] {
  const chats = new Map(loaded.map((chat) => [chat.id, chat]));
  for (const { id, chat } of updates) {
    const known = chats.get(id);
    if (!chat || !isListed(chat, known !== undefined)) chats.delete(id);
    // A colleague's read changes the count alone, not the time.
    else if (!known || nanoseconds(known) <= nanoseconds(chat)) chats.set(id, chat);
  }
  return [...chats.values()].sort((a, b) => nanoseconds(b) - nanoseconds(a));
}

/** Marks the open chat as read as soon as its page is visible. */
function useMarkRead(open: ChatView | undefined, updateChat: (chat: ChatView) => void) {
  const latest = useLatest(open);
  const hasUnread = open !== undefined && open.unreadCount > 0;
  const id = open?.id;
  useEffect(() => {
    if (!hasUnread || !id) return;
    const read = () => {
      if (document.hidden) return;
      if (latest.current) updateChat({ ...latest.current, unreadCount: 0 });
      markRead(id).catch(() => showToast("error", "Failed to mark messages as read"));
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [hasUnread, id, updateChat, latest]);
}

const REPLY = "[data-reply]";
const QUICK = "[data-quick]";
const RECORD = "[data-record]";
const HOLD = "[data-hold]";

/**
 * Registers the console's shortcuts: next and previous chat, reply, Quick Responses, Record sale, Set aside. A key
 * pressed during the navigation to a chat applies to that chat, so it waits for its rendering.
 *
 * @param openChatId the chat on the screen, null without one, undefined while its placeholder is there
 */
export function useConsoleShortcuts(chats: ChatView[], openChatId: string | null | undefined): void {
  const navigate = useNavigate();
  const { location: nextLocation } = useNavigation();
  const pendingSelector = useRef<string | null>(null);
  // A navigation is ahead of the URL, and the URL is ahead of the rendered chat.
  const renderedChat = useRef(openChatId);
  const targetChat = () =>
    parseConsoleParams(new URLSearchParams((nextLocation ?? window.location).search)).chat;
  const step = (by: number) => {
    const at = chats.findIndex(({ id }) => id === targetChat());
    const next = chats[at === -1 ? 0 : at + by];
    if (next) navigate(consoleUrl({ chat: next.id }), { preventScrollReset: true, state: NO_FOCUS });
  };
  const pressWhenRendered = (selector: string) => {
    if (targetChat() === renderedChat.current) press(selector);
    else pendingSelector.current = selector;
  };
  useEffect(() => {
    renderedChat.current = openChatId;
    if (openChatId === undefined) return;
    if (pendingSelector.current) press(pendingSelector.current);
    pendingSelector.current = null;
  }, [openChatId]);
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    w: () => pressWhenRendered(REPLY),
    r: () => pressWhenRendered(RECORD),
    h: () => pressWhenRendered(HOLD),
    "/": () => pressWhenRendered(QUICK),
  });
}

function press(selector: string) {
  const element = document.querySelector<HTMLElement>(selector);
  if (selector === REPLY) element?.focus();
  else element?.click();
}
