import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { markRead } from "../client/api";
import { type Connection, type ConnectionState, connect } from "../client/connection";
import { CLOSED } from "../limits";
import type { ChatView } from "../protocol";
import { enableSound, playSound } from "./notification-sound";

/** Milliseconds by which the list in D1 may lag behind the chat rooms. */
const LIST_LAG_MS = 5000;
const NO_CHATS: ChatView[] = [];

/** A chat as a live event reported it, and when (epoch milliseconds). */
interface LiveUpdate {
  chat: ChatView;
  at: number;
}

/** Connection of the open conversation. */
type ConversationConnection = { state: ConnectionState; reconnect(): void };

/** Live state of the console. */
export type LiveConsole = ReturnType<typeof useConsole>;

/**
 * Keeps the list of chats live. A customer's message plays the sound, raises the unread count of its chat, and is
 * marked as read at once when that chat is open in a visible tab.
 *
 * @param loaded the server's list; null when reading it failed
 */
export function useConsole(loaded: ChatView[] | null, openChatId: string | null) {
  const [updates, setUpdates] = useState<LiveUpdate[]>([]);
  const updateChat = useCallback((chat: ChatView) => {
    const update = { chat, at: Date.now() };
    setUpdates((current) => [...current.filter((other) => other.chat.id !== chat.id), update]);
  }, []);
  const room = useAdminRoom((chat) => {
    playSound();
    updateChat(chat);
  });
  useEffect(() => {
    if (loaded) setUpdates((current) => current.filter(({ at }) => Date.now() - at < LIST_LAG_MS));
  }, [loaded]);
  const chats = useMemo(() => mergeUpdates(loaded ?? NO_CHATS, updates), [loaded, updates]);
  useMarkRead(
    chats.find(({ id }) => id === openChatId),
    updateChat,
  );
  const [conversation, setConversation] = useState<ConversationConnection | null>(null);
  const reconnect = () => {
    if (room.state !== "connected") room.reconnect();
    if (conversation && conversation.state !== "connected") conversation.reconnect();
  };
  const state = conversation && room.state === "connected" ? conversation.state : room.state;
  return { chats, unread: countUnread(chats), state, reconnect, updateChat, setConversation };
}

/** Counts the unread messages of the listed chats. */
export function countUnread(chats: ChatView[]): number {
  return chats.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}

const nanoseconds = ({ lastMessageTime: time }: ChatView) => time.seconds * 1e9 + time.nanoseconds;

/** Replaces chats by newer updates; latest first. */
function mergeUpdates(loaded: ChatView[], updates: LiveUpdate[]): ChatView[] {
  const chats = new Map(loaded.map((chat) => [chat.id, chat]));
  for (const { chat } of updates) {
    const known = chats.get(chat.id);
    if (!known || nanoseconds(known) < nanoseconds(chat)) chats.set(chat.id, chat);
  }
  return [...chats.values()].sort((a, b) => nanoseconds(b) - nanoseconds(a));
}

/** Connects to the admin room, which reports customers' messages. */
function useAdminRoom(onChat: (chat: ChatView) => void) {
  const [state, setState] = useState<ConnectionState>("connecting");
  const connection = useRef<Connection>();
  const { revalidate } = useRevalidator();
  const latest = useRef({ onChat, revalidate });
  latest.current = { onChat, revalidate };
  useEffect(() => {
    const cancelSound = enableSound();
    const opened = connect({
      query: () => "room=admin",
      onEvent: (event) => event.event === "new-user-message" && latest.current.onChat(event.data.chat),
      onStateChange(next) {
        setState(next);
        if (next === "connected") opened.send({ event: "join-admin" });
      },
      // Reloading redirects to the sign-in page when the session or the role has ended.
      onEnd: (code) => code === CLOSED.sessionEnded && latest.current.revalidate(),
    });
    connection.current = opened;
    return () => {
      cancelSound();
      opened.send({ event: "leave-admin" });
      opened.close();
    };
  }, []);
  return { state, reconnect: () => connection.current?.reconnect() };
}

/** Marks the open chat as read as soon as its page is visible. */
function useMarkRead(open: ChatView | undefined, updateChat: (chat: ChatView) => void) {
  const latest = useRef(open);
  latest.current = open;
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
  }, [hasUnread, id, updateChat]);
}
